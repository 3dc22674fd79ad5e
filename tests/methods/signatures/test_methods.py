"""Every signer with its judge in the whole flow, chosen by name, as a configuration does."""

from __future__ import annotations

from contextlib import closing

import pytest

from dupgroups import Config, Deduper, Page
from dupgroups.methods.signatures import SIGNERS
from dupgroups.model.config import Method, Step
from stories import running_chinese, running_text

PAIRS = [(name, judge) for name, kind in sorted(SIGNERS.items()) for judge in kind.judges]
TINY = ["", "Hm.", "好。", "Only six words are in here."]


def stories(name: str) -> list[str]:
    """Two Chinese texts, and two English ones for the methods that can read these."""
    chinese = [running_chinese(name, 40) for name in "ab"]
    if name in ("period_string", "imatch"):  # no Chinese full stops; made words, which no lexicon knows
        return chinese
    return [*chinese, *(running_text(name) for name in "ab")]


@pytest.mark.parametrize(("name", "judge"), PAIRS)
def test_copies_share_a_group_and_tiny_texts_stand_alone(name: str, judge: str) -> None:
    method = Method(signer=Step(name), judge=Step(judge))
    texts = stories(name)
    pages = [
        Page(url=f"https://site{copy}.example/{at}", text=text.replace("\n", "\n" * copy), id=f"{at}/{copy}")
        for at, text in enumerate(texts)
        for copy in (1, 2, 3)
    ]
    tiny = [
        Page(url=f"https://tiny.example/{at}", text=text, id=f"tiny{at}") for at, text in enumerate(TINY * 2)
    ]
    with closing(Deduper("memory://", Config(methods={"*": method, "zh": method}))) as deduper:
        outcomes = {outcome.id: outcome for outcome in deduper.add_all([*pages, *tiny])}
        records = deduper.engine.get(list(outcomes))
    assert {key: record.group for key, record in records.items() if "/" in key} == {
        page.id: f"{page.id.partition('/')[0]}/1" for page in pages if page.id
    }
    assert {outcome.state for key, outcome in outcomes.items() if "/" not in key} == {"too_short"}
    assert len({records[page.id].group for page in tiny if page.id}) == len(tiny)
