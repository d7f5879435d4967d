"""A log in which nobody says anything is called what it is."""

from pathlib import Path

import pytest

from tests.folding import fold_on
from tests.formats.codex import tapes
from tests.formats.codex.tapes import context, event, user

SUMS = {"input_tokens": 10, "output_tokens": 1, "total_tokens": 11}
COUNT = event("token_count", info={"last_token_usage": SUMS, "total_token_usage": SUMS})


@pytest.mark.parametrize(
    ("records", "reason"),
    [
        ([COUNT], "usage only: 1 token count, no conversation"),
        # A repeat is no request, but a count all the same.
        ([context("t"), *[COUNT] * 1_200], "usage only: 1,200 token counts, no conversation"),
        ([context("t")], "nothing of a conversation is in it, only 1 record beside one"),
        ([], "nothing of a conversation is in it"),
        ([COUNT, user("q")], None),
        (
            [COUNT, event("user_message", message="only told to the person")],
            "nothing of a conversation is in it, only 2 records beside one",
        ),
    ],
)
def test_what_a_log_without_a_conversation_holds(
    tmp_path: Path, records: list[tapes.Record], reason: str | None
) -> None:
    verdict = tapes.folded(tmp_path, *records).verdict()
    assert (verdict.opens, verdict.reason) == (True, reason)


def test_a_log_of_usage_that_the_owner_refuses_is_called_that_too(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    verdict = fold_on(tapes.over(path, tapes.text([COUNT, COUNT]))).verdict()
    assert verdict.opens is False
    assert verdict.reason == (
        "failed to read session metadata: there is no session_meta; "
        "usage only: 2 token counts, no conversation"
    )
