"""A question before something is written: Enter cancels until the letter was typed."""

from inspector.ui.deeds.question import LOOK, WAIT, Asking, Question, Stage


def asking(agent: str = "") -> Asking:
    return Asking(Question("title", ("line",), "A", "apply", lambda _stopped: ["done"], agent))


def test_nothing_is_chosen_at_first() -> None:
    one = asking()
    assert one.stage is Stage.ASKED
    assert one.hint() == "type A, then Enter, to apply"


def test_the_letter_makes_it_ready_and_is_taken_back() -> None:
    one = asking()
    one.press("a")
    assert one.stage is Stage.ASKED
    one.press("A")
    assert one.stage is Stage.READY
    assert one.hint() == "Enter: apply"
    one.back()
    assert one.stage is Stage.ASKED


def test_where_an_agent_may_be_writing_that_is_said_first() -> None:
    one = asking("codex")
    assert one.hint() == "w says that codex is stopped"
    one.press("A")
    assert one.stage is Stage.ASKED
    one.press("w")
    assert one.stopped
    one.press("A")
    assert one.stage is Stage.READY
    one.press("w")
    assert (one.stopped, one.stage) == (False, Stage.ASKED)


def test_while_it_is_done_no_key_counts() -> None:
    one = asking()
    one.begin()
    one.press("A")
    assert one.stage is Stage.WORKING
    assert one.hint() == WAIT
    one.end(["made"], done=True)
    assert one.stage is Stage.DONE
    assert one.outcome == ("made",)


def test_what_is_looked_for_is_there_before_it_can_be_done() -> None:
    more = Asking(Question("title", ("line",), "Z", "undo", lambda _: [], more=lambda: ["better"]))
    assert more.looks
    more.press("Z")
    assert (more.stage, more.hint()) == (Stage.READY, LOOK)
    more.found(["better"])
    assert (more.looks, more.more, more.hint()) == (False, ("better",), "Enter: undo")
    assert not asking().looks
