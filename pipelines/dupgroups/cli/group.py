"""`dup-groups group`: group the documents of a file, without an engine."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from dupgroups.bulk.inputs.page_reader import STDIN, PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.corrections import read_corrections
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.options import option
from dupgroups.cli.output import STDOUT, print_json, stderr, summary_console
from dupgroups.cli.progress import bars, left_out_of, teller
from dupgroups.cli.tables import check_result, write_table
from dupgroups.errors import InputError
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dupgroups.bulk.offline.bulk import Groups
    from dupgroups.bulk.offline.corpus import Corpus
    from dupgroups.bulk.offline.dividing import Judged

    Compared = tuple[NDArray[np.int64], NDArray[np.int64], array[float], list[str]]

MEGABYTE_BYTES = 1 << 20


@commands.command("group")
def group(
    documents: options.Documents,
    out: Annotated[Path, option(options.OUT_HELP, "GROUPS.csv")],
    pairs: Annotated[
        Path | None, option("File for the compared pairs: a,b,score,relation.", "PAIRS.csv")
    ] = None,
    against: Annotated[
        Path | None,
        option(
            "Earlier documents: says which of DOCS tell a story that is there. Only DOCS are written.",
            "EARLIER",
        ),
    ] = None,
    corrections: Annotated[
        Path | None,
        option(
            "File of `dup-groups corrections --out`: documents to keep apart or together.", "CORRECTIONS.csv"
        ),
    ] = None,
    fields: options.Fields = None,
    processes: options.Processes = None,
    memory: Annotated[int, option("Memory for signatures; the rest goes to files.", "MB", min=1)] = 1024,
    temp: Annotated[
        Path | None, option("Folder for these files. Default: that of the system.", "FOLDER")
    ] = None,
    preset: options.Preset = None,
    extractor: options.Extractor = None,
    signer: options.Signer = None,
    judge: options.Judge = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Group the documents of a file, or of a folder of HTML, without an index.

    A group has the id of its first document. If several documents have one id, the last counts, and stderr
    says how many there are. The score of a pair is the probability that both are one story: by default 0.5
    or more for copies, less for excerpts and all others. Files that end in .parquet or .jsonl are written in
    that format, any other as CSV; `-` is standard output. `--json` prints the counts. The configuration may
    keep documents apart by their fields (`group_by`) or by days (`within_days`). The documents may be many
    more than fit into memory: `--memory` limits what this process keeps of them. Without `--pairs` two
    documents that are in one group already are not compared again, which is faster. With `--against` a third
    column, `known`, says whether the earlier documents have the story: its group is then named by one of
    them. Examples:

        dup-groups group news.jsonl.gz --out groups.csv --pairs pairs.csv

        dup-groups group dump.parquet --fields text=body --out groups.parquet

        zcat *.jsonl.gz | dup-groups group - --out - | sort -t, -k2

        dup-groups group new.jsonl.gz --against archive.jsonl.gz --out new.csv
    """
    from dupgroups.bulk.offline.bulk import describe_repeated
    from dupgroups.bulk.offline.earlier import mark_earlier, unmark, with_earlier
    from dupgroups.bulk.offline.page_groups import Resources, grouped_pages

    settings = choose_methods(config, preset, extractor, signer, judge)
    if documents == against == Path(STDIN):
        raise InputError("only one of the documents and --against can be standard input")
    if temp and not temp.is_dir():
        raise InputError(f"{temp} is not a folder: name one with --temp, or leave that out")
    _check_results(out, pairs, (documents, against, config, corrections), as_json=as_json)
    said = with_earlier(read_corrections(corrections))
    opened = partial(PageReader, broken=teller(), fields=fields_of_file(fields), group_by=settings.group_by)
    source, earlier = opened(documents), opened(against) if against else None
    resources = Resources(processes, memory * MEGABYTE_BYTES, temp)
    compared: list[Compared] = []
    with ExitStack() as stack:
        with bars(source) as progress:
            groups = stack.enter_context(
                grouped_pages(
                    *(chain(mark_earlier(earlier or ()), source), settings, resources, progress, said),
                    on_verdicts=(lambda judged: compared.append(_pack(judged))) if pairs else None,
                    every=bool(pairs),
                )
            )
        if warning := describe_repeated([*map(unmark, groups.repeated)]):
            stderr().print(warning, style="yellow")
        counts = _write_groups(out, groups, with_known=earlier is not None)
        if pairs:
            write_table(pairs, ("a", "b", "score", "relation"), _rows_of_pairs(compared, groups.corpus))
        left_out, reasons = left_out_of(*filter(None, (earlier, source)))
        if as_json:
            print_json({**counts, "left_out": sum(reasons.values()), "reasons": reasons})
        else:
            summary_console(out).print(_summary(counts) + left_out)
        if earlier:
            earlier.check_left_out()
        source.check_left_out()


def _check_results(out: Path, pairs: Path | None, read: Collection[Path | None], *, as_json: bool) -> None:
    """Raise InputError where results would overwrite one another, or a file that is `read`."""
    if [out, pairs, STDOUT if as_json else None].count(STDOUT) > 1:
        raise InputError("only one of --out, --pairs and --json can go to standard output")
    check_result(out, pairs, *read)
    if pairs:
        check_result(pairs, *read)


def _write_groups(out: Path, groups: Groups, *, with_known: bool) -> dict[str, int]:
    """Write the groups of all documents or, `with_known`, of those that are not earlier; counts of both."""
    from dupgroups.bulk.offline.earlier import known_from

    if not with_known:
        write_table(out, ("id", "group"), groups)
        return {"documents": len(groups.oldest), "groups": len(groups)}
    counts = {"documents": 0, "known": 0}

    def count_rows() -> Iterator[tuple[str, str, bool]]:
        for row in known_from(groups):
            counts["documents"] += 1
            counts["known"] += row[-1]
            yield row

    write_table(out, ("id", "group", "known"), count_rows())
    return counts


def _summary(counts: Mapping[str, int]) -> str:
    documents = count_noun(counts["documents"], "document")
    if "known" in counts:
        return f"{documents}, {counts['known']:,} of them known"
    return f"{documents} in {count_noun(counts['groups'], 'group')}"


def _pack(judged: Judged) -> Compared:
    """Compared pairs in a few bytes each: there may be many more of them than documents."""
    scores = array("d", (round(verdict.score, 6) for verdict in judged.verdicts))
    return judged.others, judged.documents, scores, [verdict.relation for verdict in judged.verdicts]


def _rows_of_pairs(compared: Iterable[Compared], corpus: Corpus) -> Iterator[tuple[str, str, float, str]]:
    """The pairs as they are written, the earlier document first; none of two `--against` documents."""
    from dupgroups.bulk.offline.earlier import is_earlier, unmark

    for earlier, documents, scores, relations in compared:
        rows = zip(corpus.ids(earlier), corpus.ids(documents), scores, relations, strict=True)
        for first, second, score, relation in rows:
            if not is_earlier(second):
                yield unmark(first), second, score, relation
