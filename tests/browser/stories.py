"""Documents for the search tests: a story in five copies, a Chinese one in two, a hostile one, singles."""

from dataclasses import replace

from dupgroups.flow.signing import measure_record
from dupgroups.model import Content, Document, Page, Record, Signature
from dupgroups_demo import build

FERRY = (
    "Two people were missing on Wednesday after the ferry Lady Amberly struck a moored barge in thick fog, "
    "the coast guard said.\nThe captain of the ferry had slowed down twice before the collision.\n"
    "Divers searched until dark."
)
TEA = "拍卖行周三表示，今年第一批春茶以创纪录的价格成交。\n买家来自三个城市，其中一位是第一次参加春茶拍卖。"
PICTURE = "https://pictures.example/ferry.png"
HOSTILE_TITLE = "<img src=x onerror=alert(1)><script>alert('title')</script>"
HOSTILE_TEXT = (
    "<script>alert('body')</script> Attack \ue001\ue000</mark><b>markers\ue000 & words about a ferry."
)


def document(
    id_: str,
    group: str,
    site: str,
    title: str,
    text: str,
    *,
    language: str = "en",
    date: str | None = "2026-03-04",
    url: str | None = None,
    author: str = "",
    image: str | None = None,
) -> Document:
    """A stored document; the order of ids is the order of arrival."""
    host = f"{site.lower().replace(' ', '-')}.example"
    url = url or f"https://{host}/news/{id_}.html"
    content = Content(text, title, date, language, url, site, author=author, image=image)
    seen = int.from_bytes(id_.encode()[:4], "big")
    return Document(
        measure_record(Record(id_, group, host, Signature("test"), seen, seen, id_), content), content
    )


def stories() -> list[Document]:
    """Five copies of a ferry story, two of a Chinese one, a hostile document, two singles: five groups."""
    ferry = [
        document("a1", "a1", "Westbridge Courier", "Two missing after ferry strikes barge in fog", FERRY),
        document("a2", "a1", "The Ashvale Post", "Ferry and barge collide in fog", FERRY, date="2026-03-05"),
        document("a3", "a1", "Kessel Herald", "Fog blamed as Lady Amberly hits barge", FERRY),
        document("a4", "a1", "Halvern Wire", "Two missing in ferry collision", FERRY,
                 author="Jo Brandt, 李明", image=PICTURE),
        document("a5", "a1", "Morning Ledger", "Two missing after ferry strikes barge", FERRY),
    ]  # fmt: skip
    tea = [
        document("b1", "b1", "云溪日报", "春茶拍卖创下新高", TEA, language="zh", author="李明"),
        document("b2", "b1", "东湖晚报", "今年春茶拍出纪录价格", TEA, language="zh"),
    ]
    hostile = document(
        "c1", "c1", "Evil <i>Site</i>", HOSTILE_TITLE, HOSTILE_TEXT,
        url="javascript:alert('url')", author="<b>Evil</b>", image="javascript:alert('image')",
    )  # fmt: skip
    clock = "The clock was found in a barn. " * 3
    museum = document("d1", "d1", "The Ashvale Post", "Stolen clock returns to the museum", clock)
    undated = document(
        "e1", "e1", "Halvern Wire", "", "A report without a title or a date, about a harbour.", date=None
    )
    return [*ferry, *tea, hostile, museum, undated]


MORNING = 1_772_618_700_000_000  # 4 March 2026, 10:05 UTC


def widespread() -> list[Document]:
    """A story with twelve copies on one site, and one on each of twenty-one others, seen 20 minutes apart."""
    title = "Bridge closed after storm"
    updates = [
        document(f"w{hour:02}", "w00", "Kessel Herald", title, FERRY, date=f"2026-03-04T{hour:02}:05:00Z",
                 url=f"https://kessel-herald.example/storm/update-{hour}.html")
        for hour in range(12)
    ]  # fmt: skip
    others = [document(f"x{number:02}", "w00", f"Paper {number:02}", title, FERRY) for number in range(21)]
    return [seen(story, MORNING + 1_200_000_000 * at) for at, story in enumerate([*updates, *others])]


def seen(story: Document, at: int) -> Document:
    return Document(replace(story.record, first_seen=at, last_seen=at), story.content)


def bare() -> Document:
    """A document of which only the text is known."""
    text = document("t1", "t1", "", "", "A harbour report of which nothing else is known. " * 9, date=None)
    content = replace(text.content, url=None, language="")
    return replace(text, record=replace(text.record, host=""), content=content)


def demo_pages() -> list[Page]:
    """The articles of the demo."""
    found = [(site.url + page.path, page) for site in build() for page in site.pages if page.article]
    return [Page(url=url, html=page.body) for url, page in found]
