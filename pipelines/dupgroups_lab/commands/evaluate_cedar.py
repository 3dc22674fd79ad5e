"""`dup-groups evaluate cedar`: CEDAR's tables 1 to 3 on the user's documents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.output import stderr
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.lab_options import DocsOption, ExtractorsOption, LabelsOption, PositiveOption
from dupgroups_lab.commands.labelled_texts import Labelled, read_labelled
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.measures.tabulated import Tabulated

if TYPE_CHECKING:
    from dupgroups_lab.papers.cedar.trained import TrainedByFolds
    from dupgroups_lab.training.trainable_methods import Trainer


@evaluate.command("cedar", rich_help_panel=PAPERS)
def cedar(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    fields: options.Fields = None,
    extractors: ExtractorsOption = "visible,maxent,crf,auto",
    train: Annotated[
        str,
        typer.Option(
            help="Extractors to train on the documents by folds: auto, crf, maxent; '' for none.",
            metavar="METHOD,...",
        ),
    ] = "maxent,crf,crf features=paper",
    size: Annotated[
        int,
        typer.Option(min=1, max=10, help="Tokens of a shingle; 4 suits Chinese better.", metavar="TOKENS"),
    ] = 2,
    as_json: options.Json = False,
) -> None:
    """Gibson, Wellner, Lubar (CEDAR): the effect of extraction, filters and shingle size on resemblance.

    Prints tables 1 to 3 of Identification of Duplicate News Stories in Web Pages (LREC 2008) for those of
    your documents that have html, beside the scores of the paper:

    1. AU-ROC by extractor: all visible text, each extractor, and the `text` of the documents;

    2. AU-ROC without short blocks and without the most frequent shingles, of the entire document (with the
    text of scripts and styles) and of all visible text;

    3. precision, recall and F1, of pairs and by B-cubed, on one half of the stories, with the filters and
    the threshold that are best on the other half;

    4. the paper's future work: sketches of one shingle in 25, and words against characters.

    "block 12, top 5.0%" means without blocks of fewer than 12 tokens, and without at most 5 % of the distinct
    shingles, the most frequent ones: those in the same number of documents are all left out or all kept.
    Nothing is estimated: resemblance is exact over all pairs of documents.

    Extractors have the weights that are shipped. Those named by `--train` are also trained on your documents,
    if all have a `text`, in five folds: "by page" knows all sites, as CEDAR did; "by site" has not seen the
    site of the page. In each fold, a fifth of the training pages chooses `prior` and `sites`, unless they are
    given, as in "maxent prior=1 sites=4". The table of blocks has precision and recall, and what was chosen.
    `crf` has our features, `crf features=paper` those that the paper names except named entities, which `crf
    features=paper entities=PIPELINE` adds by a spaCy pipeline, `pip install 'dup-groups[entities]'`.

    Columns named "- ROW" are differences of F1 to another row, with their 95 % intervals by the paired
    bootstrap over stories; `*` marks those that are not 0. Example:

        dup-groups evaluate cedar --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.cedar.cedar_ablation import ablation
    from dupgroups_lab.papers.extracted import ENTIRE_NAME, HEURISTIC
    from dupgroups_lab.training.trainable_methods import settings_of

    methods = {name.strip(): settings_of(name) for name in train.split(",") if name.strip()}
    names = list(dict.fromkeys((ENTIRE_NAME, HEURISTIC, *extractors.split(","))))
    with read_labelled(docs, labels, positive, names, fields, references=True) as given:
        trained = _train_by_folds(given, methods)
        first = {name: given.texts[name] for name in (ENTIRE_NAME, HEURISTIC)}
        texts = {**first, **{name: result.texts for name, result in trained.items()}, **given.texts}
        tables = ablation(texts, given.truth, size, given.progress)
    blocks = [_blocks(trained)] if trained else []
    show([*tables, *blocks], None, as_json, extent=given.truth.extent)


def _train_by_folds(
    given: Labelled, methods: Mapping[str, Mapping[str, Trainer]]
) -> dict[str, TrainedByFolds]:
    """The extractors trained by folds; none, with a notice, if documents have no text to learn from."""
    from dupgroups_lab.papers.cedar.trained import trained_by_folds
    from dupgroups_lab.papers.extracted import REFERENCE

    names = ", ".join(methods)
    if not methods:
        return {}
    if REFERENCE not in given.texts:
        stderr().print(f"{names}: not trained by folds, because some documents have no text.", style="yellow")
        return {}
    trained = trained_by_folds(given.pages(), given.texts[REFERENCE], methods, given.progress)
    if not any(name.endswith(" by site") for name in trained):
        stderr().print(
            f"{names}: no folds of sites, which need the url or host of every document, and two sites.",
            style="yellow",
        )
    return trained


def _blocks(trained: Mapping[str, TrainedByFolds]) -> Tabulated:
    from dupgroups_lab.extraction.scores import PUBLISHED_SCORES
    from dupgroups_lab.measures.tabulated import decimals, percents
    from dupgroups_lab.papers.cedar.cedar_ablation import paper_name
    from dupgroups_lab.papers.cedar.published import paper_of

    measures = ("P", "R", "pages without an error")
    rows = []
    for name, result in trained.items():
        score, published = result.blocks, PUBLISHED_SCORES.get(paper_of(name), (None,) * 3)
        shares = percents((score.precision, score.recall, score.exact))
        chosen = ", ".join(f"{setting} ({folds})" for setting, folds in result.settings.items() if setting)
        rows.append((paper_name(name), *shares, *decimals(published, 1), chosen or "-"))
    papers = (f"paper's {measure}" for measure in measures)
    return Tabulated(("blocks, %", *measures, *papers, "chosen (folds)"), rows)
