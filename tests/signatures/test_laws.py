"""Laws that every signer and every judge keeps, whatever its method."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupgroups.errors import ConfigError
from dupgroups.model import Content, Record, Signature, Verdict
from dupgroups.signatures import SIGNERS, Signer
from dupgroups.signatures.base import sign_all
from dupgroups.verdicts import JUDGES, Judge
from stories import reprint, running_chinese, running_text, story

PAIRS = [
    ("cosine", "cosine"),
    ("fingerprint", "fingerprints"),
    ("henzinger", "henzinger"),
    ("imatch", "fingerprints"),
    ("minhash", "resemblance"),
    ("period_string", "overlap_factors"),
    ("shingling", "jaccard"),
    ("simhash", "hamming"),
    ("spotsigs", "jaccard"),
    ("weighted_phrases", "weighted_jaccard"),
]
BRITTLE = {"fingerprint", "henzinger", "imatch", "simhash"}  # a line more or less can be too much for these
OPPOSITE = {"contains": "contained", "contained": "contains"}
TEXTS = [
    "",
    "Too short.",
    *(reprint(story("en"), copy) for copy in range(3)),
    story("other"),
    *(reprint(running_chinese("zh"), copy) for copy in range(3)),
    running_chinese("anders"),
    "\n".join(running_chinese("zh").split("\n")[:2]),
]
GOLDEN = {
    "cosine": "7105805097a18d6d",
    "fingerprint": "20182e0eafe89f3e",
    "henzinger": "519434b08ac2cc8c",
    "imatch": "0c4fb46fbfb78dbe",
    "minhash": "e94191665fe42611",
    "period_string": "16bd838e8ceb41a3",
    "shingling": "fa432229bee7543e",
    "simhash": "9ba53384e6eeca77",
    "spotsigs": "6216ebbe9e93434b",
    "weighted_phrases": "e8853f7a11370ab4",
}
NEWS = (
    "The harbour authority closed both ferry terminals on Tuesday evening after a storm damaged the pier, "
    "and officials warned that repairs could take weeks. Passengers were moved to buses, while the city "
    "council met to discuss compensation for businesses, hotels and fishermen who had lost boats."
)
RUN = """
import json, sys
from dupgroups.model import Content
from dupgroups.signatures import SIGNERS
texts = json.load(sys.stdin)
made = [SIGNERS[name]()(Content(text)) for name in sorted(SIGNERS) for text in texts]
print(json.dumps([[each.scheme, each.keys, each.body.hex()] for each in made]))
"""

texts = st.one_of(
    st.text(max_size=300),
    st.text(alphabet="中文字。的了 我你他\n", max_size=300),
    st.lists(st.sampled_from(["the", "12", "rain", "fell.", "in", "Ashvale", "7"]), max_size=120).map(
        " ".join
    ),
)


def record(name: str, signature: Signature, host: str = "") -> Record:
    return Record(name, name, host, signature)


def test_every_row_of_the_tables_is_tried_here() -> None:
    assert {signer for signer, _ in PAIRS} == set(SIGNERS)
    assert {judge for _, judge in PAIRS} == set(JUDGES)


@pytest.fixture(params=PAIRS, ids=lambda pair: "+".join(pair))
def method(request: pytest.FixtureRequest) -> tuple[Signer, Judge]:
    signer, judge = request.param
    return SIGNERS[signer](), JUDGES[judge]()


def check(judge: Judge, a: Record, b: Record) -> Verdict:
    """The laws for two records; gives how `a` stands to `b`."""
    verdict, back = judge(a, b), judge(b, a)
    assert 0.0 <= verdict.score <= 1.0
    assert verdict.score == back.score
    assert back.relation == OPPOSITE.get(verdict.relation, verdict.relation)
    assert verdict.reason.endswith(".")
    too_short = not (a.signature and b.signature)
    assert (verdict.relation == "too_short") is too_short
    return verdict


@given(one=texts, two=texts)
@pytest.mark.parametrize("names", PAIRS, ids="+".join)
def test_any_two_texts_keep_the_laws(names: tuple[str, str], one: str, two: str) -> None:
    signer, judge = SIGNERS[names[0]](), JUDGES[names[1]]()
    first, second = signer(Content(one)), signer(Content(two))
    assert first == signer(Content(one))
    assert len(first.keys) <= 30
    assert len(first.body) <= 1000
    check(judge, record("a", first), record("b", second))
    if first:
        same = check(judge, record("a", first), record("b", first))
        assert (same.relation, same.score) == ("duplicate", 1.0)


@given(st.lists(texts, max_size=12))
@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_many_texts_at_once_sign_as_one_by_one(name: str, several: list[str]) -> None:
    signer = SIGNERS[name]()
    contents = [Content(text) for text in several]
    assert sign_all(signer, contents) == [signer(each) for each in contents]


def test_made_copies_are_copies_and_other_stories_are_not(method: tuple[Signer, Judge]) -> None:
    signer, judge = method
    signed = [record(str(at), signer(Content(text)), f"site{at}") for at, text in enumerate(TEXTS[6:])]
    copies = [check(judge, signed[0], each).relation for each in signed[1:3]]
    assert copies == ["duplicate", "duplicate"] or signer.scheme.partition(".")[0] in BRITTLE
    assert check(judge, signed[0], signed[3]).relation == "different"
    assert not set(signed[0].signature.keys) & set(signed[3].signature.keys)


def test_an_empty_text_matches_nothing_not_even_itself(method: tuple[Signer, Judge]) -> None:
    signer, judge = method
    empty = signer(Content(""))
    assert empty == Signature(signer.scheme)
    assert check(judge, record("a", empty), record("b", empty)).score == 0.0


@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_the_scheme_tells_parameters_apart(name: str) -> None:
    kind = SIGNERS[name]
    assert kind().scheme == kind().scheme
    changed = {f"{each.name}": each.default + 8 for each in fields(kind) if isinstance(each.default, int)}  # type: ignore[arg-type]
    schemes = {kind(**{key: value}).scheme for key, value in changed.items() if _takes(kind, key, value)}
    assert kind().scheme not in schemes
    assert len(schemes) >= min(2, len(changed))


def _takes(kind: type[Signer], key: str, value: int) -> bool:
    try:
        kind(**{key: value})
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("seed", ["0", "1"])
def test_signatures_are_the_same_in_every_process(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps(TEXTS), capture_output=True, text=True, env=environment
    )
    made = [SIGNERS[name]()(Content(text)) for name in sorted(SIGNERS) for text in TEXTS]
    assert json.loads(done.stdout) == [[each.scheme, list(each.keys), each.body.hex()] for each in made]


@pytest.mark.parametrize("name", sorted(SIGNERS))
def test_signatures_are_the_same_on_every_python_and_in_every_release(name: str) -> None:
    """Stored signatures live on these bytes: other ones here need another version in the scheme."""
    made = [SIGNERS[name]()(Content(text)) for text in (*TEXTS, running_text("a"), NEWS)]
    assert blake2b(repr(made).encode(), digest_size=8).hexdigest() == GOLDEN[name]
