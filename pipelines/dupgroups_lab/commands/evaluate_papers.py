"""`dup-groups evaluate weightings`, `spotsigs` and `period-string`: tables of papers repeated."""

from itertools import islice
from typing import Annotated

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.progress import bars, teller
from dupgroups.errors import InputError
from dupgroups.text.counted import count_noun
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.lab_options import DocsOption, ExtractorsOption, LabelsOption, PositiveOption
from dupgroups_lab.commands.labelled_texts import read_labelled
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.measures.pairwise import pairs_of


@evaluate.command("weightings", rich_help_panel=PAPERS)
def weightings(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    phrase: Annotated[int, typer.Option(min=1, max=32, help="Words of a phrase.", metavar="WORDS")] = 7,
    extractor: options.Extractor = "auto",
    fields: options.Fields = None,
    as_json: options.Json = False,
) -> None:
    """Alonso, Fetterly, Manasse: antecedents of SpotSigs, phrase weightings, rare-phrase limits.

    Prints the tables of Near Duplicate News Story Detection Revisited (AIRS 2013) for your documents: the
    best F1 and MCC of each variant, beside the paper's F1, and how many documents give no feature.
    Similarities are exact, document frequencies are those of the file, and thresholds are chosen on the same
    documents. F1 is that of all pairs, of the listed ones, and of pairs that are drawn evenly over the
    Jaccard coefficient, as the paper drew those that it labelled.

    The last columns are differences of F1 over all pairs with their 95 % intervals by the paired bootstrap
    over stories; `*` marks those that are not 0. Examples:

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv

        dup-groups evaluate weightings --docs news.jsonl.gz --labels pairs.csv \\
            --extractor visible
    """
    from dupgroups_lab.papers.weightings import ablation

    name = extractor or "auto"
    with read_labelled(docs, labels, positive, [name], fields) as given:
        tables = ablation(given.texts[name], given.hosts, given.truth, phrase, given.progress)
    show(tables, None, as_json, extent=given.truth.extent)


@evaluate.command("spotsigs", rich_help_panel=PAPERS)
def spotsigs(
    docs: options.Documents,
    fields: options.Fields = None,
    extractor: options.Extractor = None,
    first: Annotated[
        int | None,
        typer.Option(min=2, help="Take the first documents only: time grows with their square.", metavar="N"),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Theobald, Siddharth, Paepcke (SpotSigs): the join of similar pairs against comparing every pair.

    Finds all pairs of documents whose bags of spots reach a Jaccard similarity, once by the inverted index
    over partitions of similar sizes (SIGIR 2008, section 4) and once by brute force. Prints for four
    thresholds how many pairs were found, how many the join compared, and the CPU time of both. Needs no
    labels. Exits with 1 if both joins do not find the same pairs. Example:

        dup-groups evaluate spotsigs news.jsonl.gz
    """
    from dupgroups_lab.papers.spotsigs_join import joins, spotsigs_of

    lines = PageReader(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        sets = spotsigs_of(islice(lines, first), extractor, progress)
        lines.check_left_out()
        joined, right = joins(sets, progress)
    extent = f"{count_noun(len(sets), 'signed document')}, {count_noun(pairs_of(len(sets)), 'pair')}."
    show([joined], None, as_json, extent=extent)
    if not right:
        raise typer.Exit(1)


@evaluate.command("period-string", rich_help_panel=PAPERS)
def period_string(
    docs: DocsOption,
    labels: LabelsOption,
    positive: PositiveOption = "duplicate",
    fields: options.Fields = None,
    extractors: ExtractorsOption = "visible,auto",
    as_json: options.Json = False,
) -> None:
    """An, Cheng: recall and precision of the feature string over alpha, beta and epsilon, Chinese only.

    The Chinese Duplicate Web Pages Detection Algorithm based on Edit Distance compares pages by the
    characters before their full stops, and needs no extraction. Prints precision and recall for those of your
    documents that have html, on whole pages, on extracted articles, and on the `text` of the documents: in
    pages, as the paper counts, and in pairs. Each coefficient is varied while the others keep the values of
    the paper (alpha 0.8, epsilon 0.2) or ours (beta 0.5). The paper calls the value 0.8 rho and does not
    define it: the two rows "rho is" have both readings. Every pair is compared.

    Two more rows have other strings: of at least four characters, and by other marks in texts without a full
    stop. The paper also takes a page that is a part of another one for a duplicate: `--positive
    duplicate,containment`.

    The last columns are differences of F1 to the first row, and to the same row of the first kind of text,
    with 95 % intervals by the paired bootstrap over stories; `*` marks those that are not 0. Example:

        dup-groups evaluate period-string --docs news.jsonl.gz --labels pairs.csv
    """
    from dupgroups_lab.papers.period_strings import ablations

    names = extractors.split(",")
    with read_labelled(docs, labels, positive, names, fields, references=True) as given:
        tables = ablations(given.texts, given.hosts, given.truth, given.progress)
    if all(table.cell("any string", "strings") == "0" for table in tables):
        raise InputError(f"{docs}: no text has a Chinese character before a full stop")
    show(tables, None, as_json, extent=given.truth.extent)
