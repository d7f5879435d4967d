"""Many findings of one code are told one by one up to a number, the others by their number."""

from pathlib import Path

from inspector.export import documents, text
from tests.formats.pi.sessions import folded, user


def test_findings_of_a_code_beyond_two_hundred_are_counted(tmp_path: Path) -> None:
    tape = folded(tmp_path, *(user(f"e{at}", f"nobody{at}") for at in range(1_250)))
    document = documents.check(tape)
    lines = list(text.check(document))
    assert len(document["findings"]) == 1_250
    assert sum("is its parent" in line for line in lines) == 200
    (rest,) = [line for line in lines if " more of " in line]
    assert rest.strip() == (
        f"warning: and 1,050 more of missing-parent, the last at line 1,251, "
        f"byte {document['findings'][-1]['byte']:,}, event 1,249"
    )
