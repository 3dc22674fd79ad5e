"""Made stories and their reprints, for tests that need many documents of known truth."""

import random
from functools import cache

from dupgroups import Page
from dupgroups.text.news_words import pages_and_words

FERRY = (
    "The ferry Marrick Queen struck a moored barge in thick fog off Velmar harbour on Monday. Two people are "
    "missing, the coast guard said. The harbour master, Edda Holmqvist, closed the port at noon. Divers did "
    "not search the hull until dusk. A union had warned in January that the line saved money on radar."
)
CHINESE_FERRY = (
    "渡轮昨晚在大雾中撞上驳船。警方说两人失踪。港务长星期一关闭港口。潜水员没有搜查船体。工会曾警告。"
)
SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 2000)]


def story(name: str, words: int = 160) -> str:
    """An English-looking text in six paragraphs that shares nothing with a story of another name."""
    rng = random.Random(name)
    made = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))) for _ in range(words)]
    cut = -(-words // 6)
    return "\n".join(" ".join(made[i : i + cut]).capitalize() + "." for i in range(0, words, cut))


def round_up() -> str:
    """Three stories in one, the first without its first paragraph."""
    return "\n".join(map(story, "abc")).partition("\n")[2]


def chinese_story(name: str, sentences: int = 20) -> str:
    """A Chinese-looking text; every sentence ends in a full stop."""
    rng = random.Random(name)
    made = ["".join(rng.choices(HAN, k=rng.randint(14, 30))) + "。" for _ in range(sentences)]
    return "\n".join("".join(made[i : i + 4]) for i in range(0, sentences, 4))


FUNCTION_WORDS = "the a of to and in is was that it for on with as at by from said there which".split()


def running_text(name: str, sentences: int = 24) -> str:
    """Made English in which, as in real one, nearly half of the words are function words."""
    rng = random.Random(name)
    made = []
    for _ in range(sentences):
        words = [
            rng.choice(FUNCTION_WORDS) if rng.random() < 0.45 else "".join(rng.choices(SYLLABLES, k=3))
            for _ in range(rng.randint(14, 26))
        ]
        made.append(" ".join(words).capitalize() + ".")
    return "\n".join(made)


def running_chinese(name: str, sentences: int = 24) -> str:
    """Made Chinese in which every sixth character is one of the most frequent ones."""
    rng = random.Random(name)
    made = []
    for _ in range(sentences):
        picked = ("的了是在和有不" if rng.random() < 0.16 else HAN for _ in range(rng.randint(18, 36)))
        made.append("".join(map(rng.choice, picked)))
    return "。\n".join(made) + "。"


def reprint(text: str, seed: int) -> str:
    """The text as another site prints it: a dateline before, a source line after, or a cut paragraph."""
    paragraphs = text.split("\n")
    chinese = "。" in text
    front = "本报讯 " if chinese else "WESTBRIDGE (Meridian Wire) - "
    edits = [
        [front + paragraphs[0], *paragraphs[1:]],
        [*paragraphs, "来源:新华" if chinese else "Reporting by our own staff"],
        paragraphs[:-1],
        paragraphs,
    ]
    return "\n".join(edits[seed % len(edits)])


def reprints(stories: int = 6, copies: int = 4) -> dict[str, Page]:
    """Pages by id; the part before "/" is the story, half of them are Chinese."""
    pages = {}
    for number in range(stories):
        text = chinese_story(f"zh{number}") if number % 2 else story(f"en{number}")
        for copy in range(copies):
            id_ = f"s{number}/{copy}"
            url = f"https://site{copy}.example/{number}"
            pages[id_] = Page(url=url, text=reprint(text, copy), title=f"Story {number}, copy {copy}", id=id_)
    return pages


def front_page(links: int = 40) -> str:
    """The HTML of a section page: headlines with the beginnings of their stories, and no article."""
    items = (
        f'<h3><a href="/{n}">Ferry news of {n}</a></h3><p>{story(str(n))[:120]} <a href="/{n}">More</a></p>'
        for n in range(links)
    )
    return f"<title>News</title><div>{'</div><div>'.join(items)}</div>"


@cache
def _news_words() -> list[str]:
    return [word for _, words in pages_and_words()[1] for word in words.split() if word.isascii()]


def news_text(name: str, sentences: int = 24) -> str:
    """A text of words of the news, at random."""
    rng = random.Random(name)
    made = (" ".join(rng.choices(_news_words(), k=rng.randint(8, 16))) for _ in range(sentences))
    return "\n".join(f"{sentence.capitalize()}." for sentence in made)


def misread(text: str, name: str, share: float = 0.03) -> str:
    """The text as a scanner reads it: this share of its characters are other ones."""
    rng = random.Random(f"{name} {text[:20]}")
    return "".join(rng.choice("ceoil") if rng.random() < share and one != "\n" else one for one in text)
