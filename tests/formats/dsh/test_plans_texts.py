"""The lines of events as the owner writes them."""

from inspector.formats.dsh.planning.texts import event_line


def test_an_event_is_one_line_in_the_owners_order() -> None:
    line = event_line("turn/end", 7, -1, b'{"turn":1}', surfaceOp=b'"append"')
    assert line == b'{"type":"turn/end","seq":7,"time":-1,"data":{"turn":1},"surfaceOp":"append"}\n'
