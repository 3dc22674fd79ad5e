"""Dry runs, which documents of other tools count as what, and our own stores signed anew."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import cast

from commands import cli
from dupgroups import Deduper, Page, open_engine
from dupgroups.bulk.resign import sign_again, try_out
from dupgroups.engines import Engine
from dupgroups.model import Document, Query
from es_plugin.backfill.external import MAPPING, OTHER, backfill, by_group, fill, put
from es_plugin.clusters import ONE_OF_EACH, ask, everything, index_of, mapping_of, servers
from flow.scenes import groups
from stories import front_page, reprints, story
from watched import Watched


@servers(ONE_OF_EACH)
def test_a_dry_run_reports_and_writes_nothing(engine_url: str, tmp_path: Path) -> None:
    fill(engine_url, range(6))
    before = everything(engine_url)
    report = backfill(engine_url, tmp_path, writes=False)
    assert (report.documents, report.groups, report.stories) == (48, 8, 8)
    assert not list(tmp_path.iterdir())
    assert [(group.size, group.title[-6:]) for group in report.biggest] == [(6, "copy 0")] * 8
    assert len(report.pairs) == 10
    assert {pair.verdict.relation for pair in report.pairs} <= {"duplicate", "contains", "contained"}
    assert everything(engine_url) == before
    index = index_of(engine_url)
    assert list(ask(engine_url, "GET", f"/{index}*?expand_wildcards=all")) == [index]
    assert set(mapping_of(engine_url)["properties"]) == set(MAPPING["properties"])  # type: ignore[call-overload]
    assert backfill(engine_url, tmp_path).states == report.states


@servers(ONE_OF_EACH)
def test_html_wins_and_a_document_without_text_is_too_short(engine_url: str, tmp_path: Path) -> None:
    ask(engine_url, "PUT", f"/{index_of(engine_url)}", {"mappings": MAPPING})
    paragraphs = "".join(f"<p>{line}</p>" for line in story("x").split("\n"))
    html = f"<html><body><nav>Home Sport</nav><article>{paragraphs}</article></body></html>"
    put(engine_url, "page", {"raw": {"html": html}, "body": "teaser"})
    put(engine_url, "dotted", {"raw.html": html})
    put(engine_url, "text", {"body": [story("x")[:400], story("x")[400:]]})
    put(engine_url, "empty", {"clicks": 1})
    assert backfill(engine_url, tmp_path).states == {"not_article": 1, "new": 1, "joined": 2}
    assert by_group(everything(engine_url)) == {frozenset(["empty"]), frozenset(["page", "dotted", "text"])}


@servers(ONE_OF_EACH)
def test_pages_that_are_no_articles_stay_alone_and_are_counted_and_no_hits(engine_url: str) -> None:
    """Unless they are kept; whatever else searches the index finds them in any case."""
    ask(engine_url, "PUT", f"/{index_of(engine_url)}", {"mappings": MAPPING})
    front = {"raw": {"html": front_page()}, "headline": "News", "link": "http://a.example/news/"}
    put(engine_url, "front", front)
    put(engine_url, "again", front)
    put(engine_url, "text", {"body": story("x")})
    fields = "text=body,html=raw.html,title=headline,url=link,date=published,language="
    words = ("backfill", "--engine", engine_url, "--fields", fields)
    assert cli(*words, "--dry-run").stdout.startswith("3 documents: 2 not article, 1 new\n")
    assert cli(*words).stdout == "3 documents: 2 not article, 1 new\n"
    assert by_group(everything(engine_url)) == {frozenset([name]) for name in ("front", "again", "text")}
    with closing(open_engine(engine_url)) as engine:
        engine.refresh()
        assert engine.search(Query()).documents == 1
    assert "not article" not in cli(*words, "--not-article", "keep").stdout


def test_a_store_is_signed_anew_by_other_methods(engine: Engine) -> None:
    flow = Deduper(engine)
    flow.add_all(reprints().values())
    flow.correct("keep-apart", "s0/0", "s0/1", by="ann")
    before, documents = groups(engine), list(engine.scan())
    report = try_out(engine, OTHER)
    assert (report.groups, len(report.pairs)) == (len({*before.values()}), 10)
    assert list(engine.scan()) == documents
    assert sign_again(engine, OTHER, batch=5).states == report.states == {"updated": 12, "unchanged": 12}
    assert groups(engine) == before
    signed = list(engine.scan())
    schemes, former = ({one.record.signature.scheme for one in some} for some in (signed, documents))
    assert schemes != former
    again = sign_again(engine, OTHER)
    assert (again.changed, again.states) == (False, {"unchanged": 24})
    assert list(engine.scan()) == signed
    assert sign_again(engine, OTHER, everything=True).states == {"updated": 24}
    engine.refresh()
    assert list(engine.scan()) == signed


def test_what_others_wrote_and_deleted_since_it_was_read_stays_so(engine: Engine) -> None:
    crawl = Deduper(engine)
    crawl.add_all([Page(id=id_, text=story(id_)) for id_ in "abc"])
    seen = engine.get(["c"])["c"].last_seen  # what failed since then is newer: see `replay`

    def scan() -> Iterator[Document]:
        yield from list(engine.scan())
        crawl.add(Page(id="a", text=story("new")))
        crawl.delete(["b"])

    report = sign_again(cast(Engine, Watched(engine, scan=scan)), OTHER)
    assert report.states == {"changed_meanwhile": 2, "updated": 1}
    assert engine.get(["c"])["c"].last_seen == seen
    texts = {document.record.id: document.content.text for document in engine.scan()}
    assert texts == {"a": story("new"), "c": story("c")}
