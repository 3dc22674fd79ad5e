"""A judge that learns from labelled pairs, and from pairs that are made of their texts."""

import gzip
import json
import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from dupgroups.errors import InputError
from dupgroups.methods.additive_model import AdditiveModel, judge_model
from dupgroups.methods.evidence import MEASURES, list_contradictions, measure
from dupgroups.text.facts import read_facts
from dupgroups_lab.training.edited_pairs import make_pairs
from dupgroups_lab.training.train_judge import (
    FREE,
    RISING,
    cross_validate,
    fit_model,
    read_examples,
    tabulate,
)
from stories import CHINESE_FERRY, FERRY, news_text

EDITS = (Path(__file__).parents[2] / "methods" / "verdicts" / "edits.tsv").read_text("utf-8").splitlines()
ITEMS = {language: text for language, text, *_ in (line.split("\t") for line in EDITS)}


def contradicted(a: str, b: str) -> set[str]:
    one, two = read_facts(a), read_facts(b)
    return {contradiction.measure for contradiction in list_contradictions(one, two, measure(one, two))}


def in_lead(a: str, b: str) -> bool:
    return a[-20:] == b[-20:] and measure(read_facts(a), read_facts(b)).values["lead"] == 1


def count_other_words(a: str, b: str) -> int:
    """In how many places two texts of as many words have another one."""
    return sum(one != two for one, two in zip(read_facts(a).words, read_facts(b).words, strict=True))


def other_figures(a: str, b: str) -> list[bool]:
    """Of each number in digits, whether it is another one, if nothing else is."""
    assert re.sub(r"\d", "", a) == re.sub(r"\d", "", b)
    return [one != two for one, two in zip(re.findall(r"\d+", a), re.findall(r"\d+", b), strict=True)]


def words(text: str) -> list[str]:
    return [*read_facts(text).report.words]


ONE_STORY: dict[str, Callable[[str, str], object]] = {
    "same": lambda a, b: a == b,
    "dateline": lambda a, b: a.endswith(b) and a != b and words(a) == words(b),
    "two datelines": lambda a, b: a[-30:] == b[-30:],
    "credit": lambda a, b: a.startswith(b) and a != b and words(a) == words(b),
    "misread": lambda a, b: re.findall(r"\d+", a) == re.findall(r"\d+", b),
    "order": lambda a, b: a != b and sorted(a.replace(" ", "")) == sorted(b.replace(" ", "")),
    "drop words": lambda a, b: len(words(a)) > len(words(b)),
    "replace words": lambda a, b: len(words(a)) == len(words(b)),
    "in digits": lambda a, b: a != b and read_facts(a).tokens == read_facts(b).tokens,
    "headlines": lambda a, b: a != b and a.split("\f")[1] == b.split("\f")[1],
    "two small cuts": lambda a, b: a != b and a.count("4.") == a.count("4.5"),
    "two cuts": lambda a, b: a != b and not contradicted(a, b),
    "own leads": lambda a, b: a.split("\n")[1:] == b.split("\n")[1:] != [],
    "cut": lambda a, b: a != b and b.startswith(a),
    "misread report": lambda a, b: a != b,
    "two misread reports": lambda a, b: a != b,
    "report with one other figure": lambda a, b: sum(other_figures(a, b)) == 1,
}
OTHER_STORY: dict[str, Callable[[str, str], object]] = {
    "other figures": lambda a, b: all(other_figures(a, b)),
    "one other figure": lambda a, b: sum(other_figures(a, b)) == 1,
    "other numeral": lambda a, b: contradicted(a, b),
    "other day": lambda a, b: contradicted(a, b) == {"days"},
    "other names": lambda a, b: a != b and re.findall(r"\d+", a) == re.findall(r"\d+", b),
    "other names and figures": lambda a, b: "figures changed" in contradicted(a, b),
    "opposite": lambda a, b: "contrasts" in contradicted(a, b),
    "without negation": lambda a, b: "negations" in contradicted(a, b),
    "opposite in the lead": lambda a, b: in_lead(a, b) and contradicted(a, b) == {"contrasts"},
    "without negation in the lead": lambda a, b: in_lead(a, b) and "negations" in contradicted(a, b),
    "other day in the lead": lambda a, b: in_lead(a, b) and contradicted(a, b) == {"days"},
    "other name in the lead": lambda a, b: 0 < count_other_words(a, b) <= 2 and a[-20:] == b[-20:],
    "round-up": lambda a, b: a.strip() in b and len(b) > len(a) + 99,
    "background": lambda a, b: a[-9:] == b[-9:] and a[:9] != b[:9],
}


@pytest.mark.parametrize(
    ("language", "other"), [("en", FERRY), ("zh", f"{CHINESE_FERRY}伊朗人刘洋在杭州。")], ids="ez"
)
def test_pairs_of_each_kind_are_made_and_are_as_they_are_called(language: str, other: str) -> None:
    texts = [("" if language == "zh" else " ").join([ITEMS[language]] * times) for times in (2, 5)]
    drawn = ((texts[seed % 2], Random(seed)) for seed in range(16))
    made = [pair for text, dice in drawn for pair in make_pairs(text, text[:20], 3 * other, dice)]
    absent = texts[1].replace(". Mayor", ", and Mayor", 1).replace("。市长", "，市长", 1)  # not present
    made += [pair for pair in make_pairs(absent, "", other, Random(1)) if pair.kind.endswith("lead")]
    kinds = ONE_STORY | OTHER_STORY
    assert {pair.kind for pair in made} == kinds.keys()
    assert not [pair for pair in made if not kinds[pair.kind](pair.a, pair.b)]
    assert all(pair.joins == (pair.kind in ONE_STORY) for pair in made)
    assert not [*make_pairs(" ", "", "", Random(1))]


def test_no_word_is_replaced_by_its_opposite() -> None:
    text = "The old man saw the old mill by the old town, and the old road near the old wood of Velmar."
    made = [pair for seed in range(9) for pair in make_pairs(text, "", "young " * 20, Random(seed))]
    replaced = [(pair.a, pair.b) for pair in made if pair.kind == "replace words"]
    assert any("young" in b for _, b in replaced)
    assert not any("contrasts" in contradicted(a, b) for a, b in replaced)


TEXTS = {f"{name}{copy}": news_text(name, 8 + copy) for name in "abcde" for copy in (0, 1)}
LABELS = "a0,a1,duplicate b0,b1,duplicate c0,c1,duplicate d0,d1,duplicate a1,b0,non c0,e1,near"


def write_pack(folder: Path, texts: Mapping[str, str], labels: str = "") -> Path:
    with gzip.open(folder / "docs.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps({'id': id_, 'text': text})}\n" for id_, text in texts.items())
    if labels:
        (folder / "pairs.csv").write_text("\n".join(["a,b,label", *labels.split()]), encoding="utf-8")
    return folder


def is_monotone(model: AdditiveModel) -> bool:
    """Whether nothing in common speaks against one story, and no contradiction for it."""
    steps = [(name, pairwise(curve.points)) for name, curve in model.curves.items() if name not in FREE]
    return all(a <= b if name in RISING else a >= b for name, pairs in steps for a, b in pairs)


def test_the_model_that_ships_is_monotone_and_knows_every_measure() -> None:
    assert is_monotone(judge_model())
    assert judge_model().curves.keys() == MEASURES.keys()


def test_a_model_of_a_few_texts_is_monotone_and_tells_its_own_examples_apart(tmp_path: Path) -> None:
    examples = [*read_examples([write_pack(tmp_path, TEXTS, LABELS)])]
    labelled, some = [example for example in examples if example.kind == "labelled"], examples[::4]
    model, of_some = fit_model(examples), fit_model(some)
    assert is_monotone(model)
    rows = tabulate(
        examples, [model.probability(dict(zip(MEASURES, one.values, strict=True))) for one in examples]
    )
    assert (rows[0].right, rows[0].count, rows[0].f1) == (5, 5, 1.0)
    assert sum(row.right for row in rows) > 0.95 * sum(row.count for row in rows)
    seen = [of_some.probability(dict(zip(MEASURES, example.values, strict=True))) for example in some]
    assert cross_validate(some) != seen, "by models that have seen them"
    assert len({example.story for example in labelled}) == 3, "pairs that share a text are left out together"


def test_packs_without_pairs_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pairs\.csv"):
        [*read_examples([write_pack(tmp_path, TEXTS)])]
    with pytest.raises(InputError, match="nothing to learn from: give packs with pairs"):
        fit_model([])
