from pathlib import Path

from inspector.export import annexes
from inspector.formats.contract import Annex

FINE = Annex("storage domain workspace version 2, not a session", ("1 workspace",), ())
FAULTY = Annex("storage domain x", (), (("malformed", "w1", "no title"), ("version", "", "old")))
PATH = Path("/somewhere/workspace.json")


def test_a_document_has_the_shape_of_a_check_of_a_tape() -> None:
    document = annexes.check(PATH, [FINE])
    assert document["tape"] is None
    assert document["verdict"] is None
    assert document["path"] == str(PATH)
    assert document["annexes"] == [{"what": FINE.what, "facts": ["1 workspace"]}]
    assert document["findings"] == []
    assert set(document["sums"].values()) == {0, None}


def test_a_fault_is_an_error_finding_with_its_place() -> None:
    findings = annexes.check(PATH, [FINE, FAULTY])["findings"]
    assert [(f["code"], f["severity"], f["row"], f["message"]) for f in findings] == [
        ("malformed", "error", "w1", "no title"),
        ("version", "error", None, "old"),
    ]


def test_the_text_says_what_it_is_what_it_says_and_what_is_wrong() -> None:
    assert list(annexes.text(annexes.check(PATH, [FINE]))) == [
        str(PATH),
        f"  {FINE.what}",
        "    1 workspace",
        "  nothing found",
    ]
    assert list(annexes.text(annexes.check(PATH, [FAULTY])))[2:] == [
        "  error: w1: no title",
        "    effect: none; the owner refuses it  [malformed]",
        "  error: old",
        "    effect: none; the owner refuses it  [version]",
    ]


def test_a_hostile_path_is_cleaned() -> None:
    first = next(annexes.text(annexes.check(Path("a\x1b]0;x\x07\nb"), [FINE])))
    assert not [c for c in first if ord(c) < 32]
