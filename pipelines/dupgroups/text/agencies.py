"""The agency, or the other publisher, that a document credits, and the words that say so.

| place | such as |
|---|---|
| dateline | "VELMAR, March 4 (Reuters) -", "МОСКВА, 4 марта. /ТАСС/", "新华社北京3月4日电" |
| byline | "Jo Brandt, Associated Press" and "dpa" as lines at either end of the text, or as its author |
| closing line | "With material from AP", "Quelle: dpa", "来源：新华社", "© AFP", "(PAP)" |
| declared source | "apnews.com", "dpa": a name or a domain that the page declares to readers of its markup |
| site | the name of an agency as that of the site, or its domain |

A mention in a sentence is no credit ("the minister told Reuters"), nor is one of a photograph or of figures.
The known agencies are in `agencies.csv`, other publishers that are often credited in `publishers.csv`, the
words of credits in `credit_words.csv`. Others count where their name says that they are agencies ("Meridian
Wire"), any publisher where a line says that a text is from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dupgroups.text.known_publishers import (
    AGENCIES,
    ALL_MARKS,
    ANY_NAME,
    DOMAIN_OF_AGENCY,
    LONG_NAME,
    NAME,
    NAME_OF_TWO_LETTERS,
    NAME_ZH,
    PUBLISHERS,
    mark_names,
    show_names,
)
from dupgroups.text.word_tables import read_table

Place = Literal["dateline", "byline", "closing line", "declared source", "site"]

MAX_WORDS_CHARS = 120  # characters of a credit that are shown
_HEAD_CHARS, _TAIL_CHARS = 600, 500  # of a text that are read
_DATELINE_LINES, _BYLINE_LINES, _CLOSING_LINES = 6, 4, 4  # at an end of the text that are read
_BYLINE_CHARS = 100  # characters of a line that may be a byline
_AUTHOR_CHARS = 500  # characters of an author line that are read
_PLACE_WORDS = 12  # words before the brackets of a dateline
_DATE_WORDS = 2  # small words of a date: a month and a day of the week
_CUT_MARK = "…"  # stands where a text was cut


@dataclass(frozen=True, slots=True)
class Credit:
    """Whom a document credits: the `name` of an agency or publisher, and in which `words`, at a `place`."""

    name: str
    place: Place
    words: str
    is_agency: bool = True


_WORDS = {name: f"(?:{'|'.join(words)})" for name, words in read_table("credit_words.csv").items()}


def _compile(*patterns: str) -> list[re.Pattern[str]]:
    return [*map(re.compile, patterns)]


# -- parts of patterns

_AGENCY_GROUP = rf"(?P<known>{NAME})"
_ARTICLES = rf"(?i:{_WORDS['article']}\b[^\w\s]?\s?)*"
_OTHERS_AFTER = rf"(?:\s?(?:[/,;&+、]|\b{_WORDS['and']}\b)\s?[^\n()（）]{{1,40}})?"
# "dpa", "jbr/dpa", "ntv.de, dpa/AFP", "APA, 4.3.2026", "Корр. БЕЛТА"
_AGENCY_LIST = (
    r"(?:[^\s,/()（）:：]{1,20}(?:\s?[/+]|[,،]\s)\s?){0,3}?(?:\w{2,5}\.\s)?"
    rf"{_ARTICLES}[\"“„«']?{_AGENCY_GROUP}[\"”“»']?{_OTHERS_AFTER}"
)
_AGENCY_WORD = re.compile(_WORDS["agency"], re.IGNORECASE)
_HAS_CJK = re.compile(r"[\u3000-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_PICTURE_WORD = re.compile(_WORDS["picture"], re.IGNORECASE)  # in credits of what is no text

# -- datelines

_DASH = r"[-–—―−_]"
_BRACKETS_AFTER_PLACE = re.compile(
    r"(?P<before>(?:[^\n()（）\[\]/]|(?<=\w)/(?=\w)|\[[^\[\]\n]{2,25}\](?=,)|\([^()\n]{3,25}\)(?=\s?\()){0,90}?)"
    rf"(?:{_DASH}{{2}})?\s*(?:[(（](?P<name>[^()（）\n]{{1,45}})[)）](?!\s?\()|/(?P<slashed>[^()/\n]{{1,30}})/(?!\w))"
    rf"(?P<after>\s*(?:[.．]?\s?{_DASH}|[.:：=])|)(?P<next>\s*\S?)"
)
_FULL_NAME = rf"[A-ZÀ-ÞΑ-ΩЄ-Я{ALL_MARKS}](?:[\w'’&-]|\.(?=\w))*"
_WORD = r"[^\s\d.,()–—-]{2,20}"
_DATELINES = _compile(  # without brackets, or all in them
    rf"(?P<before>[^\n()（）]{{2,50}}\d[^\n()（）]{{0,12}}?)[.,]?\s*{_DASH}?\s*{_AGENCY_GROUP}"
    rf"(?:,\s{_FULL_NAME}\s{_FULL_NAME})?\s*(?:(?:[.:]|{_DASH}+)\s|$)",
    rf"(?P<before>{_WORD}(?:\s{_WORD}){{0,2}}?)\s?(?:[.,]|{_DASH})\s?{_AGENCY_GROUP}\s?(?:{_DASH}+|:)\s",
    rf"(?P<before>{_WORD})-{_AGENCY_GROUP}(?:$|\s(?=[\u0620-\u06d3]))",
    rf"(?P<before>){_AGENCY_GROUP}\s?\([^()\n]{{0,20}}\d[^()\n]{{0,8}}\)\s?{_DASH}",
    rf"(?P<before>){_WORDS['report']}\s(?:[^\s،]{{2,20}}\s){{0,4}}?{_AGENCY_GROUP}",
    rf"(?P<before>)(?!{NAME_OF_TWO_LETTERS}){_AGENCY_GROUP}\s*{_DASH}+\s+(?=[^\W\d_a-zß-ÿа-я])",
    rf"(?P<before>)(?=.{{0,30}}[\u3000-\u9fff\uac00-\ud7a3［])[(（【［〔\[][^()（）【】［］：:\[\]\n]{{0,25}}?{_AGENCY_GROUP}"
    r"(?:＝\w{1,9})?[)）】］〕\]]",
)
_LETTERS_ZH = r"[^\s，。；：、“”《》()（）]"
_DATELINES_ZH = _compile(
    rf"[\s（(【［\[]*(?P<source>(?:[另根]?[据據])?)(?P<name>{NAME_ZH}|[^\W\d_]{{1,7}}?(?:社|[网網](?![站友络絡])"
    r"|[日晚晨时時商][报報]|青年报|都市报|新[闻聞](?![网網])|在线)|[^\W\d_]{2,7}?[报報](?=[^\W\d_]{0,8}\d)|[A-Za-z]{3,12}(?=\d))"
    rf"{_LETTERS_ZH}{{0,14}}?\d+日{_LETTERS_ZH}{{0,6}}?(?P<way>[电電讯訊]|消息|[报報][道導导]|\s?{_DASH}\s|[（(](?=[^)）]{{0,9}}[记記]者))",
    rf"[（(【［\[]?(?P<source>(?:[另根]?[据據])?)(?P<name>{NAME_ZH}|{_LETTERS_ZH}{{1,8}}?(?:[社网網报報]|新[闻聞](?![网網])))"
    r"(?:客户端)?(?P<way>快?[讯訊]|消息[，,（(：:]|[电電][)）】\]]|[（(](?=[^)）]{0,9}[记記]者))",
    rf"(?P<source>)[另根]?[据據]?(?P<name>{NAME_ZH})(?P<way>专?[电電]|[记記]者{_LETTERS_ZH}{{2,9}}$)",
    rf"[【［\[]?(?P<source>)(?P<name>{_LETTERS_ZH}{{2,6}}(?<![资通简快短电音审喜财]))(?P<way>[讯訊](?=[】\]\s\d（(]))",
    rf"[【［\[](?P<source>)(?P<name>{_LETTERS_ZH}{{2,7}}?[社网網报報])(?:[特驻駐]{_LETTERS_ZH}{{0,5}})?"
    rf"(?P<way>(?:[记記]者|[综綜]?[合]?[报報][道導导]){_LETTERS_ZH}{{0,12}}|)[】］\]]",
)
_NO_PUBLISHER_ZH = re.compile(_WORDS["nobody"])
_COMPANY_WORD = re.compile(rf"\b{_WORDS['company']}\b")
_LONG_WORD = re.compile(r"(?<![^\W\d_'’])[^\W\d_]{4,}")
_LIST_PATTERN = re.compile(_AGENCY_LIST)


def _calls_itself_agency(name: str) -> bool:
    return bool(_AGENCY_WORD.search(show_names(name)))


def _find_dateline(line: str) -> Iterator[Credit]:
    if ("(" in line or "（" in line or "/" in line) and (found := _BRACKETS_AFTER_PLACE.match(line)):
        yield from _read_brackets(found)
    for pattern in _DATELINES if ANY_NAME.search(line) else ():
        found = pattern.match(line)
        if found and _is_place(found["before"]) and not _PICTURE_WORD.search(found[0]):
            yield _make_credit(found["known"], "dateline", found[0])
    for pattern in _DATELINES_ZH if _HAS_CJK.search(line) else ():
        found = pattern.match(line)
        is_retold = found and found["source"] and found["way"][0] in "报報消"  # "据路透社3月4日报道"
        if found and not is_retold and not _NO_PUBLISHER_ZH.search(found["name"]):
            yield _make_credit(found["name"], "dateline", found[0])


def _read_brackets(found: re.Match[str]) -> Iterator[Credit]:
    """The agency in "PLACE, date (AGENCY) -": without a dash only a known one, and before no small letter."""
    before, name = found["before"].strip(" ,.-–—"), (found["name"] or found["slashed"]).strip()
    after, words = found["after"].strip(), found[0][: found.end("after")]
    is_dateline = after or not found["next"].strip().islower()
    if not is_dateline or not _is_place(before) or _PICTURE_WORD.search(words):
        return
    if known := _LIST_PATTERN.match(name):
        yield _make_credit(known["known"], "dateline", words)
    elif before and after not in ("", ".", ":", "=") and (found["slashed"] or _calls_itself_agency(name)):
        yield _make_credit(name, "dateline", words)


def _is_place(words: str) -> bool:
    """Whether words may be a place and a day: no sentence (besides a date), no company, no agency."""
    small = [word for word in _LONG_WORD.findall(words) if word.islower()]
    has_no_sentence = len(small) <= _DATE_WORDS * bool(re.search(r"\d", words))
    is_short = len(words.split()) <= _PLACE_WORDS
    return is_short and has_no_sentence and not _COMPANY_WORD.search(words) and not ANY_NAME.search(words)


# -- bylines

_BY_WORDS = re.compile(rf"^\W*(?:{_WORDS['by']}\b\s*:?|{_WORDS['label']}\s?[:：])\s*", re.IGNORECASE)
_BETWEEN_NAMES = re.compile(
    rf"\s*(?:[,/|·•;()]|\s[-–—]+\s|\b(?:{_WORDS['and']}|{_WORDS['between']})\b)\s*", re.IGNORECASE
)
_SENTENCE_MARK = re.compile(r"[，。：；！？।۔]|[:?.…]$")
# "Figures: Reuters", "© Jo Brandt/dpa", "AFP/Jo Brandt"
_NO_NAMES = re.compile(rf"[^\W\d]:\s|^©|{NAME}/{_FULL_NAME}\s{_FULL_NAME}$")
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,7}")
_AGENCY_OF_PERSON = re.compile(rf"(?:\s|^)({LONG_NAME}$|{NAME_ZH}(?=[记記]者))")
_AGENCY_OF_DESK = re.compile(
    rf"(?:(?:Red[aá]\w+|Rédaction)\s+)?{_ARTICLES}{_AGENCY_GROUP}(?:[-–]{NAME})?(?:\s+{_WORDS['role']})?"
)


def _find_byline(line: str, is_author: bool = False) -> Iterator[Credit]:
    """The agencies that are parts of their own of a line of names and dates, or of an author field."""
    if not is_author and (len(line) > _BYLINE_CHARS or _SENTENCE_MARK.search(line)):
        return
    names = _BY_WORDS.sub("", line).strip(" -–—*")
    is_author |= names != line
    if not (ANY_NAME.search(line) or (is_author and _calls_itself_agency(line))):
        return
    if _PICTURE_WORD.search(line) or (not is_author and _NO_NAMES.search(names)):
        return
    parts = [*filter(None, _BETWEEN_NAMES.split(names))]
    if is_author or all(map(_is_name, parts)):
        found = [part for part in parts if _agency_of(part)] or [*_read_author(parts)] * is_author
        yield from (_make_credit(part, "byline", line) for part in found)


def _read_author(parts: Iterable[str]) -> Iterator[str]:
    """The agencies after a name without a comma, and what calls itself one: no "wire reports"."""
    for part in parts:
        if person := _AGENCY_OF_PERSON.search(part):
            yield person[1]
        elif _calls_itself_agency(part) and not part.islower():
            yield part


def _agency_of(part: str) -> str | None:
    """The known agency or publisher whose name this is, with an article or a role; None for anything else."""
    name = part.strip(" .*©")
    desk = _AGENCY_OF_DESK.fullmatch(name)
    return PUBLISHERS.get(show_names(desk["known"] if desk else name))


def _is_name(part: str) -> bool:
    """Whether this may be a name, initials or a day: there is no sentence in it. Or a domain."""
    shown = show_names(part)
    is_small = shown.split()[-1].islower() or any(map(str.islower, _LONG_WORD.findall(shown)))
    return len(shown) < 5 or not is_small or bool(_agency_of(part) or _DOMAIN.fullmatch(part))


# -- closing lines

_AFTER_AGENCY = (
    rf"(?=\s*(?:$|[.,;/|)）】\]、。-]|{_WORDS['and']}\b|on\sbehalf\b|(?i:editor)\b|责任|责编|編輯|编辑))"
)
_FULL_NAMES = rf"{_FULL_NAME}(?:\s(?:{_FULL_NAME}|(?:du|de|des|der|of|the)\b))*"
_ANY_PUBLISHER = rf"(?:the\s)?(?P<known>{_FULL_NAMES}|[\w-]+(?:\.[\w-]+)*\.[a-z]{{2,7}}\b)"
# "PTI KAM DIV", "EFE jbr/alm", "dpa/jbr"
_INITIALS = r"(?:(?:[\s/-]+[A-Z]{2,4}){1,7}|[\s-]\w{2,4}(?:/\w{2,4})+|(?:/\w{1,4})+)"
_CLOSING_OF_AGENCIES = _compile(
    rf"(?:^|[\s(（\[【|—])(?i:{_WORDS['label']}\s?(?:[:：]|{_DASH})|{_WORDS['reprint']})\s?{_AGENCY_LIST}{_AFTER_AGENCY}",
    r"(?:©|\([cC]\)|[Cc]opyright|COPYRIGHT)(?:[\s©,]|\([cC]\)|[Cc]opyright|by|\d{4})*"
    rf"{_ARTICLES}{_AGENCY_GROUP}(?!\s?/\s?{_FULL_NAME}\s{_FULL_NAME})(?:\s(?:GmbH|Ltd|Inc|AG|ΑΕ|L\.P|\d{{4}}|All)\b|{_AFTER_AGENCY})",
    rf"(?:^|[.!?。！？”»\"'’]\s?)[(（\[【/]©?\s?{_AGENCY_LIST}[)）\]】/][.。]?$",
    rf"(?:^(?!{NAME}\.?$)|(?<=[.!।]\s)(?<!\b\w\.\s))(?:{_DASH}{{1,2}}\s?|/)?{_AGENCY_GROUP}(?:{_INITIALS}|[\s/]{{0,2}}\([^()]*\))?[/.]?$",
    rf"^(?!.*(?i:{_WORDS['unlike']}))(?:[^\n.]{{0,50}}\W)?(?i:{_WORDS['this']})\b[^\n.]{{0,90}}?"
    rf"(?:\b(?i:{_WORDS['from']})\s{_ARTICLES}(?:[^\W\d_]+\s){{0,2}}|[(\"'«“‘])\s?{_AGENCY_GROUP}",
    rf"(?:^|[(（])[\W_]*(?i:{_WORDS['per']}|{_WORDS['label']})\s{_AGENCY_LIST}[)）]?(?<![.:])$",
    rf"(?:^|[.!?”\"]\s|[(])[^\n]{{0,160}}?{_AGENCY_GROUP}[^\n]{{0,160}}?"
    rf"\s{_WORDS['contributed']}",
    rf"(?<![\w.])(?!(?:contact|info|media|press|sales)@)[\w.-]{{1,40}}@(?P<known>{DOMAIN_OF_AGENCY})\W*$",
    r"[(（]?(?:综合|綜合|编译自|編譯自|据|據)[自：:]?[^\s，。；()（）]{0,12}?"
    rf"(?P<known>{NAME_ZH})[^，。；]{{0,20}}[)）]?$",
    rf"(?:^|[.!?]\s)[\W_]*(?i:{_WORDS['with']}\b(?:\s(?!said)[^\s()]{{1,16}}){{0,4}}?)\s"
    rf"{_ARTICLES}{_AGENCY_GROUP}(?i:(?:[-/]\w+)*(?:[\s,/&+.;)）\]]|[^\W\d_]{{1,12}}(?=[\s,/.)]|$)){{0,8}})$",
)
_CLOSING_OF_ANYBODY = _compile(
    r"(?:^|[（(。！？”])(?![我该該])(?P<known>[^\s，。；：、“”|/｜本()（）]{1,7}[报網网社報]|"
    rf"{NAME_ZH})[记記]者[^，。；]{{2,24}}$",
    rf"\b(?i:{_WORDS['first']})\s{_ANY_PUBLISHER}",
    rf"^[\W_]*(?i:{_WORDS['label']})\s?[:：]\s?[\"“„«']?(?=.*(?i:\b{_WORDS['media']}\b|\w\.[a-z]{{2,7}}\b|\w\d+\b))"
    rf"{_ANY_PUBLISHER}\W*$",
)
_OPENING_OF_ANYBODY = re.compile(rf"^[\W_]*(?i:this\s)?(?i:{_WORDS['first']})\s{_ANY_PUBLISHER}")
_SOURCE_LABEL_ZH = re.compile(
    r"(?:^|[\s(（\[【|　。])(?:稿件|新闻|文章|信息)?(?:来源|來源|稿源|转载自|轉載自|转自|摘自|原载)"
    r"\s?[:：于於]?\s?(?:微信)?(?:公[众眾][号號]\s?[：:]?)?"
    rf"(?P<name>{NAME}|[^\s\d，。；、,;|/()（）【】\[\]：:“”]{{2,12}}?)(?:客户端)?"
    r"(?=[\s\d，。；、,;|/()（）【】\[\]]|$|[记記]者|作者|[编編][辑輯]|[责責]任|等)"
)


def _find_closing(line: str) -> Iterator[Credit]:
    patterns = (_CLOSING_OF_AGENCIES if ANY_NAME.search(line) else []) + _CLOSING_OF_ANYBODY
    chunks = (line, *re.findall(rf"[(（](?!{NAME_OF_TWO_LETTERS}[)）])[^()（）\n]{{1,90}}[)）]\W*$", line))
    found = [match for chunk in chunks for pattern in patterns if (match := pattern.search(chunk))]
    credits_ = []
    for match in found:
        # That of a publisher may stand before an agency.
        names = [match["known"], *ANY_NAME.findall(match[0])]
        name = next((one for one in names if show_names(one) in AGENCIES), names[0])
        credits_.append(_make_credit(name, "closing line", match[0]))
    credits_ += _find_publisher(line)
    if credits_ and not _PICTURE_WORD.search(line[-160:]):
        yield from credits_


def _find_publisher(line: str) -> Iterator[Credit]:
    """The publisher after "来源：" or "This article first appeared in", which stand at either end."""
    if found := _OPENING_OF_ANYBODY.match(line):
        yield _make_credit(found["known"], "closing line", found[0])
    found = _SOURCE_LABEL_ZH.search(line) if _HAS_CJK.search(line) else None
    if found and not _NO_PUBLISHER_ZH.search(found["name"]):
        yield _make_credit(found["name"], "closing line", found[0])


def _make_credit(name: str, place: Place, words: str) -> Credit:
    known = _agency_of(name)
    is_agency = known in AGENCIES or (not known and _calls_itself_agency(name))
    words = show_names(words).strip()[:MAX_WORDS_CHARS]
    return Credit(known or show_names(name).removeprefix("The "), place, words, is_agency)


def find_credit(
    text: str, author: str = "", site: str = "", domain: str = "", source: str = ""
) -> Credit | None:
    """Whom a document credits by its text, its author line, the source that it declares, the name of its site
    and its registered domain: the first agency, else the first other publisher, else whose site it is. None
    if there is no credit.

    >>> find_credit("VELMAR, March 4 (Reuters) - Fog closed the harbour.")
    Credit(name='Reuters', place='dateline', words='VELMAR, March 4 (Reuters) -', is_agency=True)
    """
    other = None
    for credit in _find_all(text, author):
        if credit.is_agency:
            return credit
        other = other or credit
    if source := mark_names(" ".join(source.split())[:_BYLINE_CHARS]):
        declared = _make_credit(source, "declared source", source)
        other = declared if declared.is_agency else other or declared
    agency = AGENCIES.get(site) or AGENCIES.get(domain)
    if other or not agency:
        return other  # agencies print texts of others, too
    return Credit(agency, "site", site if site in AGENCIES else domain, is_agency=False)


def _find_all(text: str, author: str) -> Iterator[Credit]:
    head = _read_lines(text[:_HEAD_CHARS] + _CUT_MARK * (len(text) > _HEAD_CHARS))
    tail = _read_lines(_CUT_MARK * (len(text) > _TAIL_CHARS) + text[-_TAIL_CHARS:])[-_CLOSING_LINES:]
    for line in head[:_DATELINE_LINES]:
        yield from _find_dateline(line)
    for line in head[:_BYLINE_LINES]:
        yield from _find_byline(line)
    yield from _find_byline(mark_names(" ".join(author.split())[:_AUTHOR_CHARS]), is_author=True)
    for line in reversed(tail):
        yield from _find_closing(line)
        yield from _find_byline(line)
    for line in head[:_BYLINE_LINES]:
        yield from _find_publisher(line)


def _read_lines(text: str) -> list[str]:
    """The lines of a text that have words, with a letter for each known name."""
    return [line for line in map(str.strip, mark_names(text).split("\n")) if line]
