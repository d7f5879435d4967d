"""What makes a piece of a text an error: names, codes, signals, and words with a text behind them.

The words are those of programs and of people, in several languages.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_CODES: Final = (
    "E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY",
    "ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDQUOT EEXIST",
    "EFAULT EFBIG EHOSTDOWN EHOSTUNREACH EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP",
    "EMFILE EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODATA",
    "ENODEV ENOENT ENOEXEC ENOLCK ENOMEM ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND",
    "ENOTSOCK ENOTSUP ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT ERANGE",
    "EROFS ESHUTDOWN ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV EAUTH EBADENGINE",
    "EBADPLATFORM EINTEGRITY EJSONPARSE ELIFECYCLE ENEEDAUTH ENOLOCK EOTP ERESOLVE",
    "ESOCKETTIMEDOUT ETARGET EUSAGE EWORKSPACE",
)
_SIGNALS: Final = "SEGV ABRT KILL TERM INT BUS FPE ILL PIPE HUP QUIT TRAP SYS ALRM XCPU XFSZ"
_PHRASES: Final = (
    "permission denied",
    "access denied",
    "segmentation fault",
    "core dumped",
    "no such file or directory",
    "command not found",
    "connection refused",
    "connection reset by peer",
    "connection timed out",
    "broken pipe",
    "out of memory",
    "no space left on device",
    "operation not permitted",
    "address already in use",
    "cannot find module",
    "undefined reference",
)
_WORDS: Final = (
    "error fatal panic exception failure err! fehler erreur errore erro fout błąd chyba hata virhe",
    "ошибка помилка σφάλμα خطأ שגיאה त्रुटि lỗi",
)
_UNSPACED: Final = "エラー|例外|異常|错误|錯誤|异常|失敗|失败|오류|에러|ข้อผิดพลาด"
_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"


def _any(lines: tuple[str, ...] | str) -> str:
    words = " ".join(lines) if isinstance(lines, tuple) else lines
    return "|".join(map(re.escape, words.split()))


_TEXT: Final = r"[^\n;。，；]{3,100}"

_NAMED: Final = r"(?a:\b[A-Z]\w{0,60}(?:Error|Exception|Failure|Fault)\b)(?::\s?[^\n;.]{1,80})?"
"""The name of an error, perhaps with its text."""

_SAID: Final = (
    rf"(?<![\w\"'.-])(?i:{_any(_WORDS)})(?:\[\w{{1,12}}\])?\s?[:：]\s{{0,3}}{_TEXT}"
    rf"|[{_CJK}]{{0,8}}(?:{_UNSPACED})\s?[:：]\s{{0,3}}{_TEXT}"
)
"""A word for an error, in any language, with the text behind it."""

_CODED: Final = (
    r"\b(?i:errno|error(?:\scode)?|err(?:or)?code|fehler(?:code)?|erreur|ошибка)[ :=#]{1,3}"
    r"-?(?!0\b)\d{1,6}\b(?![.,:/]\d)"
    rf"|[{_CJK}]{{0,8}}(?:エラーコード|エラー|错误码|错误代码|错误|錯誤)[ :：]{{0,2}}\d{{1,6}}\b"
    r"|\b(?i:exit(?:ed)?(?:\swith)?(?:\s(?:code|status))?)[ :=]{1,2}-?(?!0\b)\d{1,6}\b(?![.,:/]\d)"
    r"|\b(?i:https?|status(?:[ _]?code)?|code|код)[ :=]{1,2}[45]\d\d\b(?![.,:/%]?\d)"
    r"|\[Errno -?\d{1,5}\]"
    rf"|\b(?:{_any(_CODES)}|EAI_[A-Z]{{3,12}}|ERR_[A-Z][A-Z_]{{3,40}})\b"
    rf"|\bSIG(?:{_any(_SIGNALS)})\b"
    r"|\b(?:E\d{3,4}|(?:TS|CS|SQLSTATE|ORA-|PGRST)-?\d{3,5})\b"
    rf"|\b(?i:{'|'.join(_PHRASES)})\b"
)
"""What is an error whatever stands around it."""

_ERRORS: Final = re.compile(f"(?P<named>{_NAMED})|(?P<coded>{_CODED})|(?P<said>{_SAID})")

_HINTS: Final = (
    *("err", "exception", "failure", "segmentation", "fatal", "panic", "fehler", "fout", "chyba"),
    *("hata", "virhe", "exit", "status", "http", "code", "denied", "dumped", "no such file"),
    *("command not", "connection re", "connection timed", "broken pipe", "out of memory"),
    *("no space", "not permitted", "already in use", "cannot find", "undefined ref"),
)
"""In lower case: a line of ASCII without any of these, or of the codes, is no error."""

_HINTS_OF_CODES: Final = re.compile(
    r"\b(?:E[A-Z0-9]{3}|SIG[A-Z]|TS|CS|SQLSTATE|ORA-|PGRST)|Fault\b"
)


class Error(NamedTuple):
    """An error as it is written, and where it stands in its text."""

    text: str
    at: int


def errors(text: str) -> Iterator[Error]:
    """The errors that a text tells, in order; names of errors alone are none."""
    for start, stop in _lines(text):
        for found in _ERRORS.finditer(text, start, stop):
            said = found[0]
            if found.lastgroup == "said" and not _is_sentence(said):
                continue
            if found.lastgroup == "named" and not _says_more(text, found):
                continue
            yield Error(said.strip().rstrip(".,;:!?"), found.start())


def _lines(text: str) -> list[tuple[int, int]]:
    """Where the lines begin and end that may tell an error."""
    low = text.lower()
    if not text.isascii():
        return [(found.start(), found.end()) for found in _LINES.finditer(text)]
    found: set[tuple[int, int]] = set()
    for hint in _HINTS:
        at = low.find(hint)
        while at >= 0:
            at = _add_line(text, at, found)
            at = low.find(hint, at)
    code = _HINTS_OF_CODES.search(text)
    while code is not None:
        code = _HINTS_OF_CODES.search(text, _add_line(text, code.start(), found))
    return sorted(found)


_LINES: Final = re.compile(r"[^\n]+")


def _add_line(text: str, at: int, found: set[tuple[int, int]]) -> int:
    """Keep the line that a place is in; where it ends."""
    start, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    stop = len(text) if stop < 0 else stop
    found.add((start, stop))
    return stop


_IN_CODE: Final = re.compile(
    r"\b(?:except|raises?|throws?|catch|new|class|import|instanceof|isinstance)\b[^:\n]*$"
)
_CODE: Final = re.compile(r"[={}|]|->|=>|\bNone\b")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")

_LINE: Final = 160
"""Characters before an error that may say that it is code."""


def _says_more(text: str, named: re.Match[str]) -> bool:
    """Whether something is told of an error but its name, and not by code."""
    if not named[0].partition(":")[2].strip():
        return False
    at = named.start()
    start = max(0, at - _LINE)
    line = text[max(text.rfind("\n", start, at), start) : at]
    return _IN_CODE.search(line) is None


def _is_sentence(said: str) -> bool:
    """Whether a word for an error has a sentence behind it, and no code."""
    _, _, rest = said.replace("：", ":").partition(":")
    if _CODE.search(rest):
        return False
    words = _WORD.findall(rest)
    return len(words) > 1 or any(not word.isascii() and len(word) > 2 for word in words)


def message(said: str) -> str:
    """What stands behind the name of an error or a word for one; empty if nothing does."""
    return said.replace("：", ":").partition(":")[2].strip()


def is_a_word(said: str) -> bool:
    """Whether an error begins with a word that any error may begin with."""
    return re.match(rf"(?i:{_any(_WORDS)})(?:\[|\s?[:：])", said) is not None or (
        re.match(rf"[{_CJK}]{{0,8}}(?:{_UNSPACED})\s?[:：]", said) is not None
    )
