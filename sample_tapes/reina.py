"""Reina: a session with one of everything that its owner writes, and one of two meanings."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_ORDERS: Final = "ses_motrojk0_h4vz"
_TWICE: Final = "ses_mov74e80_p8ke"
_BEGIN: Final = datetime(2026, 5, 6, 8, 0, 0, tzinfo=UTC)
_MODEL: Final = "deepseek-chat"

Json = dict[str, Any]


def reina() -> dict[str, bytes]:
    """Two logs, by the paths of their files."""
    return {
        f"reina/{_ORDERS}.jsonl": _orders().done(),
        f"reina/{_TWICE}.jsonl": _twice().done(),
    }


class Session:
    """A log as the owner writes it: compact lines, each with the time at which it was appended."""

    def __init__(self, session: str, begin: datetime, model: Any) -> None:
        self._lines: list[str] = []
        self._time = begin
        meta = {"id": session, "model": model, "createdAt": _stamp(begin)}
        self.record("session_meta", 0, meta=meta)

    def record(self, kind: str, seconds: float = 1, **more: Any) -> None:
        """Append a record, some seconds after the one before."""
        self._time += timedelta(seconds=seconds)
        value = {"ts": _stamp(self._time), "type": kind, **more}
        self._lines.append(json.dumps(value, separators=(",", ":"), ensure_ascii=False))

    def message(self, role: str, content: str | None, seconds: float = 2, **more: Any) -> None:
        """A message."""
        self.record("message", seconds, message={"role": role, "content": content, **more})

    def call(self, *calls: tuple[str, str, Any], said: str | None = None) -> None:
        """A message that makes calls: id, tool and arguments of each."""
        made = [
            {"id": one, "type": "function", "function": {"name": name, "arguments": _text(given)}}
            for one, name, given in calls
        ]
        self.message("assistant", said, 4, tool_calls=made)

    def status(self, call: str, name: str, status: str, **more: Any) -> None:
        """How far a call came."""
        self.record("tool_call", record={"id": call, "name": name, **more, "status": status})

    def result(self, call: str, content: str) -> None:
        """What a tool answered."""
        self.message("tool", content, 0.01, tool_call_id=call)

    def use(
        self, call: str, name: str, output: str, status: str = "completed", **given: Any
    ) -> None:
        """A call, how it ended, and its result."""
        self.call((call, name, given))
        self.status(call, name, status, input=given)
        self.result(call, output)

    def usage(self, prompt: int, cached: int, output: int) -> None:
        """What the provider reported of a request."""
        told = {
            "prompt_tokens": prompt,
            "completion_tokens": output,
            "total_tokens": prompt + output,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
        self.record("usage", 0.1, usage=told)

    def compacted(self, first: int, last: int, summary: str) -> None:
        """A summary stands for messages, the last one included."""
        told = {"fromIndex": first, "toIndex": last, "summary": summary}
        rest = {"originalLength": last - first + 1, "compressedAt": _stamp(self._time)}
        self.record("compacted", record={**told, **rest})

    def done(self) -> bytes:
        """The log."""
        return "".join(f"{line}\n" for line in self._lines).encode()


def _text(given: Any) -> str:
    if isinstance(given, str):
        return given
    return json.dumps(given, separators=(",", ":"), ensure_ascii=False)


def _stamp(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}Z"


def _orders() -> Session:
    log = Session(_ORDERS, _BEGIN, _MODEL)
    log.message("user", "订单导出的 CSV 在 Excel 里打开是乱码，修好它。", 30)
    log.use("call_1", "bash", "src/export.py\ntests/test_export.py", command="ls src tests")
    log.usage(1_480, 0, 36)
    todos = [
        {"content": "重现乱码", "status": "in_progress"},
        {"content": "修编码", "status": "pending"},
        {"content": "补测试", "status": "pending"},
    ]
    log.record("todos", todos=todos)
    log.use(
        "call_2",
        "read_file",
        "def export(rows, path):\n    with open(path, 'w') as file:\n        write(file, rows)",
        path="src/export.py",
    )
    log.usage(1_790, 1_400, 28)
    # The arguments were cut off while they were streamed.
    log.call(("call_3", "edit_file", '{"path":"src/export.py","old":"open(path, '))
    log.status("call_3", "edit_file", "failed", input={})
    log.result("call_3", "Error: bad JSON arguments")
    log.message(
        "user",
        "自动纠偏触发：连续 3 轮没有进展。请先说明卡在哪里，再换一种做法。",
    )
    log.call(
        (
            "call_4",
            "edit_file",
            {
                "path": "src/export.py",
                "old": "open(path, 'w')",
                "new": "open(path, 'w', utf_8_sig)",
            },
        ),
        said="参数被截断了，我改用更短的编辑。",
    )
    log.status("call_4", "edit_file", "pending_approval")
    log.status("call_4", "edit_file", "running")
    log.status("call_4", "edit_file", "completed", outputPath=".reina/tool_outputs/call_4.txt")
    log.result("call_4", "edited src/export.py")
    log.use("call_5", "bash", "E NameError: utf_8_sig", "failed", command="pytest -q")
    log.usage(2_610, 1_790, 64)
    log.message("assistant", "编码名要写成字符串。我来改。", 3)
    log.compacted(
        0, 9, "用户：订单 CSV 在 Excel 里乱码。已找到 src/export.py；一次编辑因参数截断失败。"
    )
    log.message("user", "继续，但不要碰数据库。", 60)
    log.call(
        (
            "call_6",
            "bash",
            {"command": "sed -i \"s/utf_8_sig/encoding='utf-8-sig'/\" src/export.py"},
        ),
        ("call_7", "bash", {"command": "psql -c 'update orders set note = null'"}),
    )
    log.status("call_6", "bash", "completed")
    log.status("call_7", "bash", "pending_approval")
    log.status("call_7", "bash", "rejected")
    log.result("call_6", "")
    log.result("call_7", "the person did not allow it")
    log.record(
        "config",
        5,
        config={"model": {"id": "deepseek-reasoner", "baseUrl": "https://example.invalid"}},
    )
    log.use("call_8", "bash", "3 passed", command="pytest -q")
    log.record("todos", todos=[{**one, "status": "completed"} for one in todos])
    log.message("assistant", "好了：导出现在用带 BOM 的 UTF-8，Excel 能正确打开，测试通过。", 5)
    log.usage(1_950, 0, 90)
    log.record("title_generated", title="CSV 乱码")
    log.message("user", "旧的导出脚本也要改吗？", 90)
    log.use(
        "call_9", "bash", "scripts/old_export.py:12: open(path, 'w')", command="rg -n open scripts"
    )
    log.message("assistant", "要改一处：scripts/old_export.py 第 12 行用的是同样的写法。", 4)
    log.usage(2_180, 1_950, 41)
    return log


def _twice() -> Session:
    log = Session(_TWICE, _BEGIN + timedelta(days=1), _MODEL)
    for number in range(1, 7):
        log.message("user", f"第 {number} 个问题", 20)
        log.message("assistant", f"第 {number} 个答案")
    log.compacted(0, 3, "前两个问题和答案")
    log.message("user", "第 7 个问题", 20)
    log.message("assistant", "第 7 个答案")
    # Of the messages as written those from the third question on, or what stood there by then.
    log.compacted(4, 7, "又两个问题和答案")
    log.compacted(2, 20, "这一段超出了末尾")
    log.message("user", "第 8 个问题", 20)
    return log
