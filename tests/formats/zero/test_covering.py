"""Compactions one after the other: what they cover again, and how much that may cost."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.zero import surface as zero_surface
from inspector.formats.zero.compaction import Compaction
from inspector.formats.zero.ids import Ids
from inspector.formats.zero.rehydration import coverage
from inspector.formats.zero.request import rehydrated
from inspector.formats.zero.surface import Surface
from inspector.timeline.words import Visibility
from tests.formats.zero import owner
from tests.formats.zero.sessions import Json, event, messages, session, surface, written
from tests.formats.zero.test_laws import LAW, opened

RULES = ({"through": 3}, {"through": 9}, {"ids": ("s:1", "odd", "s:4")}, {"ids": ("s:2", "s:3")})


def compaction(number: int, ids: tuple[str, ...] = (), through: int = 0, **more: Any) -> Json:
    payload: Json = {"summary": "short"}
    if ids:
        payload["compactableEvents"] = [{"id": identity} for identity in ids]
    if through:
        payload["compactedThroughSequence"] = through
    return event(number, "session_compaction", payload, **more)


def message(number: int, **more: Any) -> Json:
    return event(number, "message", {"role": "user", "content": "word"}, **more)


@st.composite
def steady(draw: st.DrawFn) -> list[Json]:
    """Numbers and ids that come again and again, and compactions by few rules."""
    throw = draw(st.randoms(use_true_random=True))
    rules = throw.sample(RULES, throw.choice([1, 1, 2]))
    found: list[Json] = []
    for at in range(throw.randrange(2, 40)):
        number = throw.choice([0, 1, 2, 3, 4, at, at + 100])
        if throw.random() < 0.3:
            made = compaction(number, **throw.choice(rules))  # type: ignore[arg-type] # as told
        elif throw.random() < 0.2:
            made = event(number, "session_checkpoint", {})
        else:
            made = message(number)
        made["id"] = throw.choice([made["id"], f"c:{at}", f"c:{at}", throw.choice(["odd", "s:1"])])
        found.append(made)
    return found


@LAW
@given(steady())
def test_what_is_covered_again_is_what_the_owner_leaves_out(events: list[Json]) -> None:
    with opened(written(events)) as tape:
        for cursor in range(len(events) + 1):
            assert surface(tape, cursor) == owner.surface(events[:cursor], "exec")
            order = [at for part in rehydrated(tape, cursor) for at in part]
            assert order == owner.rehydrated(events[:cursor], "exec")


@LAW
@given(steady())
def test_a_summary_names_all_that_it_covers(events: list[Json]) -> None:
    with opened(written(events)) as tape:
        numbering, nodes = tape.decoder.numbering, tape.timeline.surface.nodes
        for at, one in enumerate(events):
            if one["type"] != "session_compaction":
                continue
            payload = one["payload"]
            ids = [ref["id"] for ref in payload.get("compactableEvents", ())]
            through = 0 if ids else payload["compactedThroughSequence"]
            same = numbering.of(Ids((one["id"],)), at)
            what = Compaction(tuple(ids), through)
            covered = coverage(numbering, Ids(ids), same, what, at).covered
            node = nodes.of_event(at)
            assert node is not None
            assert nodes.sources(node) == [event for part in covered for event in part]


def looked(events: list[Json]) -> int:
    with opened(written(events)) as tape:
        assert "compaction-not-followed" not in {one.kind.code for one in tape.findings()}
        return tape.decoder.numbering.looked


def test_covering_the_same_again_costs_what_is_new() -> None:
    def made(events: int) -> list[Json]:
        """Lines without a number, and compactions that cover every one of them."""
        return [
            compaction(at, through=5, id=f"c:{at}") if at % 5 == 0 else message(0, id="")
            for at in range(10, 10 + events)
        ]

    assert looked(made(1_600)) <= 6 * looked(made(400))


# What cannot be followed.


def alternating(events: int) -> list[Json]:
    """Numbers that are low and high in turn, and cutoffs that cover the low ones and all."""
    return [
        compaction(9_000 + at, through=(8_000, 1_999)[at // 10 % 2])
        if at % 10 == 9
        else message(at if at % 2 else 2_000 + at)
        for at in range(1, events)
    ]


def test_more_than_can_be_followed_is_told_and_the_fold_before_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = alternating(200)
    monkeypatch.setattr(zero_surface, "_PIECES", 40)
    tape = session(written(events), tmp_path)
    reliable = tape.timeline.doubtful_from
    assert 20 < reliable < 199
    for cursor in range(reliable + 1):
        assert surface(tape, cursor) == owner.surface(events[:cursor], "exec")
    assert tape.timeline.visibility(reliable, 199) == (Visibility.NOT_APPLIED, None)
    told = messages(tape, "compaction-not-followed")
    assert told[0].endswith("too much came and went with those before it")
    assert len(tape.timeline.rejected) == len(told)
    assert tape.verdict().opens is True
    # What comes behind is folded on, with the compaction that counts.
    assert tape.timeline.visibility(197, 199)[0] is Visibility.VISIBLE


def test_the_limit_grows_with_the_log_and_no_faster(tmp_path: Path) -> None:
    pieces: list[int] = []
    first = Surface._bring_back

    def counted(self: Surface, returning: list[range], place: int, node: int | None) -> None:
        pieces.append(len(returning))
        first(self, returning, place, node)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zero_surface, "_PIECES", 100)
        patch.setattr(Surface, "_bring_back", counted)
        events = [
            compaction(9_000 + at, through=1 + at * 7_919 % 1_999)
            if at % 4 == 0
            else message(1 + at * 6_421 % 1_999, id="")
            for at in range(1_200)
        ]
        session(written(events), tmp_path)
    assert 100 < sum(pieces) < 100 + 1_200 + 4 * 300 + 1_200
