"""Methods by name on the command line."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

from commands import cli
from dupgroups.content.extract import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES
from stories import running_text


def run(*words: object) -> str:
    return cli(*words).output


def test_the_list_names_every_method_and_one_is_explained_with_its_source() -> None:
    listed = run("methods")
    assert {name for name in (*EXTRACTORS, *SIGNERS, *JUDGES) if f"  {name}" not in listed} == set()
    assert "SIGIR 2008" in run("methods", "spotsigs")
    (minhash,) = json.loads(run("methods", "minhash", "--json"))
    assert (minhash["kind"], minhash["judges"][0]) == ("signer", "resemblance")
    assert minhash["parameters"] == {field.name: field.default for field in fields(SIGNERS["minhash"])}


def test_a_parameter_by_name_decides_the_verdict(tmp_path: Path) -> None:
    one, two = tmp_path / "1.txt", tmp_path / "2.txt"
    one.write_text(running_text("a"))
    two.write_text(f"{running_text('a')}\n{running_text('b')}")
    strict = run("compare", str(one), str(two), "--judge", "resemblance threshold=0.9")
    assert strict.startswith("contained")
    assert run("compare", str(one), str(two)).startswith("duplicate")
