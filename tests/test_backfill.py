"""Backfill: indices that something else filled, on real servers, and our own stores signed anew."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from dupgroups import Deduper, open_engine
from dupgroups.backfill import Backfill, Report
from dupgroups.config import Config, Hosts, Method, Step
from dupgroups.engines import Engine
from dupgroups.engines.foreign import Fields
from dupgroups.engines.url import EngineURL
from dupgroups.errors import ConfigError
from dupgroups.method_set import MethodSet
from dupgroups.model import Page, Query
from es_plugin.clusters import ALL, ONE_OF_EACH, address, ask, servers
from stories import reprints, running_text, story

FIELDS = Fields(text="body", html="raw.html", title="headline", url="link", date="published", language=None)
MAPPING = {
    "dynamic": "strict",
    "_meta": {"owner": "somebody else"},
    "properties": {
        "body": {"type": "text"},
        "raw": {"properties": {"html": {"type": "text", "index": False}}},
        "headline": {"type": "text"},
        "link": {"type": "keyword"},
        "published": {"type": "date"},
        "clicks": {"type": "integer"},
        "tags": {"type": "keyword"},
    },
}


def index_of(engine_url: str) -> str:
    return EngineURL.parse(engine_url, {}).path


def fill(engine_url: str, copies: range, mapping: dict[str, Any] | None = MAPPING) -> None:
    """Documents as another tool writes them: ids of the server's choice, the latest copy first."""
    index = index_of(engine_url)
    if mapping is not None:
        settings = {"number_of_shards": 3, "number_of_replicas": 0}
        ask(engine_url, "PUT", f"/{index}", {"settings": settings, "mappings": mapping})
    lines: list[object] = []
    for name, page in reversed(reprints(stories=8, copies=6).items()):
        number, copy = name[1:].split("/")
        if int(copy) in copies:
            source = {
                "body": page.text,
                "headline": page.title,
                "link": page.url,
                "published": f"2026-01-{int(copy) + 1:02}",
                "clicks": int(copy),
                "tags": [f"story{number}", f"copy{copy}"],
            }
            lines += [{"index": {}}, source]
    body = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
    request = urllib.request.Request(
        f"{address(engine_url)}/{index}/_bulk?refresh=true", body, {"Content-Type": "application/x-ndjson"}
    )
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        assert json.load(answer)["errors"] is False


def everything(engine_url: str) -> dict[str, dict[str, Any]]:
    """All hits by id, with the version of each."""
    index = index_of(engine_url)
    ask(engine_url, "POST", f"/{index}/_refresh")
    body = {"size": 1000, "version": True, "query": {"match_all": {}}}
    return {hit["_id"]: hit for hit in ask(engine_url, "POST", f"/{index}/_search", body)["hits"]["hits"]}


def theirs(hits: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """What the other tool wrote."""
    return {
        id_: {name: value for name, value in hit["_source"].items() if not name.startswith("dup_")}
        for id_, hit in hits.items()
    }


def partition(hits: dict[str, dict[str, Any]], by: Callable[[dict[str, Any]], str]) -> set[frozenset[str]]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for id_, hit in hits.items():
        groups[by(hit["_source"])].add(id_)
    return {frozenset(group) for group in groups.values()}


def backfill(engine_url: str, fields: Fields = FIELDS, **options: Any) -> Report:
    with closing(open_engine(engine_url)) as engine:
        return Backfill(engine, fields, **options).run()


@servers(ALL)
def test_a_foreign_index_is_grouped_in_place(engine_url: str) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, batch=10)
    after = everything(engine_url)
    assert theirs(after) == theirs(before)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        before, lambda source: source["tags"][0]
    )
    assert report.documents == 48
    assert report.failures == {}
    heads = [hit["_source"] for hit in after.values() if hit["_source"]["dup_head"]]
    assert [head["published"] for head in heads] == ["2026-01-01"] * 8  # the oldest names the group
    body = {"collapse": {"field": "dup_group"}, "size": 100, "query": {"match_all": {}}}
    collapsed = ask(engine_url, "POST", f"/{index_of(engine_url)}/_search", body)["hits"]["hits"]
    assert sorted(hit["_source"]["tags"][0] for hit in collapsed) == [f"story{n}" for n in range(8)]
    mapping = ask(engine_url, "GET", f"/{index_of(engine_url)}/_mapping")[index_of(engine_url)]["mappings"]
    assert mapping["_meta"] == {"owner": "somebody else", "dup_groups": {"fields": FIELDS.plain()}}
    with closing(open_engine(engine_url)) as engine:
        assert [check for check in engine.check() if not check.ok] == []


@servers(ONE_OF_EACH)
def test_a_foreign_index_is_grouped_by_its_fields_and_signed_again_when_they_change(engine_url: str) -> None:
    fill(engine_url, range(3))
    before = everything(engine_url)
    backfill(engine_url, config=Config(group_by=("clicks", "tags")))
    assert partition(everything(engine_url), lambda source: source["dup_group"]) == {
        frozenset([id_]) for id_ in before
    }
    assert theirs(everything(engine_url)) == theirs(before)
    assert backfill(engine_url).states["updated"] == 24
    assert partition(everything(engine_url), lambda source: source["dup_group"]) == partition(
        before, lambda source: source["tags"][0]
    )


@servers(ALL)
def test_a_second_run_changes_nothing_and_says_so(engine_url: str) -> None:
    fill(engine_url, range(6))
    assert backfill(engine_url).changed
    once = everything(engine_url)
    report = backfill(engine_url)
    assert not report.changed
    assert report.states == {"unchanged": 48}
    assert everything(engine_url) == once


@servers(ALL)
def test_a_run_that_was_interrupted_goes_on(engine_url: str) -> None:
    fill(engine_url, range(6))

    class Interrupted(Exception):
        pass

    def progress(documents: int) -> None:
        raise Interrupted

    with closing(open_engine(engine_url)) as engine, pytest.raises(Interrupted):
        Backfill(engine, FIELDS, batch=20).run(progress)
    report = backfill(engine_url, batch=20)
    assert report.states["unchanged"] == 20
    after = everything(engine_url)
    assert partition(after, lambda source: source["dup_group"]) == partition(
        after, lambda source: source["tags"][0]
    )


@servers(ALL)
def test_what_comes_later_joins_what_was_grouped(engine_url: str) -> None:
    fill(engine_url, range(3))
    backfill(engine_url)
    names = {hit["_source"]["dup_group"] for hit in everything(engine_url).values()}
    fill(engine_url, range(3, 6), mapping=None)
    report = backfill(engine_url)
    assert report.states == {"unchanged": 24, "joined": 24}
    assert {hit["_source"]["dup_group"] for hit in everything(engine_url).values()} == names


@servers(ALL)
def test_a_dry_run_reports_and_writes_nothing(engine_url: str) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, dry_run=True)
    assert (report.documents, report.groups, report.stories) == (48, 8, 8)
    assert [group.size for group in report.biggest] == [6] * 8
    assert all(group.title.endswith("copy 0") for group in report.biggest)
    assert len(report.pairs) == 10
    assert {pair.verdict.relation for pair in report.pairs} <= {"duplicate", "contains", "contained"}
    assert everything(engine_url) == before
    indices = ask(engine_url, "GET", f"/{index_of(engine_url)}*?expand_wildcards=all")
    assert list(indices) == [index_of(engine_url)]
    assert set(indices[index_of(engine_url)]["mappings"]["properties"]) == set(MAPPING["properties"])  # type: ignore[call-overload]


@servers(ONE_OF_EACH)
def test_html_wins_and_a_document_without_text_is_too_short(engine_url: str) -> None:
    index = index_of(engine_url)
    ask(engine_url, "PUT", f"/{index}", {"mappings": MAPPING})
    paragraphs = "".join(f"<p>{line}</p>" for line in story("x").split("\n"))
    html = f"<html><body><nav>Home Sport</nav><article>{paragraphs}</article></body></html>"
    ask(engine_url, "PUT", f"/{index}/_doc/page", {"raw": {"html": html}, "body": "teaser"})
    ask(engine_url, "PUT", f"/{index}/_doc/dotted", {"raw.html": html})
    ask(engine_url, "PUT", f"/{index}/_doc/text", {"body": [story("x")[:400], story("x")[400:]]})
    ask(engine_url, "PUT", f"/{index}/_doc/empty", {"clicks": 1})
    report = backfill(engine_url)
    assert report.states["too_short"] == 1
    groups = {id_: hit["_source"]["dup_group"] for id_, hit in everything(engine_url).items()}
    assert groups["empty"] == "empty"
    assert groups["page"] == groups["dotted"] == groups["text"]


@servers(ONE_OF_EACH)
def test_indices_that_cannot_be_grouped_are_explained(engine_url: str) -> None:
    index = index_of(engine_url)
    with pytest.raises(ConfigError, match="there is no index"):
        backfill(engine_url)
    ask(engine_url, "PUT", f"/{index}", {"mappings": {"properties": {"dup_group": {"type": "text"}}}})
    with pytest.raises(ConfigError, match="dup_group is text, not keyword"):
        backfill(engine_url)
    ask(engine_url, "PUT", f"/{index}-c", {"mappings": {"properties": {"body": {"type": "text"}}}})
    with pytest.raises(ConfigError, match=r"no field 'contents' .* it has body"):
        backfill(f"{engine_url}-c", Fields(text="contents"))
    ask(engine_url, "PUT", f"/{index}-a", {"aliases": {f"{index}-both": {}}})
    ask(engine_url, "PUT", f"/{index}-b", {"aliases": {f"{index}-both": {}}})
    with pytest.raises(ConfigError, match="stands for 2 indices"):
        backfill(f"{engine_url}-both")


@servers(ONE_OF_EACH)
def test_menus_in_a_foreign_index_are_learned_first_and_tie_nothing(engine_url: str, tmp_path: Path) -> None:
    index, menu = index_of(engine_url), running_text("menu", 40)
    ask(engine_url, "PUT", f"/{index}", {"mappings": MAPPING})
    for at in range(6):
        source = {"body": f"{menu}\n{running_text(str(at), 8)}", "link": f"https://a.example/{at}"}
        ask(engine_url, "PUT", f"/{index}/_doc/{at}", source)
    source = {"body": running_text("3", 8), "link": "https://b.example/copy"}
    ask(engine_url, "PUT", f"/{index}/_doc/copy", source)
    config = Config(hosts=Hosts(str(tmp_path / "hosts.npz"), live=True))
    assert backfill(engine_url, dry_run=True).groups == 2, "one of the menu"
    assert backfill(engine_url, config=config, batch=2).states["new"] == 6
    groups = {id_: hit["_source"]["dup_group"] for id_, hit in everything(engine_url).items()}
    assert len(set(groups.values())) == 6
    assert groups["copy"] == groups["3"]
    assert not backfill(engine_url, config=config).changed


# -- stores of our own

OTHER = Config(methods={"*": Method(signer=Step("minhash", {"size": 4}))})


def groups(engine: Engine) -> dict[str, str]:
    engine.refresh()
    return {document.record.id: document.record.group for document in engine.scan()}


def test_a_store_is_signed_anew_by_other_methods(engine: Engine) -> None:
    Deduper(engine).add_all(reprints().values())
    before, schemes = groups(engine), {document.record.signature.scheme for document in engine.scan()}
    report = Backfill(engine, config=OTHER, batch=5).run()
    assert report.changed
    assert groups(engine) == before
    assert {document.record.signature.scheme for document in engine.scan()} != schemes
    documents = list(engine.scan())
    again = Backfill(engine, config=OTHER).run()
    assert (again.changed, again.states) == (False, {"unchanged": 24})
    assert list(engine.scan()) == documents


FORMER = Config(methods={"*": Method(signer=Step("minhash"))})  # what earlier versions did by default


def test_a_store_of_the_former_default_stays_usable_and_meets_new_copies_once_it_is_signed_again(
    tmp_path: Path,
) -> None:
    first, copy, late = (Page(text=story("a"), id=name, url=f"https://{name}.example/") for name in "abc")
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine, FORMER).add(first)
        assert len(engine.get(["a"])["a"].signature.keys) == 29
        assert Deduper(engine, FORMER).add(copy).group == "a"
        assert Deduper(engine).add(late).group == "c"  # signed otherwise: not compared
        assert engine.outdated(MethodSet().schemes) == 2
        hits = engine.search(Query(story("a").split()[0])).hits
        assert {hit.group for hit in hits} == {"a", "c"}
    doctor = command("doctor", "--engine", url)
    assert doctor.returncode == 1
    assert "2 documents are signed by other methods" in " ".join(doctor.stdout.split())
    assert command("backfill", "--engine", url).returncode == 0
    with closing(open_engine(url)) as engine:
        assert groups(engine) == {"a": "a", "b": "a", "c": "a"}
        assert {len(record.signature.keys) for record in engine.get(["a", "b", "c"]).values()} == {17}
        assert not engine.outdated(MethodSet().schemes)


def test_a_dry_run_over_a_store_writes_nothing(engine: Engine) -> None:
    Deduper(engine).add_all(reprints().values())
    engine.refresh()
    documents = list(engine.scan())
    run = Backfill(engine, config=OTHER, dry_run=True)
    assert run.total == 24
    report = run.run()
    assert (report.groups, report.stories) == (6, 6)
    assert list(engine.scan()) == documents


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "dupgroups", *arguments]
    return subprocess.run(program, capture_output=True, text=True, timeout=120)


def test_the_commands_tell_what_they_did(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(reprints().values())
    dry = command("backfill", "--engine", url, "--dry-run")
    assert "6 groups, 6 of them with more than one document" in dry.stdout
    assert "nothing was written" in dry.stdout
    run = command("backfill", "--engine", url)
    assert run.returncode == 0
    assert "nothing to do" in run.stdout
    doctor = command("doctor", "--engine", url)
    assert doctor.returncode == 0
    assert "ok" in doctor.stdout


def test_doctor_ends_with_1_when_something_is_wrong(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'news.db'}"
    with closing(open_engine(url)) as engine:
        Deduper(engine).add_all(reprints(stories=1).values())
        engine.delete(["s0/0"])
    doctor = command("doctor", "--engine", url)
    assert (doctor.returncode, "WRONG" in doctor.stdout) == (1, True)
    missing = command("backfill", "--engine", "opensearch://127.0.0.1:9/news?retries=0")
    assert missing.returncode == 1
    assert missing.stderr.startswith("dup-groups: opensearch://127.0.0.1:9/news does not answer")


@pytest.mark.parametrize(
    ("options", "useless"),
    [
        (("--dry-run", "--verify"), "--verify would have no effect with --dry-run"),
        (("--undo", "a-run", "--verify"), "--verify would have no effect with --undo"),
    ],
)
def test_options_without_effect_are_refused(tmp_path: Path, options: tuple[str, ...], useless: str) -> None:
    with closing(open_engine(url := f"sqlite:///{tmp_path / 'news.db'}")) as engine:
        Deduper(engine).add(Page(id="a", text=story("a")))
    done = command("backfill", "--engine", url, *options)
    assert (done.returncode, useless in done.stderr) == (1, True)
