"""Pages of a newspaper that never was, with everything around the story that real ones have."""

HEADLINE = "Harbour ferry collides with pier in thick fog"
STORY = (
    "A passenger ferry with 212 people on board hit the eastern pier of Lindhaven harbour on Thursday, "
    "injuring at least 14, the port authority said.",
    "The vessel was approaching its berth in thick fog when it failed to slow down, said two witnesses "
    "who were waiting for the first sailing of the day.",
    "“There was a long blast of the horn, then the whole pier shook,” said Marta Oyelaran, 41, a teacher.",
    "Divers inspected the hull in the afternoon and found a tear of nearly two metres above the waterline. "
    "The operator cancelled all crossings until Saturday and promised to refund tickets.",
    "It is the third accident in the harbour since 2019. An inquiry after the second one had called for a "
    "new radar, which the city council postponed twice.",
)
HEADLINE_ZH = "大雾中渡轮撞上码头"
STORY_ZH = (
    "林港市港务局星期四表示，一艘载有二百一十二名乘客的渡轮当天清晨在浓雾中撞上东码头，至少十四人受伤。",
    "据两名等候首班船的目击者说，渡轮靠泊时没有减速，鸣笛之后整个码头都在震动。",
    "潜水员下午检查了船体，在水线以上发现一道近两米长的裂口。运营公司宣布，星期六之前停航，并将退还票款。",
    "这是二〇一九年以来港内发生的第三起事故。第二起事故后的调查报告曾要求安装新雷达，但市议会两次推迟了这项开支。",
)


def news_page(
    headline: str = HEADLINE, story: tuple[str, ...] = STORY, *, lang: str = "en", head: str = ""
) -> str:
    """An article in a common layout."""
    menu = "".join(
        f'<li><a href="/{section}">{section.title()}</a></li>' for section in "home world city sport".split()
    )
    related = "".join(f'<li><a href="/{n}">Council delays vote on item {n} again</a></li>' for n in range(6))
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in story)
    return f"""<!doctype html><html lang="{lang}"><head><title>{headline} | The Lindhaven Courier</title>
    <meta property="og:site_name" content="The Lindhaven Courier">{head}</head><body>
    <header class="site-header"><nav class="menu"><ul>{menu}</ul></nav></header>
    <main><article class="article"><h1 class="headline">{headline}</h1>
    <div class="byline">By <a href="/staff">Jo Brandt</a> </div>
    <div class="share-buttons"><a href="#">Share</a> <a href="#">Tweet</a></div>
    <div class="article-body">{paragraphs}</div></article>
    <aside class="related"><h3>Related</h3><ul>{related}</ul></aside>
    <section class="comments"><h3>2 comments</h3><div class="comment">fog again</div></section></main>
    <footer class="site-footer"><p>© 2024 The Lindhaven Courier. All rights reserved.</p>
    <a href="/imprint">Imprint</a></footer></body></html>"""


def front_page() -> str:
    """A section front: teasers of a line each, nothing to read."""
    teasers = "".join(
        f'<div class="teaser"><h3><a href="/story/{n}">Council delays vote on item {n} again</a></h3>'
        f"<p>The city council has put off item {n}.</p></div>"
        for n in range(30)
    )
    return f"""<html lang="en"><head><title>City news | The Lindhaven Courier</title></head>
    <body><h1>City news</h1><div class="teasers">{teasers}</div><footer>© 2024</footer></body></html>"""


QUESTION = "My bike computer shows double the speed since I changed the front wheel. What did I do wrong?"
REPLIES = (
    "Set the circumference again, it still has the one of the old wheel.",
    "Are there two magnets on the spokes now? That would be exactly double.",
    "Same here, it was the second magnet. Took me a week to find!",
    "Thanks, there were two of them. Works now.",
)


def forum_page() -> str:
    """A thread of a forum: a question and short replies, each with the name and the place of its author."""
    posts = "".join(
        f'<li class="post" id="p{n}"><div class="postprofile"><a href="/u/{n}">rider{n}</a>'
        f"<div>Posts: {n}31</div></div>"
        f'<div class="postbody"><div class="content">{text}</div></div>'
        f'<ul class="buttons"><li><a href="/quote/{n}">Quote</a><li><a href="/report/{n}">Report</a></ul>'
        for n, text in enumerate((QUESTION, *REPLIES))
    )
    return f"""<html lang="en"><head><title>Speed doubled - Wheel Forum</title></head><body>
    <nav class="navbar"><ul><li><a href="/">Board index</a></li><li><a href="/faq">FAQ</a></li></ul></nav>
    <h2 class="topic-title"><a href="/t/1">Speed doubled</a></h2><ol class="topic">{posts}</ol>
    <div class="pagination">5 posts</div><footer>Powered by a board</footer></body></html>"""


def numbered_front(number: int) -> str:
    """One of many section fronts, each with its `number`."""
    teasers = "".join(
        f'<li><a href="/video/{n}/">Council delays vote on item {n + number} again</a></li>'
        for n in range(30)
    )
    return f"<html><title>Front {number}</title><body><ul>{teasers}</ul><p>Weather: rain.</p></body>"
