"""Noise as scanners, speech recognition, narrow columns, broken charsets and editors leave it in texts.

It is drawn by the id of a document: two copies are hit in different places, and the same way in every run.

| kind | what it does | the share is that of |
|---|---|---|
| ocr | confuses characters with similar ones (3 of 5), loses, doubles or adds them | characters |
| asr | takes words for others of a similar sound; no punctuation, no capitals | words |
| hyphen | cuts lines after 38 characters, inside of words with a hyphen | lines so cut |
| runon | runs words together; in Chinese: puts blanks between characters | blanks |
| charset | shows characters as "?" | characters |
| cut | leaves out paragraphs, but never the last one | paragraphs |
| traditional | ocr; half of the documents are in traditional Chinese characters | characters |

Errors of characters, and how often they happen: T.-T.-H. Nguyen, A. Jatowt, M. Coustaty, N.-V. Nguyen, A.
Doucet: Deep Statistical Analysis of OCR Errors for Effective Post-OCR Processing (JCDL 2019). Which are
confused: G. Nagy, T. A. Nartker, S. V. Rice: Optical Character Recognition: an Illustrated Guide (SPIE 1999).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib.resources import files
from random import Random

from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page
from dupgroups.text.words import load_opencc

_LINES = (files(__package__) / "similar_letters.txt").read_text("utf-8").splitlines()
_SIMILAR_LETTERS = {first: others for first, *others in map(str.split, _LINES)}
_WORD, _PUNCTUATION = re.compile(r"[㐀-鿿]|[^\W㐀-鿿][\w'’]*"), re.compile(r"[^\w\s'’]+")


def _ocr(text: str, share: float, chance: Random) -> str:
    def seen(match: re.Match[str]) -> str:
        character, kind = match[0], chance.random()
        if kind < 0.6:
            return chance.choice(_SIMILAR_LETTERS.get(character) or [chance.choice(text)])
        return "" if kind < 0.8 else character + chance.choice((character, ".", "'", "-", " "))

    return _hit(".", seen, text, share, chance)


def _asr(text: str, share: float, chance: Random) -> str:
    words: list[str] = sorted(set(_WORD.findall(text.lower())))

    def heard(match: re.Match[str]) -> str:
        alike = [word for word in words if word[0] == match[0][0] and abs(len(word) - len(match[0])) < 2]
        others = _SIMILAR_LETTERS.get(match[0]) or ["", *(alike if len(match[0]) > 1 else words)]
        return chance.choice(others)

    return _hit(_WORD, heard, _PUNCTUATION.sub(" ", text.lower()), share, chance)


def _runon(text: str, share: float, chance: Random) -> str:
    if text.count(" ") > len(text) / 20:
        return _hit(" ", lambda match: "", text, share, chance)
    return _hit("[㐀-鿿](?=[㐀-鿿])", lambda match: f"{match[0]} ", text, share, chance)


def _hit(
    what: str | re.Pattern[str],
    noise: Callable[[re.Match[str]], str],
    text: str,
    share: float,
    chance: Random,
) -> str:
    return re.sub(what, lambda match: noise(match) if chance.random() < share else match[0], text)


def _traditional(text: str, share: float, chance: Random) -> str:
    return _ocr(load_opencc("s2t")(text) if chance.random() < 0.5 else text, share, chance)


_KINDS: dict[str, Callable[[str, float, Random], str]] = {
    "ocr": _ocr,
    "asr": _asr,
    "hyphen": lambda *noise: _hit(r"[^\n]{37}\w(?=\w\w)", lambda match: f"{match[0]}-\n", *noise),
    "runon": _runon,
    "charset": lambda *noise: _hit(r"[^\s]", lambda match: "?", *noise),
    "cut": lambda *noise: _hit(r".+\n+", lambda match: "", *noise),
    "traditional": _traditional,
}


def add_noise(kind: str, text: str, share: float, chance: Random) -> str:
    """A text with noise of a kind of the table above, in this share of it."""
    return _KINDS[kind](text, share, chance)


def noisy(pages: Iterable[Page], noise: str) -> Iterator[Page]:
    """The pages with noise in their texts: "ocr:0.02", or "ocr:0.02:half", which spares half of them. Raises
    ConfigError for any other noise, and InputError for a page without a text.
    """
    match = re.fullmatch(rf"({'|'.join(_KINDS)}):(0?\.\d+|[01])(:half)?", noise)
    if not match:
        kinds = ", ".join(_KINDS)
        raise ConfigError(
            f"{noise!r} is not noise: give KIND:SHARE, with a share from 0 to 1 and a kind of {kinds}"
        )
    for page in pages:
        if page.text is None:
            raise InputError("noise is for texts, and some documents are read from html: give --fields html=")
        chance = Random(f"{match[1]} {page.id}".encode("utf-8", "surrogatepass"))  # noqa: S311
        spared = match[3] and chance.random() < 0.5
        yield page if spared else replace(page, text=add_noise(match[1], page.text, float(match[2]), chance))
