"""`dup-groups methods`: what it tells of the methods."""

from __future__ import annotations

import json
from dataclasses import fields

from commands import cli
from dupgroups.content.extract import EXTRACTORS
from dupgroups.methods.signatures import SIGNERS
from dupgroups.methods.verdicts import JUDGES


def test_the_list_names_every_method_and_one_is_explained_with_its_source() -> None:
    listed = cli("methods").stdout
    assert {name for name in (*EXTRACTORS, *SIGNERS, *JUDGES) if f"  {name}" not in listed} == set()
    assert "SIGIR 2008" in cli("methods", "spotsigs").stdout
    (minhash,) = json.loads(cli("methods", "minhash", "--json").stdout)
    assert (minhash["kind"], minhash["judges"][0]) == ("signer", "resemblance")
    assert minhash["parameters"] == {field.name: field.default for field in fields(SIGNERS["minhash"])}
