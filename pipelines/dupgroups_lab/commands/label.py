"""`dup-groups label`: pairs of an index labelled by people, on a page."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dupgroups.cli import options
from dupgroups.cli.engine import existing, name_of
from dupgroups.cli.files import check_apart, check_place, files_of_engine, open_for_writing
from dupgroups.cli.options import option
from dupgroups.cli.output import stderr, url_host
from dupgroups.cli.progress import working
from dupgroups.cli.serve import check_free
from dupgroups.errors import InputError, require_extra
from dupgroups.text.counted import count_noun

if TYPE_CHECKING:
    from dupgroups.engines import Engine
    from dupgroups_lab.labelling.drawing import Plan
    from dupgroups_lab.labelling.model import Rules
    from dupgroups_lab.labelling.store import LabelStore

app = typer.Typer(rich_markup_mode="markdown", add_completion=False)

_EXTRA = ("uvicorn", "starlette", "jinja2", "babel", "markupsafe", "anyio", "itsdangerous")


@app.command("label")
def label(
    context: typer.Context,
    engine: options.Engine = None,
    config: options.ConfigFile = None,
    answers: Annotated[Path, option("File of the pairs and answers; made when missing.", "FILE.db")] = Path(
        "labels.db"
    ),
    draw: Annotated[int, option("Number of pairs to draw.", "NUMBER", min=1, max=5_000)] = 500,
    idf: Annotated[
        str, option("Window of the inverse document frequency of shared phrases.", "LOW,HIGH")
    ] = "0.2,0.85",
    documents: Annotated[
        int, option("Documents of the index that are read, at most.", "NUMBER", min=2, max=100_000)
    ] = 10_000,
    seed: Annotated[int, option("Random seed: another number draws other pairs.", "NUMBER")] = 0,
    assessors: Annotated[int, option("Assessors that answer every question.", "NUMBER", min=1, max=9)] = 3,
    alone: Annotated[bool, option("One person answers every question, once.", name="--alone")] = False,
    only_pairs: Annotated[
        bool, option("All documents are news: ask about pairs alone.", name="--only-pairs")
    ] = False,
    honeypots: Annotated[
        list[Path] | None,
        option(
            "CSV file with known answers, mixed in blindly: a,b,label or id,news (repeatable).", "FILE.csv"
        ),
    ] = None,
    honeypot_share: Annotated[
        float, option("Share of honeypots among the questions.", "SHARE", min=0, max=0.5)
    ] = 0.1,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8001,
    allow_host: options.AllowHost = None,
    export: Annotated[
        Path | None, option("Write the labelled pairs to this file; serve nothing.", "PAIRS.csv")
    ] = None,
    export_docs: Annotated[
        Path | None, option("Write their documents to this file; serve nothing.", "DOCS.jsonl")
    ] = None,
) -> None:
    """Label pairs of documents on a page, for `evaluate` and `calibrate`; Ctrl+C stops it.

    The first call draws the pairs, later ones go on with them. There are two questions: is a document news,
    and are two documents about the same event? Nobody answers both about one document, unless there is only
    one person (--alone).

    Examples:

        dup-groups label --engine sqlite:///news.db

        dup-groups label --answers labels.db --export pairs.csv \\
            --export-docs docs.jsonl
    """
    from dupgroups_lab.labelling.drawing import Plan
    from dupgroups_lab.labelling.model import Rules
    from dupgroups_lab.labelling.store import LabelStore

    if export or export_docs:
        _export(LabelStore.open(answers), answers, export, export_docs)
        return
    with require_extra("label", "The labelling page", *_EXTRA):
        import uvicorn  # noqa: F401

        import dupgroups_lab.labelling.labelling_site  # noqa: F401
    rules = Rules(1 if alone else assessors, alone, honeypot_share, seed)
    plan = Plan(draw, documents, _window(idf), only_pairs)
    check_free(host, port)
    if answers.exists():
        _warn_of_drawing(context, answers)
        store = LabelStore.open(answers)
    else:
        check_place(answers, config, *files_of_engine(name_of(engine, config)), *(honeypots or ()))
        with closing(existing(engine, config)) as opened:
            store = _draw_items(opened, answers, plan, rules, honeypots or [])
    _serve(store, host, port, allow_host or [])


def _draw_items(engine: Engine, answers: Path, plan: Plan, rules: Rules, honeypots: list[Path]) -> LabelStore:
    """Draw the items, and write them to the file."""
    from dupgroups_lab.labelling.drawing import draw, read_honeypots, read_pool, shown_documents
    from dupgroups_lab.labelling.store import LabelStore

    known = read_honeypots(honeypots)
    with working("drawing"):
        pool = read_pool(engine, plan.documents)
        items = draw(pool, plan, rules, known)
    documents = shown_documents(engine, items, pool)
    pairs = sum(item.phase == "pairs" and not item.known for item in items)
    sizes = f"{count_noun(pairs, 'pair')} of {count_noun(len(documents), 'document')}"
    stderr().print(f"Drawn: {sizes}, kept in {answers}")
    return LabelStore.create(answers, rules, documents, items)


def _serve(store: LabelStore, host: str, port: int, allow_host: list[str]) -> None:
    import uvicorn

    from dupgroups.web.security import LOOPBACK
    from dupgroups_lab.labelling.labelling_site import SignIn, create_app
    from dupgroups_lab.labelling.study import Study

    local = host in LOOPBACK
    open_ = local and not allow_host  # a proxy brings strangers to loopback
    typer.echo(f"Labelling page: http://{url_host(host)}:{port}/ of {store.path} (Ctrl+C stops it)")
    if not open_:
        lead, assessor, _ = store.secrets()
        typer.echo(f"Token of the lead: {lead}\nToken of assessors: {assessor}")
    hosts = [*LOOPBACK, *allow_host] if local or allow_host else None
    site = create_app(Study(store), SignIn(store.secrets(), open_=open_), hosts=hosts)
    uvicorn.run(site, host=host, port=port, log_level="warning", server_header=False)


def _export(store: LabelStore, answers: Path, pairs: Path | None, documents: Path | None) -> None:
    from dupgroups_lab.labelling.study import Study

    for place in filter(None, (pairs, documents)):
        check_place(place, answers)
    if pairs and documents:
        check_apart(pairs, documents)
    study = Study(store)
    for path, text in ((pairs, study.pairs_csv), (documents, study.documents_jsonl)):
        if path:
            with open_for_writing(path) as file:
                file.write(text())


def _warn_of_drawing(context: typer.Context, answers: Path) -> None:
    """Say which options do nothing, as the pairs are drawn: the first command, typed again, goes on."""
    names = "draw idf documents seed assessors alone only_pairs honeypots honeypot_share".split()
    sources = {name: context.get_parameter_source(name) for name in names}
    given = [name for name, source in sources.items() if source and source.name == "COMMANDLINE"]
    if given:
        told = ", ".join("--" + name.replace("_", "-") for name in given)
        stderr().print(f"{answers} has its pairs already: {told} would need another --answers FILE")


def _window(text: str) -> tuple[float, float]:
    """Two numbers from 0 to 1, ascending. Raises InputError for anything else."""
    number = r"(0(?:\.\d+)?|1(?:\.0+)?|\.\d+)"
    match = re.fullmatch(rf"{number},{number}", text.replace(" ", ""))
    if not match or float(match[1]) >= float(match[2]):
        raise InputError(f"--idf: give two numbers from 0 to 1, the lower one first, not {text!r}")
    return float(match[1]), float(match[2])
