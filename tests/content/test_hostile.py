"""Laws that hold for any bytes, and most of all for those that somebody chose to break a parser with."""

from hypothesis import given
from hypothesis import strategies as st

from content.pages import HEADLINE_ZH, STORY, STORY_ZH, news_page
from dupgroups.content import EXTRACTORS, extract
from dupgroups.content.blocks import divide
from dupgroups.model import Content, Page
from dupgroups.text.decoding import decode
from properties import met, must_meet

URL = "https://courier.example/2024/11/07/ferry"

# elements that swallow what follows, leave their place, switch the parser's mode or are never closed
MARKUP = """
<plaintext> <script> <script><!--<script> </script> <!-- --> <!--> <![CDATA[ ]]> <!doctype <? </ < >
<style> <textarea> <title> <xmp> <listing> <noscript> <noframes> <frameset><frame> <iframe> <template><td>
<template> </template> <table> <table><tr><td> </table> <caption> <select><option> <form> <button> <ruby><rt>
<svg> <svg><title> <svg><foreignObject> <svg><![CDATA[ <math><mi> <math><annotation-xml> </svg> </math>
<html> <head> <body> </body> </html> <p> </p> <div> </div> <br> <h1> <article> <nav> <li> <a> </a> <b><i></b>
""".split()
ATTRIBUTES = [
    *("<p hidden>", "<div style='DISPLAY : NONE'>", "<div class='", '<a href="', f"<div {'a ' * 3_000}>"),
    *(f'<div class="article {"x" * 50_000}">', "<time datetime=99999-99-99T99:99>", "<html lang='\0'>"),
]
DEEP = ["<div>" * 10_000, "<a href=x>" * 2_000, "</div>" * 400, "<b>" * 60, "<font>" * 200, "\0" * 400]
LIES = [
    *"utf-8 utf-16 utf-7 gb2312 big5 iso-2022-jp hz x-user-defined undefined punycode zlib hex".split(),
    "\0",
]
JSON_LD = [
    *("[" * 20_000, '{"@graph":[' * 2_000, "9" * 5_000, "null"),
    '{"@type":[["NewsArticle"]],"datePublished":{},"headline":[1],"author":[[{"name":[]}]],"image":[[]]}',
    r'{"@type":"NewsArticle","author":"Jo \ud800","image":"/\ud800","datePublished":"\ud800"}',
    '{"@type":"NewsArticle","image":"http://[","url":1e999,"datePublished":NaN}',
]
METADATA = [
    *("<link rel=canonical href='http://[::'>", "<link rel=canonical href=//>", "<base href='http://['>"),
    *("<meta property=og:url content='http://a:99999999/'>", "<meta property=og:image content='http://[::'>"),
    "<meta property=article:published_time content='0000-00-00T99:99'>",
    *(f"<meta charset='{label}'>" for label in LIES),
    *(f"<script type=application/ld+json>{payload}</script>" for payload in JSON_LD),
]
ENTITIES = "& &# &#x &#0; &#xD800; &#1114112; &#99999999999999999999; &notin &lt;script&gt;".split()
STORIES = [
    *(line.encode() for line in (*STORY, *STORY_ZH)),
    *(STORY_ZH[0].encode("gb18030"), STORY_ZH[0].encode("big5", "replace"), STORY[0].encode("utf-16")),
    news_page().encode(),
]
BYTES = [
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"),  # byte order marks
    *(b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80" * 40, b"\xff" * 40, b"\x1b$B", b"\r", b"\x0b", b"\x85"),
    *("\u202e\u2028\ufeff".encode(), "\u0301".encode() * 400, bytes(range(256)).replace(b"&", b"")),
    *(b"x" * 20_000, b"a b " * 1_000, "。".encode() * 1_000, b"%PDF-1.4 \xe2\xe3\xcf\xd3 stream"),
]
PLAIN = [*(snippet.encode() for snippet in (*MARKUP, *ATTRIBUTES, *DEEP, *METADATA)), *STORIES, *BYTES]

extractors = st.sampled_from(sorted(EXTRACTORS))
labels = st.sampled_from([None, "", "iso-8859-1", "no-such", "\ud800", *LIES])
urls = st.sampled_from(
    [None, "", URL, "//", "data:,", "http://[::1", "http://a:99999999/", "http://\udcff/\0"]
)
junk = st.binary(max_size=8).map(lambda data: data.replace(b"&", b""))  # what entities say, HTML knows best
plain = st.lists(st.sampled_from(PLAIN) | junk, max_size=14).map(b"".join)
entities = st.sampled_from([entity.encode() for entity in ENTITIES])
anything = st.lists(st.sampled_from(PLAIN) | entities | st.binary(max_size=8), max_size=14).map(b"".join)


def check(content: Content) -> None:
    assert 0 <= content.article <= 1
    values = (content.text, content.title, content.author, content.date, content.site, content.image)
    assert all(value is None or value.encode() is not None for value in values)  # can be stored anywhere


@given(anything, extractors, labels, urls)
def test_any_bytes_give_one_content(html: bytes, name: str, label: str | None, url: str | None) -> None:
    page = Page(url, html, encoding=label)
    content = extract(page, extractor=name)
    check(content)
    assert content == extract(page, extractor=name)
    check(extract(Page(url, html.decode("utf-8", "surrogateescape")), extractor=name))  # half characters


@must_meet()
@given(plain, extractors, labels)
def test_every_line_stands_on_the_page_in_order(html: bytes, name: str, label: str | None) -> None:
    lines = extract(Page(URL, html, encoding=label), extractor=name).text.splitlines()
    met(lines)
    source = decode(html, label)
    blocks = iter([block.text for block in divide(source).blocks])
    assert all(line in blocks for line in lines)
    for line in lines:
        characters = iter(source.replace("\0", "\N{REPLACEMENT CHARACTER}"))  # as HTML has it
        assert all(character in characters for character in line if not character.isspace())


TAGS = "script style template noscript textarea title".split()
unseen = st.sampled_from(
    [
        *(f"<{tag}>{STORY[0]}<p>{STORY[1]}</p></{tag}>" for tag in TAGS),
        *(
            f"<!--{STORY[0]}<p>-->",
            f"<svg><text>{STORY[0]}</text></svg>",
            f"<math><mi>{STORY[0]}</mi></math>",
        ),
        *(f'<p title="{STORY[0]}"></p>', "<div><!----></div>", "\n"),
    ]
)


@given(st.lists(unseen, min_size=1, max_size=5), st.integers(0, 4), st.sampled_from([STORY, STORY_ZH]))
def test_what_nobody_sees_changes_no_block(inserted: list[str], place: int, story: tuple[str, ...]) -> None:
    page = news_page(HEADLINE_ZH, story)
    begin, middle, end = page.partition(f"<p>{story[min(place, len(story) - 1)]}</p>")
    changed, plain = divide(begin + "".join(inserted) + middle + end), divide(page)
    assert (changed.blocks, changed.boxes, changed.ends) == (plain.blocks, plain.boxes, plain.ends)
