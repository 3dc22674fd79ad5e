"""The author of a page from the byline that readers see, for pages that do not declare an author.

Only blocks around the article are read: a byline stands between headline and text, or at an end of the text.
A wrong name is worse than no name, so the conditions are strict:

| pattern | conditions |
|---|---|
| "By Jane Doe and John Roe, Staff Writers" | 2 to 4 capitalised words per name, no sentence after them |
| a block whose class or id says author, byline ... | the same, without the "By" |
| "Jane Doe, Staff Writer", "Jane Doe \\| 4 March 2026" | the same, and no full stop |
| a line with a name after a tag that says author (class, `rel`, `itemprop`, link) | the same, and only one |
| "作者：王小明", "（记者 王小明）", "王小明／台北報導" | a family name, one or two characters, a boundary |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice

from dupgroups.content.blocks import Blocks
from dupgroups.content.datelines import MAX_BLOCKS_BETWEEN
from dupgroups.text.scripts import HAN, KANA, character_class

_BEFORE, _INTO, _AFTER = 8, 3, 3  # blocks that are read before the text, at each of its ends, and after it
_MAX_BYLINE_CHARS = 120  # most characters of a block that is a byline
_EDGE_CHARS = 60  # characters at either end of a longer block that may name a reporter
_FEWEST_WORDS, _MOST_WORDS = 2, 4  # words of a name
_MAX_NAMES = 10  # most names

MARKED_SOURCE = "an element marked as author"
"""Where such a name was found."""

# -- scripts with capital letters

_BY_ANYWHERE = """by von par por door oleh autor autora autorin auteur author yazar автор tekst text texte
    текст testo_di dal_nostro_inviato dalla_nostra_inviata oprac.""".split()
_BY_WITH_COLON = """interview reportage texto haber yazan tác_giả penulis pewarta teksti kirjoittaja írta
    szerző piše autorius autors författare forfatter журналист кореспондент""".split()
_BY_AT_START = "di av af του της γράφει_ο γράφει_η".split()
_BY_BEGINNINGS = frozenset(re.split("[_.]", word)[0] for word in _BY_ANYWHERE + _BY_WITH_COLON + _BY_AT_START)
_BY_WORDS = "(?:{}|(?:{})(?=\\s?:)|(?<![^\\s])(?:{})(?=\\s))".format(
    *(
        "|".join(map(re.escape, words)).replace("_", " ")
        for words in (_BY_ANYWHERE, _BY_WITH_COLON, _BY_AT_START)
    )
)
_MARK = re.compile(
    r"(?:^By(?=(?-i:[A-Z][a-z]))|(?:^|[|•·,\d]\s*|\b[AP]M,?\s+|\b(?:written|posted|published|submitted|created|report(?:ed|ing)?|article|story"
    r"|words|analysis|and photos|opinion|commentary|bericht|analyse|interview|kommentar|reportage|geschrieben"
    r"|gespeichert|eingereicht|erstellt|veröffentlicht|publié|soumis|écrit|enviado|inviato|geplaatst|recueillis|escrito|publicado|scritto|cura|skre?v[ei][tn]|geschreven)\s+)"
    rf"{_BY_WORDS}(?=\W))\s*:?\s*",
    re.IGNORECASE,
)
_SIGNATURE_LINE = re.compile(  # "Jane Doe, Staff Writer", "Jane Doe | Courier | 4 March 2026"
    r"^[^|•·,]+(?:[|•·,]\s*(?:[\w-]+ ){0,3}(?:writer|reporter|editor|correspondent|columnist|redakteur"
    r"|reporterin|redakteurin|korrespondent(?:in)?|journalist[ea]?|correspondant[ea]?|corresponsal|redactora?|giornalista|inviat[oa]"
    r"|verslaggever|dziennikarka?|dziennikarz|muhabir|корреспондент|обозреватель|журналист)\b"
    r"|[|•·].*(?:19|20)\d\d)[^.!?]*$",
    re.IGNORECASE,
)
_ONLY_MARK = re.compile(
    r"(?:(?:written|posted|article) )?(?:by|von|par|por|door|di|av|author|autora?|auteur)\s*:?", re.IGNORECASE
)
_CLASS = re.compile(
    r"author|byline|writer|journalist|reporter|contributor|autor|yazar|auteur|verfasser|redakt[eo]|signature"
)
_NO_CLASS = re.compile(r"comment|related|popular|top-?authors|teaser|promo|position|job-?title|(?<!v)card")
# the tags just before a name, one of them with such a word: in its class, rel or itemprop, or an address
_TAGS = re.compile(r"(?:<[^<>]*>\s*){1,5}$")
_MARKED_TAG = re.compile(
    r"""\b(?:rel|itemprop|property|class|id|href|data-[\w-]+)\s*=\s*(?:"[^"<>]*|'[^'<>]*|[^\s"'<>]*)"""
    r"(?:author|byline|autor|yazar|auteur|verfasser|redakt[eo]|signature|contributor|columnist|journalist|reporter"
    r"|/(?:by|people|profiles?|staff|team|writers?|users?)/)",
    re.IGNORECASE,
)
_GLUE, _FROM_NUMBER = re.compile(r"\s+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])"), re.compile(r"\s+\d.*")
_PIECE = re.compile(r"\s?[|•·–—:]\s?")
_LONGEST_TAGS, _MOST_PLACES = 600, 8  # characters before a name that are read; places of the name
_ANY_WORD = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’.\-])*")
_JOINT = re.compile(r"(,?\s(?:and|&|with|und|mit|et|y|e|en|og|och|ve|и)\s|\s?[;/]\s?|,)", re.IGNORECASE)
_SEPARATOR = re.compile(r"[|•·(\[\d]|(?<!\S)\S*@|\s[-–—]+\s|\s[-–—]|[-–—]\s")
_NAMES_AND_MONTHS = re.compile(r"\s(?:Jan|April|May|June|August)\.?\s*$")
_GLUED_WORDS = re.compile(r"[a-zà-ÿ][A-ZÀ-Þ]")  # "TimesNovember": the page lacks a blank
_PARTICLES = frozenset("al ben bin da das de del della den der di dos du el ibn la le ten van von".split())
_AFTER_NAME_WORDS = frozenset("at for from in of on am den op le el".split())  # may follow a name in a byline
# of places and sections, which stand before a date as well: "Middle East | 4 March 2026"
_PLACE_BEGINNINGS = frozenset(
    "bad east fort lake las los middle mount new north port saint san santa south west".split()
)
_NO_NAMES = frozenset(
    """a about admin afp agence agency all and ap article associate associated author authors blog bureau
    business by ceo chief columnist comments company contributing contributor corp correspondent created
    daily desk developer director editor editorial editors education email engineer environment
    executive follow founder for freelance from getty gmbh group guest health herald image images in inc
    journal last live llc local ltd magazine manager managing media medical min minutes modified
    more national news newspaper newsroom newswire online our photo photographer photos political posted
    press professor print published read reporter reporters reuters science senior share special sports
    staff story studio style sunday team the times tribune tweet twitter updated us view war watch web
    writer writers
    january february march july september october november december feb mar apr jun jul aug sep sept oct nov
    dec monday tuesday wednesday thursday friday saturday
    redaktion redaktor redazione redacción rédaction redakcja редакция editör hakkında""".split()
)

# -- Chinese

_FAMILY = (
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何林高罗羅郑鄭梁谢謝宋唐许許韩韓邓鄧冯馮曹彭曾肖萧蕭田董潘"
    "袁蔡蒋蔣余杜叶葉程魏苏蘇吕呂丁任卢盧姚沈钟鐘鍾姜崔谭譚陆陸范汪廖石金韦韋贾賈夏付傅方邹鄒熊白孟秦邱侯江尹薛"
    "闫閻阎雷段龙龍黎史陶贺賀毛郝顾顧龚龔邵万萬覃武钱錢戴严嚴莫孔温溫赖賴洪樊康施牛祝兰蘭殷俞游翁詹莊庄阮凌倪焦"
    "华華柯耿柳辛章舒屈符车車岳柴裴阳陽欧歐连連涂单單艾解向苗宫宮盛骆駱戚邢祁聂聶楚池霍季褚娄婁项項路窦竇左梅管"
)
_FAMILIES = "司马|司馬|上官|诸葛|諸葛|皇甫|东方|東方|尉迟|尉遲"
_TWO_CHARACTER_NAMES = "欧阳|歐陽"  # the first character is a family name as well
_HAN, _KANA = character_class(HAN), character_class(KANA)
_NAME_ZH = (  # only one way to match a text: two ways per name would make exponentially many
    rf"(?:(?:{_FAMILIES})[{_HAN}]{{1,2}}|(?:{_TWO_CHARACTER_NAMES})[{_HAN}]{{0,2}}"
    rf"|(?!{_TWO_CHARACTER_NAMES})[{_FAMILY}](?:[{_HAN}]{{1,2}}|[ \u3000][{_HAN}](?![{_HAN}])))"
)
_END_ZH = (  # the photographer is not the author
    rf"(?!\W*[摄攝])(?=$|[{_HAN}]{{2,3}}\d\d?日[电電]|[^{_HAN}\w：:，。“”]|[报報][道導]|[综綜]合|通[讯訊][员員]|[实實][习習]|[编編][译譯辑輯])"
)
_LINE_ZH = re.compile(
    rf"(?:作者|撰[文稿]|采写|[记記]者|文\s*[/／丨｜|])\s*(?:[：:／/丨｜|]\s*)?({_NAME_ZH}(?:[\s、,，]+{_NAME_ZH})*){_END_ZH}"
    rf"|^[【（(]?({_NAME_ZH}(?:[、\s]{_NAME_ZH})*)[／/╱][{_HAN}]{{2,5}}[報报][導道]"
)
# -- Korean

_FAMILY_KO = (
    "[김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민진지엄채원천방공현함변염여추도소석선설마"
    "길연위표명기반왕금옥육인맹제모]"
)
_NAME_KO = f"{_FAMILY_KO}[가-힣]{{1,2}}"
_LINE_KO = re.compile(
    rf"(?<![가-힣])({_NAME_KO}(?:[·,、]\s?{_NAME_KO})*)(?:\s[가-힣]{{1,5}})?\s?(?:기자|특파원|논설위원)(?![가-힣])"
)
_IS_KO = re.compile(_NAME_KO)
_ONE_ZH = re.compile(_NAME_ZH)
_DAY_ZH = re.compile("周[一二三四五六日末]|[于於方][今昨前近日]")


# -- other scripts without capital letters: a label and the name, or an element marked as author

_LINE_OTHER = re.compile(
    r"(?:بقلم|كتبت?|إعداد|نویسنده|द्वारा|लेखक|লেখক|โดย|ผู้เขียน|מאת)(?:\s?[:：–—-]\s?|\s)"
    r"([^\s\d,،|:()–—-]+(?:\s[^\s\d,،|:()]+){1,3})"
    r"|[【（(]?(?:(?:文|執筆|取材|構成|筆者|著者|記者|ライター)[・：:／/＝\s]*)+(?<=[・：:／/＝\s])"
    rf"([{_HAN}{_KANA}]{{3,8}})[】）)]?|([{_HAN}]{{3,5}})記者|글\s?[:=·ㅣ]?\s?({_FAMILY_KO}[가-힣]{{2}})(?:\s?(?:기자|작가))?"
)
_PIECE_OTHER = re.compile(r"\s*[|•·ㅣ丨]\s+|\sวัน")
_NAME_OTHER = re.compile(
    rf"{_NAME_ZH}|(?=.{{4,7}}$)[{_HAN}]{{1,3}}[ 　]?[{_HAN}{_KANA}]+"
    rf"|[^\s\d!-~،।۔{_HAN}]{{2,15}}(?: [^\s\d!-~،।۔{_HAN}]{{2,15}}){{1,2}}"
)
_NO_NAME_OTHER = re.compile(  # words of newspapers, agencies and desks
    "|".join(
        """新聞 新闻 通信 通讯 編集 编辑 編輯 部$ 社$ 局$ 班$ 取材 記者 记者 报 報 网 網 ニュース ডেস্ক
        প্রতিবেদক প্রতিনিধি সংবাদ डेस्क न्यूज ब्यूरो संवाददाता टीम تحرير هيئة وكالة أخبار مراسل خبرگزاری گروه خبرنگار
        מערכת סוכנו חדשות כתב กอง ทีม ข่าว 편집 기자 뉴스 신문""".split()
    )
)


def byline(
    page: Blocks, kept: Sequence[int], head: int | None = None, *, bare: bool = False
) -> tuple[str, str]:
    """The names, joined by ", ", from a byline around the text, else from an element marked as author.

    The second string says where they were found. Both are "" when there is no byline, or when marked elements
    name different people. `kept` are the indices of the article's blocks, in order, and `head` that of the
    headline, if it was found. `bare`: whether a line between headline and text counts that has nothing but
    names, where the newspaper itself is declared as author.
    """
    near = _nearby_blocks(page, kept, head)
    around = _names_around(page, near)
    if bare and not around and head is not None:
        places = [index for index in near if head < index <= kept[:_INTO][-1]]
        between = (page.texts[index] for index in places if page.tags[page.box[index]][0] != "h")
        around = next(filter(None, map(_only_names, between)), [])
    names = around or _marked_names(page.html, [page.texts[index] for index in near if index <= kept[-1]])
    where = "the byline beside the text" if around else MARKED_SOURCE
    return ", ".join(list(dict.fromkeys(names))[:_MAX_NAMES]), where if names else ""


def _names_around(page: Blocks, near: Sequence[int]) -> list[str]:
    bylines = (
        _read_unspaced(page.texts[index]) or _line(page, index, following)
        for index, following in zip(near, [*near[1:], None], strict=True)
    )
    return next(filter(None, bylines), [])


def _nearby_blocks(page: Blocks, kept: Sequence[int], head: int | None) -> list[int]:
    """The blocks in which a byline may stand."""
    if not kept:
        return []
    into = min(kept[:_INTO][-1], kept[0] + _BEFORE)  # what the extractor leaves out between paragraphs, too
    first = (
        kept[0] - _BEFORE if head is None else min(kept[0] - _BEFORE, max(head, kept[0] - MAX_BLOCKS_BETWEEN))
    )
    near = [*range(max(0, first), into + 1), *kept[_INTO:][-_INTO:]]
    return [*near, *range(kept[-1] + 1, min(len(page.texts), kept[-1] + 1 + _AFTER))]


def _marked_names(html: str, lines: Iterable[str]) -> list[str]:
    """The only people in these lines before whose names the page has such a tag."""
    pieces = (piece for line in lines if len(line) <= _MAX_BYLINE_CHARS for piece in _PIECE.split(line))
    found = {tuple(names) for piece in pieces if (names := _marked_in(html, strip_by(piece)))}
    return list(found.pop()) if len(found) == 1 else []


def _marked_in(html: str, piece: str) -> list[str]:
    """The names at the beginning of a piece of a line, or all between commas, if they have marks."""
    every = piece.split(", ")
    if len(every) > 1 and all(is_person(name) and _has_mark(html, name) for name in every):
        return every
    names = _read_names(piece) or ([] if piece.isascii() else _uncased_name(_FROM_NUMBER.sub("", piece)))
    if names and _has_mark(html, names[0]):
        return names
    words = _GLUE.split(piece) if piece[:1].isupper() else []  # "Jane DoeStaff writer" lacks a blank
    counts = range(min(_count_name_words(words), len(words) - 1, _MOST_WORDS), _FEWEST_WORDS - 1, -1)
    firsts = (" ".join(words[:count]) for count in counts)
    return [*islice((name for name in firsts if f"{name}<" in html and _has_mark(html, name)), 1)]


def _has_mark(html: str, name: str) -> bool:
    at = html.find(name)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        before = html[max(0, at - _LONGEST_TAGS) : at].rstrip()
        tags = _TAGS.search(before) if before.endswith(">") else None
        if tags and _MARKED_TAG.search(tags[0]) and not _NO_CLASS.search(tags[0].lower()):
            return True
        at = html.find(name, at + 1)
    return False


def _line(page: Blocks, index: int, following: int | None = None) -> list[str]:
    text = page.texts[index]
    if len(text) > _MAX_BYLINE_CHARS:
        return []
    if _ONLY_MARK.fullmatch(text):
        names = "" if following is None else page.texts[following]
        return _read_names(names) if len(names) <= _MAX_BYLINE_CHARS else []
    if _uncased_name(text):
        return [text] if _says_author(page, page.box[index]) else []
    if " " not in text:
        return []
    is_signature = _SIGNATURE_LINE.search(text) and text.split(" ", 1)[0].lower() not in _PLACE_BEGINNINGS
    if _mark(text) or _says_author(page, page.box[index]) or is_signature:
        return _read_names(strip_by(text))
    return []


def strip_by(text: str) -> str:
    """The text after the "by", or all of it."""
    mark = _mark(text)
    return text[mark.end() :] if mark else text


def _mark(text: str) -> re.Match[str] | None:
    may_have = text[:2] == "By" or not _BY_BEGINNINGS.isdisjoint(_ANY_WORD.findall(text.lower()))
    return _MARK.search(text) if may_have else None  # the pattern takes ten times as long


def _says_author(page: Blocks, box: int) -> bool:
    return _is_of_author(f"{page.names[box]} {page.names[page.parents[box]]}", page.tags[box] == "address")


@lru_cache(maxsize=5_000)
def _is_of_author(name: str, is_address: bool) -> bool:
    return (is_address or _CLASS.search(name.lower()) is not None) and _NO_CLASS.search(name.lower()) is None


def _read_unspaced(text: str) -> list[str]:
    """The names in a line of a script without capital letters."""
    if text.isascii():
        return []
    pieces = _PIECE_OTHER.split(text) if len(text) <= _MAX_BYLINE_CHARS else ()
    others = (
        group for piece in pieces if (match := _LINE_OTHER.fullmatch(piece)) for group in match.groups()
    )
    return _chinese(text) or _korean(text) or [*filter(None, others)]


def _uncased_name(text: str) -> list[str]:
    """The text, if it may be a name in a script without capital letters, and is no desk or agency."""
    is_uncased = not text.isascii() and text.upper() == text.lower()
    return [text] if is_uncased and _NAME_OTHER.fullmatch(text) and not _NO_NAME_OTHER.search(text) else []


def _chinese(text: str) -> list[str]:
    for part in (text,) if len(text) <= 2 * _EDGE_CHARS else (text[:_EDGE_CHARS], text[-_EDGE_CHARS:]):
        match = _LINE_ZH.search(part)
        if match and not _DAY_ZH.match(match[1] or match[2]):
            return ["".join(name.split()) for name in _ONE_ZH.findall(match[1] or match[2])]
    return []


def _korean(text: str) -> list[str]:
    match = _LINE_KO.search(text[:_EDGE_CHARS]) or _LINE_KO.search(text[-_EDGE_CHARS:])
    return re.split(r"[·,、]\s?", match[1]) if match else []


def is_byline(page: Blocks, index: int) -> bool:
    """Whether a block names the authors, and is no sentence."""
    return page.texts[index][-1] not in ".!?。" and bool(_line(page, index))


def is_person(text: str) -> bool:
    """Whether a text is the name of one person: two to four words with capitals, or a Chinese or
    Korean name."""
    name, whole = _name(text.split())
    return (whole and bool(name)) or any(one.fullmatch(text) for one in (_IS_KO, _ONE_ZH))


def _read_names(text: str) -> list[str]:
    """The names at the beginning of a byline; [] when the text is not a byline.

    A comma is usually followed by a job title, so parts between commas are names only if an "and" follows.
    """
    if not text.lstrip()[:1].isupper():
        return []
    end = _SEPARATOR.search(text)
    line = text[: end.start()] if end else text
    if end and end[0].isdigit():  # "Tom May" is a name, but not in "Jo Brandt May 4"
        line = _NAMES_AND_MONTHS.sub("", line)
    parts = _JOINT.split(line)
    names: list[str] = []
    count = 0
    for place in range(0, len(parts), 2):
        name, whole = _name(parts[place].split())
        if not name or (not whole and place and parts[place - 1].strip() in (";", "/")):
            break
        names.append(name)
        if place == 0 or parts[place - 1].strip() != ",":
            count = len(names)
        if not whole:
            break
    return names[:count]


def _only_names(text: str) -> list[str]:
    """The names of a line that has nothing else; a place may stand between two of them, too."""
    names = _read_names(text) if len(text) <= _MAX_BYLINE_CHARS and " " in text else []
    return names if len(" ".join(names)) + 5 * len(names) >= len(text) else []


def _name(words: Sequence[str]) -> tuple[str, bool]:
    """The name at the beginning of the words ("" without one), and whether it consists of all words."""
    count = _count_name_words(words)
    whole = count == len(words)
    if not _FEWEST_WORDS <= count <= _MOST_WORDS or not (whole or _ends(words[count])):
        return "", False
    return " ".join(words[:count]).rstrip("."), whole


def _count_name_words(words: Sequence[str]) -> int:
    count = 0
    while count < len(words) and _belongs(words[count], words[:count]):
        count += 1
    while count and words[count - 1].lower() in _PARTICLES:
        count -= 1
    return count


def _belongs(word: str, before: Sequence[str]) -> bool:
    if before and word.lower() in _PARTICLES:
        return True
    if not word[0].isupper() or not _WORD.fullmatch(word) or _GLUED_WORDS.search(word, 3):
        return False
    # "JANE DOE Associated Press", "Jane Doe CNN": a change of case ends the name, but for initials, particles
    fewest = 2 - (len(before) >= _FEWEST_WORDS and word not in ("II", "IV", "JR", "SR"))
    cased = (one for one in (word, *before) if len(one) > fewest and one[0].isupper() and one[-1] != ".")
    return _bare(word) not in _NO_NAMES and len({*map(str.isupper, cased)}) < 2


def _ends(word: str) -> bool:
    """Whether a byline, unlike a sentence, may continue with this word after a name."""
    return not word[0].islower() or _bare(word) in _NO_NAMES or _bare(word) in _AFTER_NAME_WORDS


def _bare(word: str) -> str:
    return word.lower().strip(".:;")
