"""Lines and payloads as the owner writes them, to the byte; and its redaction on hostile texts."""

import pytest

from inspector.formats.zero.event import Event
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.lines import Written
from inspector.formats.zero.planning.previews import preview
from inspector.formats.zero.planning.redaction import our_redaction, owners_redaction
from tests.text.test_redaction import PIECES


@pytest.mark.parametrize(
    ("written", "anew"),
    [
        (b'{"a":1}', b'{"a":1}'),
        (b'{ "a" : [ 1 ,\t2 ] }', b'{"a":[1,2]}'),
        (b'{"a":"x  y"}', b'{"a":"x  y"}'),
        (b'{"a":"<b>&"}', b'{"a":"\\u003cb\\u003e\\u0026"}'),
        (b'{"a":"\\u003c"}', b'{"a":"\\u003c"}'),
        ('{"a":"\u2028\u2029é"}'.encode(), '{"a":"\\u2028\\u2029é"}'.encode()),
        (b'{"a":1.50,"b":1e400}', b'{"a":1.50,"b":1e400}'),
        (b'{ "a":"\xff\\" , \\\\" }', b'{"a":"\xff\\" , \\\\"}'),
        (b'{"a":1, "a":2}', b'{"a":1,"a":2}'),
        (b" null ", b"null"),
    ],
)
def test_a_payload_is_written_anew_without_space_and_with_some_escapes(
    written: bytes, anew: bytes
) -> None:
    assert lines.compact(written) == anew


def test_a_text_is_escaped_as_the_owner_does() -> None:
    said = '"\\\n\r\t\b\f\x00\x1f<>&\u2028é\ud800'
    assert lines.string(said) == (
        '"\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f\\u003c\\u003e\\u0026\\u2028é\\ufffd"'
    )


def test_a_line_is_laid_out_as_the_owners() -> None:
    assert lines.event_line("s", 4, "message", "t", b"{}") == (
        b'{"id":"s:4","sessionId":"s","sequence":4,"type":"message","createdAt":"t","payload":{}}\n'
    )
    assert lines.event_line("", 0, "", "", None, own="").endswith(b'"createdAt":""}\n')


@pytest.mark.parametrize(
    ("line", "payload"),
    [
        (b'{"id":"s:1","sessionId":"s","sequence":1,"type":"","createdAt":"","payload":{}}', b"{}"),
        (b'{"id":"s:1","sessionId":"s","sequence":1,"type":"","createdAt":""}', None),
        (b' {"payload" : [1, {"payload":2}] , "id":"s:1"}', b'[1, {"payload":2}]'),
        (b'{"payload":1,"PAYLOAD":"x"}', b'"x"'),
        (b'{"payload":1,"payload":null}', b"null"),
        (b'{"pay\\u006coad":true}', b"true"),
        (b'{"a":{"payload":1}}', None),
    ],
)  # fmt: skip
def test_the_payload_of_a_line_is_the_text_that_stands_there(
    line: bytes, payload: bytes | None
) -> None:
    found = lines.plain(line) or lines.careful(line, Event())
    assert found.payload == payload


@pytest.mark.parametrize(
    ("kind", "payload", "shown"),
    [
        ("message", b'{"a" :  1,\n"password":"x"}', b'{"a" : 1, "password":"[REDACTED]"}'),
        ("message", None, b"{}"),
        ("tool_call", None, b"{}"),
        ("tool_call", b"null", b'{"payload":"redacted"}'),
        ("tool_call", b"[1]", b"[1]"),
        ("tool_call", b'{"arguments":"x"}', b'{"payload":"redacted"}'),
        ("tool_result", b'{"status":"ok","name":12345678901234567890}',
         b'{"name":12345678901234567000,"status":"ok"}'),
        ("tool_result", b'{"name":1e400,"output":"o"}', b'{"name":1e400,"output":"o"}'),
        ("tool_call", b'{"name":[1.5,-0.0,1e-7,1e21,true,null,{"b":1,"a":"<"}]}',
         b'{"name":[1.5,-0,1e-7,1e+21,true,null,{"a":"\\u003c","b":1}]}'),
        ("permission", b'{"risk":{"level":"low"},"action":"allow","args":1}',
         b'{"action":"allow","riskLevel":"low"}'),
        ("permission_request", b"null", b"{}"),
        ("message", b'"' + "é".encode() * 200 + b'"', b'"' + "é".encode() * 119 + b"..."),
        ("tool_call", b'{"name":' + b"[" * 9_000 + b"]" * 9_000 + b"}",
         b'{"name":' + b"[" * 232 + b"..."),
    ],
)  # fmt: skip
def test_a_payload_is_shaped_by_its_type(kind: str, payload: bytes | None, shown: bytes) -> None:
    assert preview(kind, payload, owners_redaction) == shown


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("https://user:pass@h/p?q#f", "https://user:%5BREDACTED%5D@h/p?q#f"),
        ('https://u:p@h/a"b', "https://u:%5BREDACTED%5D@h/a%22b"),
        ("https://u:p@h}/", "https://u:p@h}/"),
        ("https://u:p@h:x/", "https://u:p@h:x/"),
        ("https://u:p%zz@h/", "https://u:p%zz@h/"),
        ("https://u@h/ ftp://a:b@c", "https://u@h/ ftp://a:%5BREDACTED%5D@c"),
        ('password="" x', "password=[REDACTED] x"),
        ("a=b password=c", "a=b password=[REDACTED]"),
        ("-----BEGIN PRIVATE KEY----- a", "-----BEGIN PRIVATE KEY----- a"),
        ('"password":"a\\\nb"', '"password":"a\\\nb"'),
        (r'\"password":"x"', r'\"password":"[REDACTED]"'),
        ("?a=b?token=c", "?a=b?token=c"),
        ("eyJaaaaaaaaaa.bbbbbbbbbb.c eyJaaaaaaaaaa.bbbbbbbbbb.cccccccccc",
         "eyJaaaaaaaaaa.bbbbbbbbbb.c [REDACTED]"),
    ],
)  # fmt: skip
def test_the_owner_hides_this_and_no_more(said: str, hidden: str) -> None:
    assert owners_redaction(said) == hidden


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        (r'{"content":"password=\"a b c d\"","role":"user"}',
         r'{"content":"password=\"[REDACTED]\"","role":"user"}'),
        (r'{"content":"password=\"multi\nline zz2\""}', r'{"content":"password=\"[REDACTED]\""}'),
        (r'{"content":"PASSWORD\t=\tx1"}', r'{"content":"PASSWORD\t=\t[REDACTED]"}'),
        ('{"content":"token=abc","role":"user"}', '{"content":"token=[REDACTED]","role":"user"}'),
        ('{"c":"cookie: a=b","role":"user"}', '{"c":"cookie: [REDACTED]","role":"user"}'),
        ('{"content":"secret = None","role":"user"}', '{"content":"secret = None","role":"user"}'),
        ('{"n" :  1.50,\n"c":"\\u003c"}', '{"n" : 1.50, "c":"\\u003c"}'),
        ('{"c":"<b> pwd=x"}', r'{"c":"\u003cb\u003e pwd=[REDACTED]"}'),
    ],
)  # fmt: skip
def test_our_redaction_hides_values_before_they_are_text_of_json(payload: str, shown: str) -> None:
    assert preview("message", payload.encode(), our_redaction).decode() == shown


@pytest.mark.parametrize("piece", PIECES)
def test_the_owners_rules_come_to_an_end(piece: str) -> None:
    # Work by the square would take minutes.
    assert isinstance(owners_redaction(piece * (60_000 // len(piece))), str)


def test_a_line_in_another_order_of_members_is_read_as_one_in_the_owners() -> None:
    body = b'"payload":{"a":1,"a":2}}'
    head = b'{"createdAt":"t","id":"s:1","sequence":1,"sessionId":"s","type":"message",'
    assert lines.plain(head + body) == Written("message", "t", b'{"a":1,"a":2}')


@pytest.mark.parametrize(
    "line",
    [
        # A key twice, one that is not the owner's, one that is missing, another type, no JSON.
        b'{"id":"s:1","sequence":1,"type":"a","type":"b","createdAt":"t","payload":{}}',
        b'{"id":"s:1","sequence":1,"kind":"a","createdAt":"t","sessionId":"s","payload":{}}',
        b'{"id":"s:1","sequence":1,"type":"a","createdAt":"t","payload":{}}',
        b'{"id":"s:1","sequence":"1","type":"a","createdAt":"t","sessionId":"","payload":{}}',
        b'{"id":"s:1","sequence":1.5,"type":"a","createdAt":"t","sessionId":"s","payload":{}}',
        b'{"id":"s:1","sequence":1,"type":"a","createdAt":"t","sessionId":"s","payload":{},"x":1}',
        b'{"id":"s:1","sequence":1,"type":"\\u0061","createdAt":"t","sessionId":"s","payload":{}}',
        b'{"id":"s:1","sequence":1,"type":"a","createdAt":"t","sessionId":"s","payload":{}',
    ],
)
def test_a_line_with_something_odd_in_it_is_read_with_care(line: bytes) -> None:
    assert lines.plain(line) is None
