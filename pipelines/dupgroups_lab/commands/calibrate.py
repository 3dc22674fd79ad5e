"""`dup-groups calibrate`: thresholds from labelled pairs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.bulk.inputs.page_reader import PageReader, fields_of_file
from dupgroups.cli import options
from dupgroups.cli.files import check_place, open_for_writing
from dupgroups.cli.methods import choose_methods
from dupgroups.cli.options import option
from dupgroups.cli.output import stdout
from dupgroups.cli.progress import bars, teller
from dupgroups.text.counted import count_noun
from dupgroups_lab.commands.lab_options import DocsOption, LabelsOption, PositiveOption
from dupgroups_lab.commands.printed_tables import show
from dupgroups_lab.measures.tabulated import Tabulated, decimals

if TYPE_CHECKING:
    from dupgroups_lab.calibration.thresholds import Calibration


app = typer.Typer(rich_markup_mode="markdown", add_completion=False)


@app.command("calibrate")
def calibrate(
    docs: DocsOption,
    labels: LabelsOption,
    out: Annotated[Path, option(options.OUT_HELP, "CONFIG.toml")],
    precision: Annotated[
        float | None,
        option("Least precision; without it, thresholds are chosen by F1.", "SHARE", min=0, max=1),
    ] = None,
    positive: PositiveOption = "duplicate",
    fields: options.Fields = None,
    preset: options.Preset = None,
    extractor: options.Extractor = None,
    signer: options.Signer = None,
    judge: options.Judge = None,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """Choose the threshold of each language from labelled pairs, and write it into a configuration.

    Languages that share a signature scheme share a threshold. Scores on the documents used for calibration
    are too good: evaluate on other documents. Examples:

        dup-groups calibrate --docs a.jsonl.gz --labels a.csv --out news.toml

        dup-groups evaluate duplicates --docs b.jsonl.gz --labels b.csv \\
            --config news.toml
    """
    from dupgroups_lab.calibration import thresholds
    from dupgroups_lab.calibration.config_file import to_toml
    from dupgroups_lab.labels.labelled_pairs import check_labels, read_labels

    settings = choose_methods(config, preset, extractor, signer, judge)
    check_place(out, docs, labels, config)
    to_toml(settings)  # fails early if the settings could not be written
    wanted = positive.split(",")
    check_labels(wanted)
    pairs = read_labels(labels)
    lines = PageReader(docs, teller(), fields_of_file(fields))
    with bars(lines) as progress:
        calibration = thresholds.calibrate(
            lines, pairs, settings, precision=precision, positive=wanted, progress=progress
        )
    lines.check_left_out()
    with open_for_writing(out) as file:
        file.write(to_toml(calibration.config))
    if not as_json:
        for sentence in calibration.unchanged:
            stdout().print(f"Left unchanged: {sentence}.", style="yellow")
        if calibration.unlisted:
            said = count_noun(calibration.unlisted, "compared pair")
            said += " without a label counted as different stories: label what is unknown as unjudged."
            stdout().print(said, style="yellow")
    values = {
        "results": calibration.results,
        "unchanged": calibration.unchanged,
        "unlisted": calibration.unlisted,
        "out": out,
    }
    show([_table(calibration)] if calibration.results else [], values, as_json)
    if not as_json:
        stdout().print(f"Configuration: {out}")


def _table(calibration: Calibration) -> Tabulated:
    rows = [
        (
            *(", ".join(one.methods), f"{one.documents:,}", one.parameter, f"{one.old:g}", f"{one.new:g}"),
            *(", ".join(decimals((of.precision, of.recall, of.f1), 4)) for of in (one.before, one.after)),
        )
        for one in calibration.results
    ]
    return Tabulated(("methods", "documents", "parameter", "from", "to", "P, R, F1 before", "after"), rows)
