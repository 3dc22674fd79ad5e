"""The report of `make mutants`."""

from __future__ import annotations

from pathlib import Path

from mutation.results import Accepted, Mutant, _line, report, toml

DIFF = ("-    return a < b", "+    return a <= b")


def test_survivors_count_against_the_share_unless_they_are_accepted() -> None:
    all_mutants = [
        Mutant("f.py", 0, "killed"),
        Mutant("f.py", 3, "survived", DIFF),
        Mutant("f.py", 9, "untested", DIFF),
    ]
    share, text = report(all_mutants[:2], [])
    assert share == 0.5
    assert "| f.py | 1 | 0 | 1 | 0 |" in text
    assert "f.py:3 survived\n    -    return a < b\n    +    return a <= b" in text
    accepted = [Accepted("f.py", "return a < b", "return a <= b", "never equal")]
    assert report(all_mutants[:2], accepted)[0] == 1
    assert "f.py:3 accepted: never equal" in report(all_mutants[:2], accepted)[1]
    assert (
        report(all_mutants[:2], [Accepted("g.py", "return a < b", "return a <= b", "another file")])[0] == 0.5
    )
    assert report([all_mutants[0], all_mutants[2]], [])[0] == 0.5
    assert report([], [])[0] == 1


def test_the_line_is_where_the_whole_context_stands(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(
        "def f():\n    return a < b\n\n\nclass C:\n    def g():\n        return a < b\n"
    )
    assert _line(tmp_path / "f.py", (" def g():", *DIFF)) == 7
    assert _line(tmp_path / "f.py", (" def h():", *DIFF)) == 0


def test_every_accepted_survivor_has_its_reason_and_its_line_still_stands() -> None:
    here = Path(__file__).parent
    for row in toml(here / "accepted.toml")["accepted"]:
        accepted = Accepted(**row)
        source = (here.parents[1] / "pipelines" / accepted.file).read_text(encoding="utf-8")
        assert accepted.reason
        assert all(line in source for line in accepted.old.splitlines()), accepted
