"""Noise as scanners, speech recognition, narrow columns and broken charsets leave it in texts.

Noise is drawn by the id of a document: two copies are hit in different places, and the same documents always
give the same texts.

| kind | what it does | the share is that of |
|---|---|---|
| ocr | confuses characters with similar ones (3 of 5), loses them, doubles them or puts points beside them | characters |
| asr | takes words for others of the same or a similar sound; no punctuation, no capitals | words |
| hyphen | cuts lines after 38 letters, inside of words with a hyphen | lines so cut |
| runon | runs words together; Chinese: puts blanks between characters | blanks |
| charset | shows characters as "?" | characters |
| traditional | ocr, after each second document has been written in traditional Chinese characters | characters |

What happens to characters, and how often: T.-T.-H. Nguyen, A. Jatowt, M. Coustaty, N.-V. Nguyen, A. Doucet:
Deep Statistical Analysis of OCR Errors for Effective Post-OCR Processing (JCDL 2019). Which are confused:
G. Nagy, T. A. Nartker, S. V. Rice: Optical Character Recognition: an Illustrated Guide (SPIE 1999).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from dupgroups.errors import ConfigError, InputError
from dupgroups.model import Page

_SHAPES = (
    "e c o,c e o,o 0 c,l 1 i I,i l 1 j,t f r,f t,r n,n ri u,u n v,h b li,b h 6,s 5,g q 9,m rn nn,d cl,w vv,a o e,"
    "y v,v y,k lc,p n,B 8,8 B 3,3 8,O 0,0 O,I l 1,1 l I,5 S,6 b,2 z,7 1,4 A,D O,H N,E F,F E,S 5,己 已 巳,未 末,人 入,"
    "八 人,日 曰 目,大 太 犬,土 士,干 千 于,天 夫,午 牛,今 令,名 各,问 间,侯 候,折 拆,治 冶,师 帅,鸟 乌,王 玉 主,白 百 自,代 伐,"
    "住 往,市 布,元 无,万 方,员 贝,在 住,有 育,不 木,的 旳,一 二,上 土,中 申,国 围,会 全,新 析,和 利"
)
_SOUNDS = (
    "there their,their there,to two too,for four,it's its,its it's,your you're,by buy,here hear,no know,new knew,"
    "right write,would wood,one won,see sea,week weak,are our,than then,accept except,的 地 得,在 再,他 她 它,是 事 市,"
    "有 又,做 作,和 合,以 已,时 实,为 位,记 及,会 回,年 念,人 任,国 过,中 种,报 保,公 工,新 心,发 法"
)


def _table(rows: str) -> dict[str, list[str]]:
    return {(words := row.split())[0]: words[1:] for row in rows.split(",")}


_ALIKE, _SOUNDING = _table(_SHAPES), _table(_SOUNDS)
_WORDS = re.compile(r"[㐀-鿿]|[^\W㐀-鿿][\w'’]*")
_PUNCTUATION = re.compile(r"[^\w\s'’]+")


def ocr(text: str, share: float, chance: Random) -> str:
    """Characters confused, lost, doubled and added."""
    letters = re.sub(r"\s", "", text) or "."

    def seen(character: str) -> str:
        if character == "\n" or chance.random() >= share:
            return character
        kind = chance.random()
        if kind < 0.6:
            return chance.choice(_ALIKE.get(character) or [chance.choice(letters)])
        return "" if kind < 0.8 else character + chance.choice((character, ".", "'", "-", " "))

    return "".join(map(seen, text))


def asr(text: str, share: float, chance: Random) -> str:
    """Words taken for others: of the same sound, or of the text and with the same first letter, or lost."""
    words = sorted(set(_WORDS.findall(text.lower())))

    def heard(match: re.Match[str]) -> str:
        word = match[0]
        if chance.random() >= share:
            return word
        similar = [other for other in words if other[0] == word[0] and abs(len(other) - len(word)) < 3]
        return chance.choice(_SOUNDING.get(word) or ["", *(similar if len(word) > 1 else words)])

    return _WORDS.sub(heard, _PUNCTUATION.sub(" ", text.lower()))


def hyphen(text: str, share: float, chance: Random) -> str:
    """Lines cut at the width of a column."""
    width = chance.randint(34, 42)

    def cut(match: re.Match[str]) -> str:
        return f"{match[0]}-\n" if chance.random() < share else match[0]

    return re.sub(rf"[^\n]{{{width}}}(?<=\w\w)(?=\w\w)", cut, text)


def runon(text: str, share: float, chance: Random) -> str:
    """Words run together; where there are no blanks, blanks added."""
    blanks, put = (" ", "") if text.count(" ") > len(text) / 20 else (r"(?<=[㐀-鿿])(?=[㐀-鿿])", " ")
    return re.sub(blanks, lambda match: put if chance.random() < share else match[0], text)


def charset(text: str, share: float, chance: Random) -> str:
    """Characters lost to a charset that does not have them."""
    return re.sub(r"[^\s]", lambda match: "?" if chance.random() < share else match[0], text)


def traditional(text: str, share: float, chance: Random) -> str:
    """OCR of texts of which each second one is in traditional characters."""
    from opencc import OpenCC

    return ocr(OpenCC("s2t").convert(text) if chance.random() < 0.5 else text, share, chance)


KINDS: Mapping[str, Callable[[str, float, Random], str]] = {
    kind.__name__: kind for kind in (ocr, asr, hyphen, runon, charset, traditional)
}


@dataclass(frozen=True, slots=True)
class Noise:
    """A kind of noise, the share that it hits (0 to 1), and whether it spares each second document."""

    kind: str
    share: float
    half: bool = False

    @classmethod
    def parse(cls, text: str) -> Noise:
        """Parse "ocr:0.02" or "ocr:0.02:half". Raises ConfigError for anything else."""
        match = re.fullmatch(rf"({'|'.join(KINDS)}):(0?\.\d+|[01])(:half)?", text)
        if match:
            return cls(match[1], float(match[2]), bool(match[3]))
        raise ConfigError(
            f"{text!r} is not a noise: give KIND:SHARE or KIND:SHARE:half, with a share from 0 to 1 and a kind of "
            f"{', '.join(KINDS)}"
        )

    def __call__(self, pages: Iterable[Page]) -> Iterator[Page]:
        """The pages with noise in their texts. Raises InputError for a page without a text."""
        for page in pages:
            if page.text is None:
                raise InputError("noise is put into texts, and there are pages without: give --fields html=")
            chance = Random(f"{self.kind} {page.id}".encode("utf-8", "surrogatepass"))  # noqa: S311
            spared = self.half and chance.random() < 0.5
            yield page if spared else replace(page, text=KINDS[self.kind](page.text, self.share, chance))
