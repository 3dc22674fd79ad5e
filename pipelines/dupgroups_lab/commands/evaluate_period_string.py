"""`dup-groups evaluate period-string`: An and Cheng's recall and precision on the user's documents."""

from __future__ import annotations

from dupgroups.cli.options import FieldsOption, JsonOption
from dupgroups.errors import InputError
from dupgroups_lab.commands.ablations import labelled
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.options import (
    DocsOption,
    ExtractorsOption,
    LabelsOption,
    PositiveOption,
)
from dupgroups_lab.commands.tables import show


@evaluate.command("period-string", rich_help_panel=PAPERS)
def period_string(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    fields: FieldsOption = None,
    extractors: ExtractorsOption = "visible,auto",
    as_json: JsonOption = False,
) -> None:
    """An, Cheng: recall and precision of the feature string over alpha, beta and epsilon, Chinese only.

    The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance compares pages by the
    characters before their full stops, and needs no extraction. Prints precision and recall for those of your
    documents that have html, on whole pages, on extracted articles, and on the `text` of the documents: in
    pages, as the paper counts, and in pairs. Each coefficient is varied while the others keep the values of
    the paper (alpha 0.8, epsilon 0.2) or ours (beta 0.5). The paper calls the value 0.8 rho and does not
    define it: the two rows "rho is" have both readings. Every pair is compared. The first table has the
    seconds of CPU that this took.

    Two more rows have other strings: of at least four characters, and by other marks in texts without a full
    stop. The paper also takes a page that is a part of another one for a duplicate: `--positive
    duplicate,containment`.

    The last columns are differences of F1 to the first row, and to the same row of the first kind of text,
    with 95 % intervals by the paired bootstrap over stories; `*` marks those that are not 0. Example:

        dup-groups evaluate period-string --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.period_strings import ablations

    names = extractors.split(",")
    with labelled(docs, labels, positive, names, fields, references=True) as given:
        tables = ablations(given.texts, given.hosts, given.truth, given.progress)
    if all(table.cell("any string", "strings") == "0" for table in tables[1:]):
        raise InputError(f"{docs}: no text has a Chinese character before a full stop")
    show(tables, None, as_json, extent=given.truth.extent)
