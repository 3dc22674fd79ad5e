"""Which fields of a mapping a search uses: pure, without a server."""

from typing import Any

import pytest

from dupgroups.errors import ConfigError
from dupgroups.model import Query
from dupgroups.model.field_names import Fields
from dupgroups.text.query_syntax import parse
from dupgroups_es import search_queries
from dupgroups_es.document_source import AdoptedForm, page_of
from dupgroups_es.external_index import explain_unfit
from dupgroups_es.layout import Layout
from dupgroups_es.mapping import adoption, index_body, kept_fields, missing_fields
from engines.documents import document

Body = dict[str, Any]
Properties = dict[str, Any]

KEYWORD = {"type": "keyword"}
TEXT = {"type": "text"}


def layout(properties: dict[str, Any], fields: Fields | None = None) -> Layout:
    return Layout.of_adopted({"properties": properties}, fields or Fields())


@pytest.mark.parametrize(
    ("fields", "usable"),
    [
        ({"site": KEYWORD}, "site"),
        ({"site": TEXT}, None),
        ({"site": TEXT | {"fields": {"raw": KEYWORD}}}, "site.raw"),
        ({"site": KEYWORD | {"doc_values": False}}, None),
        ({"site": KEYWORD | {"index": False, "fields": {"raw": KEYWORD}}}, "site.raw"),
        ({"dup_host": KEYWORD}, "dup_host"),
        ({"dup_host": KEYWORD, "site": TEXT}, None),
        ({"dup_host": KEYWORD | {"index": False}}, None),
    ],
)
def test_what_is_of_type_keyword_is_filtered_and_hosts_stand_for_sites(
    fields: dict[str, Any], usable: str | None
) -> None:
    assert layout(fields).site == usable


def test_texts_are_searched_where_they_are_indexed_as_texts() -> None:
    both = layout({"title": KEYWORD | {"fields": {"words": TEXT}}, "text": TEXT})
    assert both.texts == ("title.words^3", "text")
    assert not both.only_titles
    assert layout({"title": TEXT, "text": TEXT | {"index": False}}).only_titles
    assert layout({"title": KEYWORD, "text": TEXT | {"index": False}}).texts == ()
    html = Fields(text=None, html="a.page")
    assert layout({"a": {"properties": {"page": TEXT}}}, html).texts == ("a.page",)
    assert layout({"a": {"type": "nested", "properties": {"page": TEXT}}}, html).texts == ()


def test_names_with_dots_are_fields_where_there_are_no_subobjects() -> None:
    assert layout({"meta.page": TEXT}, Fields(text="meta.page")).texts == ("meta.page",)


def test_a_copy_that_is_in_no_document_is_no_text() -> None:
    mapping = {"properties": {"body": TEXT | {"copy_to": "all"}, "all": TEXT}}
    assert explain_unfit("articles", mapping, Fields(text="body", html=None)) == ""
    problem = explain_unfit("articles", mapping, Fields(text="all", html=None))
    assert problem.endswith(
        "a copy (copy_to) that no document has: name what it is copied from, such as body"
    )


def test_a_query_for_what_an_index_does_not_have_is_refused_with_the_cure() -> None:
    bare = layout({"text": TEXT | {"index": False}})
    for query, problem in (
        (Query("ferry"), "neither the title nor the text"),
        (Query(since="2026-01-01"), "--fields date=FIELD --change-fields"),
        (Query(author="A. Lee"), "--fields author=FIELD --change-fields"),
    ):
        assert problem in bare.explain_unfit(query)
    assert bare.explain_unfit(Query()) == ""


def test_only_fields_of_the_mapping_are_written_and_html_never() -> None:
    assert layout({"text": TEXT, "title": TEXT}).written == {"text", "title"}
    assert "image" in Layout.of_adopted({"dynamic": "false", "properties": {}}, Fields()).written
    assert layout({"page": TEXT, "text": TEXT}, Fields(html="page")).written == {"text"}


def test_a_crawl_writes_only_where_its_text_has_a_place() -> None:
    new = document("a", text="The ferry sank.", date="2026-03-03T00:00:00Z")
    only_html = AdoptedForm(layout({"page": TEXT}, Fields(html="page")))
    assert "keeps html" in only_html.explain_unwritable(new, {})
    assert "keeps html" in only_html.refusal()
    mapped = layout({"page": TEXT, "text": TEXT, "date": {"type": "date"}}, Fields(html="page"))
    both = AdoptedForm(mapped)
    assert both.refusal() == ""
    assert both.explain_unwritable(new, {}) == ""
    assert "keeps html" in both.explain_unwritable(new, {"page": "<p>"})
    stored = {"text": "The ferry sank.", "date": 1_772_496_000_000}
    assert {"text", "date"} & both.source(new, stored).keys() == set(), "what is there stays as it is"
    assert {"text", "date"} <= both.source(new, {}).keys()


def asked(text: str, fields: Properties, *, any_word: bool = False) -> Body:
    """The boolean query for a text in an adopted index with these fields."""
    query, adopted = Query(text, any_word=any_word), layout(fields)
    search = parse(text, any_word=any_word)
    body: Body = search_queries.matching(query, search, adopted)["bool"]
    return body


def test_phrases_and_prefixes_are_left_to_the_analyzers_unless_the_index_has_words_of_our_own() -> None:
    theirs = {"text": TEXT, "title": TEXT}
    ours = {"text": TEXT, "words": index_body()["mappings"]["properties"]["words"]}
    assert asked("ferry", ours)["must"] == [{"term": {"words": "ferry"}}]
    assert asked("floo*", ours)["must"] == [{"prefix": {"words": "floo"}}]
    (prefix,) = asked("floo*", theirs)["must"]
    assert (prefix["multi_match"]["type"], prefix["multi_match"]["query"]) == ("phrase_prefix", "floo")
    for fields in (theirs, ours):
        (phrase,) = asked('"night train"', fields)["must"]
        assert (phrase["multi_match"]["type"], phrase["multi_match"]["query"]) == ("phrase", "night train")


def test_a_field_map_is_kept_as_plain_values_and_comes_back() -> None:
    fields = Fields("body", None, "a.title", None, None, group_by=("tenant",))
    changes = adoption({"_meta": {"owner": "x"}, "properties": {"body": TEXT}}, fields)
    assert changes["_meta"]["owner"] == "x"
    kept = kept_fields(changes)
    assert kept == fields
    assert missing_fields(changes) == []
    assert adoption(changes, fields) == {}
    assert kept_fields({"_meta": {"dup_groups": {"version": 1}}}) is None
    assert kept_fields({"_meta": {"dup_groups": "x"}}) is kept_fields({}) is None


@pytest.mark.parametrize("names", [[], "x", None, {"text": 1}, {"text": "a", "group_by": 3}, {"title": "a"}])
def test_a_damaged_field_map_is_an_error_in_a_sentence(names: object) -> None:
    with pytest.raises(ConfigError):
        Fields.from_json(names)


def test_an_index_takes_the_values_that_files_take() -> None:
    source = {"text": ["One.", "Two."], "title": ["A", "b"], "url": ["http://a.example/", "x"]}
    odd = {"date": {"$date": 1_772_496_000_000}, "language": [float("nan"), "de"]}
    page = page_of({"_id": "1", "_source": source | odd}, Fields())
    assert (page.text, page.title, page.url) == ("One.\nTwo.", "A b", "http://a.example/")
    assert (page.date, page.language) == ("2026-03-03T00:00:00Z", "de")
