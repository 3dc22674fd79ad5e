"""`dup-groups stories`: the stories with the most copies or sites, or the latest ones."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from dupgroups.cli import options
from dupgroups.cli.built_in import commands
from dupgroups.cli.engine import existing, url_of
from dupgroups.cli.files import files_of_engine
from dupgroups.cli.options import option
from dupgroups.cli.output import STDOUT, print_json
from dupgroups.cli.tables import check_result, write_table
from dupgroups.errors import InputError
from dupgroups.model import StoryOrder


@commands.command("stories")
def stories(
    engine: options.Engine = None,
    order: Annotated[StoryOrder, option("The figure by which they are sorted.")] = "copies",
    since: options.Since = None,
    top: Annotated[int, option("Number of stories.", min=1, max=10_000)] = 10,
    out: Annotated[Path, option(options.OUT_HELP, "STORIES.csv")] = STDOUT,
    config: options.ConfigFile = None,
    as_json: options.Json = False,
) -> None:
    """List the stories that were printed most: copies, sites, sources, dates, languages, agencies.

    It counts no documents, because the figures are kept with the groups. Examples:

        dup-groups stories --engine sqlite:///news.db --since 2026-03-02

        dup-groups stories --engine URL --order sites --top 1000 --out stories.csv
    """
    from dupgroups.presentation.story_list import list_stories, story_table

    if as_json and out != STDOUT:
        raise InputError("--json prints the stories: leave out --out, or name a file that ends in .jsonl")
    check_result(out, config, *files_of_engine(url_of(engine, config)))
    with closing(existing(engine, config)) as opened:
        rows = list_stories(opened, order=order, since=since, limit=top)
    if as_json:
        print_json(rows)
    else:
        head, *cells = story_table(rows)
        write_table(out, head, cells)
