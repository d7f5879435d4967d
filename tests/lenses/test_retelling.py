"""How much of a message a summary tells again."""

import pytest

from inspector.lenses.retelling import Launch, extracted, launch_in

MESSAGE = "Please make the login tests stable, and never touch vendor/."


@pytest.mark.parametrize(
    ("summary", "status"),
    [
        (f"The user said: {MESSAGE}", Launch.QUOTED),
        ("please make the LOGIN tests\nstable and never touch vendor", Launch.QUOTED),
        ("The login tests should be stable.", Launch.PARAPHRASED),
        ("We looked at the weather in Oslo.", Launch.ABSENT),
        ("", Launch.ABSENT),
    ],
)
def test_what_became_of_the_launching_message(summary: str, status: Launch) -> None:
    assert launch_in(MESSAGE, summary) is status


def test_a_script_without_spaces_is_compared_in_pairs() -> None:
    assert launch_in("请修复登录测试", "用户要求：请修复登录测试。") is Launch.QUOTED
    assert launch_in("请修复登录测试", "登录测试已经修复") is Launch.PARAPHRASED
    assert launch_in("请修复登录测试", "天气很好") is Launch.ABSENT


def test_a_message_without_words_is_nowhere() -> None:
    assert launch_in("!!!", "anything") is Launch.ABSENT


SAID = ["I will look at the client first.", "The port is 8080 and the host is local."]


@pytest.mark.parametrize(
    ("summary", "least", "most"),
    [
        ("user: I will look at the client first.\n- The port is 8080 and the host", 1.0, 1.0),
        ("The client was looked at; its port had to be changed.", 0.0, 0.0),
        ("I will look at the client first.\nThen everything was changed by hand.", 0.3, 0.6),
        ("short\nlines", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_how_much_is_put_together_of_what_was_said(summary: str, least: float, most: float) -> None:
    assert least <= extracted(summary, SAID) <= most
