"""`dup-groups evaluate spotsigs`: the join of SpotSigs against comparing every pair."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

import typer

from dupgroups.bulk.inputs.documents import Documents, fields_of_file
from dupgroups.cli.options import DocumentsArgument, ExtractorOption, FieldsOption, JsonOption
from dupgroups.cli.progress import bars, teller
from dupgroups.text.counted import counted
from dupgroups_lab.commands.evaluate import PAPERS, evaluate
from dupgroups_lab.commands.tables import show
from dupgroups_lab.measures.pairwise import pairs_of


@evaluate.command("spotsigs", rich_help_panel=PAPERS)
def spotsigs(
    docs: DocumentsArgument,
    fields: FieldsOption = None,
    extractor: ExtractorOption = None,
    first: Annotated[
        int | None,
        typer.Option(min=2, help="Take the first documents only: time grows with their square.", metavar="N"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Theobald, Siddharth, Paepcke (SpotSigs): the join of similar pairs against comparing every pair.

    Finds all pairs of documents whose bags of spots reach a Jaccard similarity, once by the inverted index
    over partitions of similar sizes (SIGIR 2008, section 4) and once by brute force. Prints for four
    thresholds how many pairs were found, how many the join compared, and the CPU time of both; then the CPU
    time in which SpotSigs, I-Match and LSH sign and group the documents. Needs no labels. Exits with 1 if
    both joins do not find the same pairs. Example:

        dup-groups evaluate spotsigs news.jsonl.gz
    """
    from dupgroups_lab.papers.spotsigs_join import joins, seconds_of, spotsigs_of

    lines = Documents(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        sets, texts = spotsigs_of(islice(lines, first), extractor, progress)
        joined, right = joins(sets, progress)
    extent = f"{counted(len(sets), 'signed document')}, {counted(pairs_of(len(sets)), 'pair')}."
    show([joined, seconds_of(texts)], None, as_json, extent=extent)
    if not right:
        raise typer.Exit(1)
