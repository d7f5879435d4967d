"""Of what sessions say of themselves and of each other comes one tree, and it ends."""

from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.export import family as told
from inspector.library.family import Family, Looked, family_of
from inspector.library.members import Member, Named


def member(name: str, parent: str | None = None, **more: object) -> Member:
    path = more.pop("path", Path(f"/tapes/{name}.jsonl"))
    return Member(name, path, parent=parent, **more)  # type: ignore[arg-type]


def shape(family: Family) -> list[tuple[int, str | None, str | None]]:
    """Depth, id and relation of each branch."""
    return [(one.depth, one.member.id, one.relation) for one in family.branches]


def drawn(family: Family) -> list[str]:
    """The lines of the tree alone."""
    return [
        f"{told.guides(family, number)}{told.sign(family, number)} {branch.member.id}"
        for number, branch in enumerate(family.branches)
    ]


def test_the_tree_begins_with_the_oldest_that_is_known_and_marks_the_one_asked_of() -> None:
    grandparent, parent = member("g", started=1), member("p", "g", relation="fork", started=2)
    here = member("h", "p", relation="resume", started=3)
    child = member("c", "h", relation="subagent", started=4)
    aunt = member("a", "g", relation="subagent", started=5)
    family = family_of([aunt, child, here, parent, grandparent], here)
    assert drawn(family) == [
        "○ g",
        "├─ ◆ p",
        "│  └─ ● h",
        "│     └─ ▸ c",
        "└─ ▸ a",
    ]
    above = family.parent()
    assert above is not None
    assert above.member is parent
    assert family.branches[family.here].member is here


def test_sessions_that_do_not_belong_are_left_out() -> None:
    here = member("h")
    assert shape(family_of([here, member("x"), member("y", "x")], here)) == [(0, "h", None)]


def test_siblings_stand_by_time_and_those_without_one_behind() -> None:
    here = member("h")
    children = [member("late", "h", started=9), member("early", "h", started=1), member("no", "h")]
    family = family_of([here, *children], here)
    assert [one.member.id for one in family.branches] == ["h", "early", "late", "no"]


def test_a_parent_that_is_not_there_is_a_member_without_a_place() -> None:
    here = member("h", "gone", relation="fork", boundary=7)
    family = family_of([here], here, [Looked(Path("/tapes"))])
    assert shape(family) == [(0, "gone", None), (1, "h", "fork")]
    assert family.branches[0].member.missing
    document = told.document(family)
    assert document["parent"]["tape"] == "gone"
    assert document["parent"]["missing"] is True
    assert document["parent"]["looked"] == ["/tapes"]
    assert (document["relation"], document["boundary"]) == ("fork", 7)
    assert document["missing"] == ["gone"]


def test_a_child_that_only_its_parent_names_is_there_without_a_place() -> None:
    here = member("h", names=(Named("subagent", "c", at=4), Named("fork", "d", "discarded")))
    family = family_of([here], here)
    assert shape(family) == [(0, "h", None), (1, "c", "subagent"), (1, "d", "fork")]
    assert [one.boundary for one in family.branches] == [None, 4, None]
    assert family.branches[2].status == "discarded"


def test_what_the_child_says_counts_and_the_parent_adds_what_it_leaves_open() -> None:
    here = member("h", names=(Named("subagent", "c", at=4),))
    child = member("c", "h", relation="child")
    family = family_of([here, child], here)
    assert shape(family)[1] == (1, "c", "subagent")
    assert family.branches[1].boundary == 4


def test_a_parent_may_call_a_child_by_the_end_of_its_id() -> None:
    here = member("h", names=(Named("subagent", "x1", at=2),))
    family = family_of([here, member("agent-x1", "h")], here)
    assert shape(family) == [(0, "h", None), (1, "agent-x1", "subagent")]
    assert family.of("x1") == family.of("agent-x1") == 1
    assert family.of("1") is None


def test_a_child_that_says_nothing_hangs_where_it_is_named_and_that_is_told() -> None:
    here = member("h", names=(Named("spec", "c"),))
    family = family_of([here, member("c")], here)
    assert shape(family) == [(0, "h", None), (1, "c", "spec")]
    assert family.branches[1].notes == ("only h tells that it comes from there",)


def test_a_child_that_two_name_hangs_where_it_says_and_the_other_is_told() -> None:
    here = member("h", names=(Named("subagent", "c"),))
    other = member("o", "h", relation="fork", names=(Named("subagent", "c"),))
    family = family_of([here, other, member("c", "h", relation="subagent", started=1)], here)
    assert shape(family) == [(0, "h", None), (1, "c", "subagent"), (1, "o", "fork")]
    assert family.branches[1].notes == ("o names it as its subagent too",)


def test_one_that_names_two_parents_hangs_on_one_and_the_other_has_its_own_tree() -> None:
    here = member("h", "p", relation="fork", others=("q", "away"))
    family = family_of([here, member("p"), member("q")], here)
    assert shape(family) == [(0, "p", None), (1, "h", "fork"), (0, "q", None)]
    assert family.branches[1].notes == (
        "also comes from q",
        "also comes from away, which is not found",
    )
    assert [one["tape"] for one in told.document(family)["others"]] == ["q"]


def test_several_files_of_one_session_are_told_and_one_counts() -> None:
    here = member("h", path=Path("/tapes/h.jsonl"))
    packed = member("h", path=Path("/tapes/h.jsonl.zst"), last=9)
    old = member("h", path=Path("/tapes/old.jsonl"), twin="generation")
    child = member("c", "h", relation="fork", started=1)
    family = family_of([packed, old, child, here], here)
    assert [(one.member.path, one.relation) for one in family.branches] == [
        (here.path, None),
        (child.path, "fork"),
        (packed.path, "same session"),
        (old.path, "generation"),
    ]
    assert family.branches[0].notes == ("3 files say that they are it",)


def test_an_older_generation_that_is_asked_of_hangs_on_the_one_that_counts() -> None:
    here = member("h", path=Path("/tapes/h/session.jsonl"), twin="generation")
    current = member("h", path=Path("/tapes/h/session.v3.jsonl"))
    family = family_of([here, current], here)
    assert [one.member for one in family.branches] == [current, here]
    assert family.here == 1


def test_circles_are_cut_where_the_oldest_stands_and_told() -> None:
    a, b, c = member("a", "c", started=2), member("b", "a", started=3), member("c", "b", started=1)
    family = family_of([a, b, c], b)
    assert [one.member.id for one in family.branches] == ["c", "a", "b"]
    assert family.notes == ("each comes from the next, all around: c, b, a",)
    itself = member("i", "i")
    family = family_of([itself], itself)
    assert shape(family) == [(0, "i", None)]
    assert family.branches[0].notes == ("names itself as where it comes from",)


def test_one_that_names_its_parent_as_its_child_does_not_turn_the_tree() -> None:
    here = member("h", "p", relation="fork", names=(Named("subagent", "p"),))
    family = family_of([here, member("p")], here)
    assert shape(family) == [(0, "p", None), (1, "h", "fork")]


def test_what_becomes_of_forks_is_told_where_the_parent_tells_it() -> None:
    here = member("h", names=(Named("fork", "m", "merged"), Named("fork", "d", "discarded")))
    merged, still = member("m", "h", relation="fork", started=1), member("o", "h", relation="fork")
    family = family_of([here, merged, still], here)
    status = {one.member.id: one.status for one in family.branches}
    assert status == {"h": None, "m": "merged", "d": "discarded", "o": "open"}


def test_copied_and_own_events_are_told_apart() -> None:
    here = member("h", "p", relation="fork", events=10, copied=4, boundary=6)
    document = told.document(family_of([here], here))
    assert (document["copied"], document["own"], document["boundary"]) == (4, 6, 6)
    unread = member("u", events=10, estimated=True)
    assert told.document(family_of([unread], unread))["own"] is None


def test_hostile_ids_and_notes_are_cleaned_for_people() -> None:
    here = member("h\x1b[2J\n", "p\u202eq", relation="fork\x07", names=(Named("x\x1b", "y\n"),))
    lines = list(told.text(family_of([here], here, [Looked(Path("/t\x1b"), said_by="V\n")])))
    assert all(line.isprintable() for line in lines), lines
    assert told.document(family_of([here], here))["self"]["tape"] == "h\x1b[2J\n"


def test_a_chain_of_thousands_is_a_tree_and_a_document() -> None:
    chain = [member(f"m{at}", f"m{at - 1}" if at else None, started=at) for at in range(3_000)]
    family = family_of(chain, chain[-1])
    assert [one.depth for one in family.branches] == list(range(3_000))
    document = told.document(family)
    at, depth = document["tree"], 0
    while at["children"]:
        at, depth = at["children"][0], depth + 1
    assert depth == told.DEEPEST
    assert at["deeper"] == 1
    assert len(max(told.text(family), key=len)) < 400


NAMES = st.sampled_from([f"s{at}" for at in range(8)])


@st.composite
def members(draw: st.DrawFn) -> list[Member]:
    """Sessions that say anything of each other: circles, two files of one id, nobody there."""
    return [
        Member(
            draw(st.one_of(st.none(), NAMES)),
            Path(f"/tapes/{at}.jsonl"),
            started=draw(st.one_of(st.none(), st.integers(0, 5))),
            parent=draw(st.one_of(st.none(), NAMES)),
            relation=draw(st.sampled_from([None, "fork", "subagent", "child"])),
            others=tuple(draw(st.lists(NAMES, max_size=2, unique=True))),
            twin=draw(st.sampled_from([None, None, "generation"])),
            names=tuple(
                Named("subagent", name) for name in draw(st.lists(NAMES, max_size=3, unique=True))
            ),
        )
        for at in range(draw(st.integers(1, 9)))
    ]


@settings(max_examples=50, deadline=None)
@given(members(), st.data())
def test_any_sessions_make_a_tree_that_holds_each_once(
    sessions: list[Member], data: st.DataObject
) -> None:
    here = data.draw(st.sampled_from(sessions))
    family = family_of(sessions, here)
    places = Counter(one.member.place for one in family.branches if not one.member.missing)
    assert set(places.values()) == {1}
    names = Counter(one.member.id for one in family.missing())
    there = {one.id for one in sessions}
    assert all(times == 1 and name not in there for name, times in names.items())
    assert family.branches[family.here].member is here
    for number, branch in enumerate(family.branches):
        assert (branch.above is None) == (branch.depth == 0)
        if branch.above is not None:
            assert branch.above < number
            assert family.branches[branch.above].depth == branch.depth - 1
            assert number in family.branches[branch.above].children
        for child in branch.children:
            assert family.branches[child].above == number
        assert branch.last == (
            branch.above is None or family.branches[branch.above].children[-1] == number
        )
    document = told.document(family)
    assert document["self"]["path"] == str(here.path)
    assert list(told.text(family))


@settings(max_examples=50, deadline=None)
@given(members(), st.randoms(use_true_random=False))
def test_the_order_in_which_sessions_are_found_makes_no_difference(
    sessions: list[Member], random: object
) -> None:
    here = sessions[0]
    shuffled = list(sessions)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = family_of(sessions, here), family_of(shuffled, here)
    assert one.branches == other.branches
    assert one.here == other.here
