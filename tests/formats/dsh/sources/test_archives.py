from inspector.formats.dsh.sources.archives import archive_media, archive_sessions

NAMES = [
    "subagents/a/session.jsonl",
    "session.jsonl",
    "subagents/b/session.jsonl",
    "media/sha256:00.png",
    "media/sha256:01.jpg",
]


def test_the_root_comes_first_and_subagents_bear_their_ids() -> None:
    assert [tuple(session) for session in archive_sessions(NAMES)] == [
        ("session.jsonl", None, True),
        ("subagents/a/session.jsonl", "a", False),
        ("subagents/b/session.jsonl", "b", False),
    ]


def test_media_are_counted() -> None:
    assert archive_media(NAMES) == 2


def test_a_name_given_twice_is_one_member() -> None:
    assert len(archive_sessions(NAMES * 2)) == 3
    assert archive_media(NAMES * 2) == 2


def test_other_members_are_neither() -> None:
    names = [
        "",
        "/session.jsonl",
        "x/session.jsonl",
        "session.jsonl/",
        "subagents//session.jsonl",
        "subagents/a/b/session.jsonl",
        "subagents/a/session.jsonl.zstd",
        "media/",
        "media/a/b.png",
        "..\\session.jsonl",
    ]
    assert archive_sessions(names) == []
    assert archive_media(names) == 0
