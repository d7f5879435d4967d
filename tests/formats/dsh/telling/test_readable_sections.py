from typing import Any

import pytest

from inspector.formats.dsh.telling.sections import sections
from tests.dsh_tapes import text_block, user_data


@pytest.mark.parametrize(
    ("name", "data", "heading", "said"),
    [
        ("agent/inbox/spliced", {"inserted": [user_data("hi")]}, "", "hi"),
        ("goal/change", {"goal": {"objective": "Finish"}}, "objective", "Finish"),
        ("schedule/change", {"schedule": {"prompt": "ping"}}, "prompt", "ping"),
        ("team/message/queued", {"message": {"content": [text_block("go")]}}, "", "go"),
        ("team/task", {"task": {"description": "all of it"}}, "description", "all of it"),
        ("hook/result", {"stderrSummary": "blocked"}, "stderr", "blocked"),
        ("feedback/record", {"text": "good"}, "text", "good"),
        ("session/title-llm-request", {"system": "Name it."}, "system", "Name it."),
    ],
)
def test_what_a_person_reads_stands_before_the_whole(
    name: str, data: dict[str, Any], heading: str, said: str
) -> None:
    first, *_, whole = sections({"data": data}, name)
    assert (first.heading, first.text, first.tone) == (heading, said, "plain")
    assert (whole.heading, whole.tone) == ("", "code")
    assert said in whole.text


@pytest.mark.parametrize(("failed", "tone"), [(False, "plain"), (True, "error")])
def test_a_sub_result_shows_its_call_and_its_answer(failed: bool, tone: str) -> None:
    data = {"name": "bash", "arguments": {"command": "ls"}, "isError": failed}
    call, answer = sections(
        {"data": data | {"content": [text_block("a.txt")]}}, "tool/code-dispatch"
    )
    assert (call.heading, call.text) == ("call bash", '{\n  "command": "ls"\n}')
    assert (answer.text, answer.tone) == ("a.txt", tone)


def test_the_system_prompt_of_a_later_version_is_read_as_text() -> None:
    data = {"message": {"content": [text_block("You are.")]}}
    (section,) = sections({"data": data}, "system/message")
    assert (section.text, section.tone) == ("You are.", "plain")
