"""The language of the pages: texts come from gettext catalogues, dates from the tables of the Unicode CLDR.

Code and templates mark their texts with `gettext`, `ngettext` and `plural`: `translations/LANGUAGE.po` has
these, and `translations/sentences.LANGUAGE.po` the sentences of layers that know no language. The catalogues
are read as they are: nothing is compiled. English needs neither, so the command line works without Babel.
"""

from __future__ import annotations

import gettext as catalogues
import re
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

DateForm = Literal["day", "short day", "month", "short month", "year"]

CLAUSE = "clause"  # the value of a sentence that is itself one of the listed ones
MAX_SENTENCE_CHARS = 500  # characters of a sentence that is compared with the listed ones
_SKELETONS = {"short day": "yMMMd", "month": "yMMMM", "short month": "yMMM", "year": "y"}
_MONTHS = "January February March April May June July August September October November December".split()
_SHORT_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec".split()
_PLACE = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the pages: `code` names its catalogue and is what browsers ask for, `tag` is that of the
    texts (BCP 47), `locale` that of its dates in CLDR.
    """

    code: str
    tag: str
    locale: str


ENGLISH = Language("en", "en", "en_GB")
LANGUAGES = {language.code: language for language in (ENGLISH, Language("zh", "zh-Hans", "zh_Hans_CN"))}
"""The languages by code; English, in which the texts are written, comes first."""

_current: ContextVar[Language] = ContextVar("language", default=ENGLISH)
_packages = ["dupgroups.presentation"]


def current() -> Language:
    """The language of the request that is answered, in any thread; English outside of requests."""
    return _current.get()


def use(language: Language) -> None:
    """Answer in this language from now on, in this request (or this thread)."""
    _current.set(language)


def register(package: str) -> None:
    """Add the catalogues of another package."""
    _packages.append(package)
    _catalogue.cache_clear()
    _patterns.cache_clear()


def gettext(message: str) -> str:
    """A text in the current language; the text itself where the catalogue does not have it."""
    return _catalogue(current().code).gettext(message) if message else ""


def ngettext(single: str, many: str, number: int) -> str:
    """The form of a text for a number, in the current language."""
    return _catalogue(current().code).ngettext(single, many, number)


def gettext_noop(message: str) -> str:
    """The text itself: marks it for the catalogues where it is defined and not yet shown."""
    return message


def plural(number: int, single: str, many: str) -> str:
    """The form of a text for a number, which stands in place of %(num)s.

    >>> plural(1, "%(num)s copy", "%(num)s copies"), plural(1200, "%(num)s copy", "%(num)s copies")
    ('1 copy', '1,200 copies')
    """
    return ngettext(single, many, number) % {"num": f"{number:,}"}


def sentence(text: str) -> str:
    """A sentence that was made in English with its values in it, in the current language."""
    translated = gettext(text)
    if current() is ENGLISH or translated != text or len(text) > MAX_SENTENCE_CHARS:
        return translated
    for pattern, translation in _patterns(current().code):
        if match := pattern.fullmatch(text):
            values = match.groupdict().items()
            return translation % {
                name: sentence(value) if name == CLAUSE else value for name, value in values
            }
    return text


def date_text(value: date, form: DateForm) -> str:
    """A date as people write it, such as "4 March 2026"; in English without Babel, as CLDR has it."""
    if current() is ENGLISH:
        months = _SHORT_MONTHS if form.startswith("short") else _MONTHS
        first = ("day", "month", "year").index(form.split()[-1])
        return " ".join([str(value.day), months[value.month - 1], str(value.year)][first:])
    from babel.dates import format_date, format_skeleton

    locale = current().locale
    if form == "day":
        return format_date(value, "long", locale=locale)
    return format_skeleton(_SKELETONS[form], value, locale=locale)


@lru_cache(maxsize=1_000)
def language_name(code: str) -> str:
    """The name of a language in itself, such as "Deutsch"; the code itself if it is unknown; needs Babel."""
    from babel import Locale, UnknownLocaleError

    try:
        name = Locale.parse(code).get_language_name() or code
    except (UnknownLocaleError, ValueError):
        return code
    return name[:1].title() + name[1:]


@cache
def _catalogue(code: str) -> catalogues.NullTranslations:
    """The catalogues of all packages in one, compiled in memory."""
    catalogue = catalogues.NullTranslations()
    if code == ENGLISH.code:
        return catalogue
    from babel.messages.mofile import write_mo

    for package in reversed(_packages):
        for name in (f"sentences.{code}", code):
            compiled = BytesIO()
            write_mo(compiled, _read(package, name, code))
            compiled.seek(0)
            translations = catalogues.GNUTranslations(compiled)
            translations.add_fallback(catalogue)
            catalogue = translations
    return catalogue


def _read(package: str, name: str, code: str) -> Catalog:
    from babel.messages.pofile import read_po

    source = (resources.files(package) / "translations" / f"{name}.po").read_bytes()
    return read_po(BytesIO(source), locale=code)


@cache
def _patterns(code: str) -> list[tuple[re.Pattern[str], str]]:
    """The sentences that have values in them, each as the pattern that finds these, and its translation."""
    patterns = []
    for message in (one for package in _packages for one in _read(package, f"sentences.{code}", code)):
        parts = _PLACE.split(str(message.id))  # literals, with the name of a value after each but the last
        parts[::2] = [re.escape(part.replace("%%", "%")) for part in parts[::2]]
        parts[1::2] = [f"(?P<{name}>.+?)" for name in parts[1::2]]
        if message.string and len(parts) > 1:
            patterns.append((re.compile("".join(parts), re.DOTALL), str(message.string)))
    return patterns
