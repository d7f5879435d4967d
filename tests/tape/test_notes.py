from inspector.tape.notes import NOTES_KEPT, Notes


def test_notes_are_given_by_their_bytes() -> None:
    notes = Notes()
    notes.add("b", 7, "second")
    notes.add("a", 3, "first")
    assert notes.in_order() == [("a", 3, "first"), ("b", 7, "second")]


def test_the_last_note_counts_those_that_were_left_out() -> None:
    notes = Notes()
    for at in range(NOTES_KEPT):
        assert not notes.full
        notes.add("a", at, "kept")
    assert notes.full
    assert len(notes.in_order()) == NOTES_KEPT
    for code in "bcb":
        notes.add(code, 1234, "left out")
    assert notes.in_order()[-1] == ("more", 1234, "3 more: 2 b, 1 c")
    assert len(notes.in_order()) == NOTES_KEPT + 1
