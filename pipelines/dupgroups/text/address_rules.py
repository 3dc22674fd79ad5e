"""Parameters that addresses carry besides the page that they name: campaigns, shares, clicks and sessions.

`address_words.csv` is a list of our own, by the documentation of those who append them: to add a name, put it
where its kind is.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

from dupgroups.text.word_tables import read_table

_FAMILIES, _NAMES, _SESSIONS, _AMBIGUOUS = map("|".join, read_table("address_words.csv").values())
_DECORATION = re.compile(rf"(?:amp;)*(?:(?:{_FAMILIES}).*|{_NAMES}|{_SESSIONS})", re.IGNORECASE)
_AMBIGUOUS_NAME = re.compile(rf"(?:amp;)*(?:{_AMBIGUOUS})", re.IGNORECASE)
_SESSION_VALUE = re.compile(r"(?=.*\d)(?=.*[a-z])[\w-]{8,}", re.IGNORECASE)  # not the number of a story
_PAGE = re.compile(
    r"/(?![^/]*\.(?:php\d?|aspx?|jspx?|cgi|pl|do|cfm|dll)/?$)[^/]*[\d_-][^/]*/?$", re.IGNORECASE
)
_SESSION_IN_PATH = re.compile(rf";(?:{_SESSIONS}|sid)=[^/;]*|/\([SAF]\(\w+\)\)(?=/)", re.IGNORECASE)


def path_of_page(path: str) -> str:
    """The path without a session.

    >>> path_of_page("/news/1;jsessionid=E460A9"), path_of_page("/(S(lit3py55))/news/1")
    ('/news/1', '/news/1')
    """
    return _SESSION_IN_PATH.sub("", path)


def query_of_page(query: str, path: str) -> str:
    """The query without what does not change the page, in the order given.

    >>> query_of_page("UTM_Source=x&id=5&ref=home", "/news/1"), query_of_page("ref=home", "/news")
    ('id=5', 'ref=home')
    """
    names_page = bool(_PAGE.search(path))
    return "&".join(pair for pair in query.split("&") if not _is_decoration(pair, names_page=names_page))


def _is_decoration(pair: str, *, names_page: bool) -> bool:
    """Whether a parameter does not change the page; `names_page`: the path alone may name it."""
    name, _, value = map(unquote_plus, pair.partition("="))
    if _DECORATION.fullmatch(name):
        return True
    if name.lower() == "sid":
        return bool(_SESSION_VALUE.fullmatch(value))
    return names_page and bool(_AMBIGUOUS_NAME.fullmatch(name)) and not value.isdigit()
