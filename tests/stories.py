"""Made stories and their reprints, for tests that need many documents of known truth."""

from __future__ import annotations

import random

from dupgroups import Page

SYLLABLES = "ba den for gar hil jun kal lom mer nor pel quin ros sten tal und vor wex yar zim".split()
HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 2000)]


def story(name: str, words: int = 160) -> str:
    """An English-looking text in six paragraphs that shares nothing with a story of another name."""
    rng = random.Random(name)
    made = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))) for _ in range(words)]
    cut = words // 6
    return "\n".join(" ".join(made[i : i + cut]).capitalize() + "." for i in range(0, words, cut))


def chinese_story(name: str, sentences: int = 20) -> str:
    """A Chinese-looking text; every sentence ends in a full stop."""
    rng = random.Random(name)
    made = ["".join(rng.choices(HAN, k=rng.randint(14, 30))) + "。" for _ in range(sentences)]
    return "\n".join("".join(made[i : i + 4]) for i in range(0, sentences, 4))


def reprint(text: str, seed: int) -> str:
    """The text as another site prints it: a dateline in front, a source line behind, or a cut paragraph."""
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
            own = f"s{number}/{copy}"
            url = f"https://site{copy}.example/{number}"
            pages[own] = Page(url=url, text=reprint(text, copy), title=f"Story {number}, copy {copy}", id=own)
    return pages
