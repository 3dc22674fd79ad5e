"""Thresholds from labelled pairs, and the configuration that holds them."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from dupgroups import Page
from dupgroups.bulk.offline.page_groups import group_pages
from dupgroups.errors import InputError
from dupgroups.flow.method_set import MethodSet
from dupgroups.model.config import Config, Method, Step, from_toml
from dupgroups_lab.calibration.config_file import to_toml
from dupgroups_lab.calibration.thresholds import calibrate, check_chance
from dupgroups_lab.duplicates.evaluation import evaluate
from dupgroups_lab.labels.labelled_pairs import Pair, truth
from dupgroups_lab.measures.pairwise import Confusion
from stories import chinese_story, running_text, story


def made() -> tuple[list[Page], dict[Pair, str]]:
    """English pairs that share more or less; those that share 18 of 25 paragraphs are labelled duplicate."""
    pages, labels = [], {}
    for kept in (8, 10, 13, 15, 18, 20, 23):
        for number in range(4):
            one, two = (running_text(f"{kept} {number} {end}").split("\n") for end in "ab")
            ids = f"{kept}/{number}a", f"{kept}/{number}b"
            pages += [
                Page(text="\n".join(one), id=ids[0]),
                Page(text="\n".join(one[:kept] + two[kept:]), id=ids[1]),
            ]
            labels[ids] = "duplicate" if kept >= 18 else "non"
    return pages, labels


def test_the_best_f1_is_found_and_holds_when_pages_are_grouped_with_it(tmp_path: Path) -> None:
    pages, labels = made()
    start = Config(methods={"*": Method(judge=Step("evidence", {"threshold": 0.01}))})
    calibration = calibrate(pages, labels, start)
    (result,) = calibration.results
    assert (result.methods, result.parameter, result.old, result.documents) == (("*",), "threshold", 0.01, 56)
    assert result.before.f1 < result.after.f1 == 1
    path = tmp_path / "new.toml"
    path.write_text(to_toml(calibration.config), encoding="utf-8")
    assert from_toml(path) == calibration.config
    run = group_pages(pages, from_toml(path), processes=1)
    assert evaluate(run.groups, run.pairs, truth(run.groups, labels)).pairs.confusion == result.after


def test_a_threshold_falls_only_where_pairs_of_different_stories_were_compared() -> None:
    pages, labels = made()
    start = Config(methods={"*": Method(judge=Step("evidence", {"threshold": 0.999}))})
    (lower,) = calibrate(pages, labels, start).results
    assert lower.new < 0.999
    copies = {ids: "duplicate" for ids, label in labels.items() if label == "duplicate"}
    kept = [page for page in pages if any(page.id in ids for ids in copies)]
    (sentence,) = calibrate(kept, copies, start).unchanged
    assert sentence.startswith("*: only 0 compared pairs are of different stories; at least 10")


@pytest.mark.parametrize(
    ("right", "changed", "is_chance"), [(4, 4, True), (5, 5, False), (2_000, 2_000, False)]
)
def test_five_changes_for_the_better_are_no_chance(right: int, changed: int, is_chance: bool) -> None:
    before, after = Confusion(0, 0, changed, 9), Confusion(right, 0, changed - right, 9)
    with pytest.raises(InputError, match="label more") if is_chance else nullcontext():
        check_chance(0.5, before, after)


def test_a_threshold_stays_where_few_pairs_would_change() -> None:
    pages, labels = made()
    kept = ("10/0", "10/1", "18/", "20/", "23/")
    pages = [page for page in pages if str(page.id).startswith(kept)]
    copies = {ids: "duplicate" for ids in labels if ids[0].startswith(kept) and ids != ("23/3a", "23/3b")}
    calibration = calibrate(pages, copies, Config())
    (sentence,) = calibration.unchanged
    assert sentence.endswith("right about 2 of the 2 pairs that it changes, which may be chance: label more")
    assert calibration.unlisted == 1


def test_a_wanted_precision_gives_the_best_recall_that_has_it() -> None:
    pages, labels = made()
    labels |= {("20/0a", "20/0b"): "non", ("8/0a", "8/0b"): "duplicate"}
    best, sure = (calibrate(pages, labels, Config(), precision=least).results[0] for least in (None, 1.0))
    assert sure.after.precision == 1 > best.after.precision
    assert sure.new > best.new
    assert 0 < sure.after.recall < best.after.recall


def test_languages_that_sign_alike_get_one_threshold_and_others_stay() -> None:
    pages = [
        Page(text=chinese_story(str(number)), id=f"{number}{end}", language="zh")
        for number in range(12)
        for end in "ab"
    ]
    labels = {(f"{number}a", f"{number}b"): "duplicate" for number in range(12)}
    english = [Page(text=story("s"), id="x"), Page(text=story("s"), id="y")]
    calibration = calibrate([*pages, *english], {**labels, ("x", "y"): "duplicate"}, Config())
    (result,) = calibration.results
    assert "zh" in result.methods
    assert set(calibration.config.methods) == set(result.methods)
    assert MethodSet(calibration.config).signer("zh") == MethodSet().signer("zh")
    (sentence,) = calibration.unchanged
    assert sentence.startswith("*: only 1 labelled pairs")


# -- TOML

CONFIGS = [
    Config(engine="sqlite:///news.db", join=frozenset({"near"}), candidates=7),
    Config(methods={"zh-TW": Method(None, Step("minhash", {"size": 3, "a.b": [0.5, '\x7f"\n']}), None)}),
    Config(methods={"*": Method(Step("my:Own"), None, Step("jaccard", {"near": 1e-9, "x": [[True], []]}))}),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_a_written_configuration_is_read_as_it_was(tmp_path: Path, config: Config) -> None:
    path = tmp_path / "some.toml"
    path.write_bytes(to_toml(config).encode("utf-8"))
    assert from_toml(path) == config
