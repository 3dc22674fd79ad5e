"""Parameters that addresses carry besides the page that they name: campaigns, shares, clicks and sessions.

A list of our own, by the documentation of those who append them. Names hold in any case; to add one, put it
where its kind is. A name that may also say which page it is belongs to AMBIGUOUS.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_plus

# families, of which any name may follow: analytics, mailing and advertising services
_FAMILIES = """__cf_ __hs __twitter_ _bra?nch_ _hs at_ bsft_ campaign_ cm_ dm_ elq fb_ ga_ gad_ guce_
    hsa_ hss_ itm_ matomo_ mc_ mkt_ ml_ mtm_ ns_ nr_email_ oly_ pk_ piwik_ rdt_ sc_ sfmc_ share_ sharer_
    soc_ spm_ trk_ utm_ vero_ wt_ wt\\.mc xnpe_""".split()
# single names: identifiers of clicks, newsletters, shares and positions of links
_NAMES = """__s __tn__ _ga _gl _ke _kx _openstat action_object_map amp asc_source bxid campaign chksm
    cmp cmpid cndid cvid dclid dicbo ecid emc epik esrc fbclid fromuid ftag gbraid gclid gclsrc
    guccounter icid ico igsh igshid igsid intcid irclickid isappinstalled itid ito li_fat_id mbid
    msclkid ncid newsletter_id nlid nsukey o_cid obclid obOrigUrl ocid outputType rb_clid ref_cta
    ref_src ref_url referer referrer replytocom rss s_cid s_kwcid sccid scm share_from smid smtyp spm
    sr_share srsltid taid tblci tduid tpcc traffic_source trk tt_from ttclid twclid unique_k
    unlocked_article_code vd_source wbraid weibo_id wickedid wpisrc wpmm xtor xtref yclid ysclid""".split()
# sessions
_SESSIONS = """aspsessionid\\w* cfid cftoken jsessionid oscsid phpsessid s?sessionid sess(?:ion)?_?(?:id|key)
    zenid""".split()
# names that say elsewhere which page it is: they count as decoration only where the path names the page,
# with a number or several words at its end, which no script has
_AMBIGUOUS = "cid feature from gift mod partner ref sh share si social source via".split()

_DECORATION = re.compile(
    rf"(?:amp;)*(?:(?:{'|'.join(_FAMILIES)}).*|{'|'.join(_NAMES)}|{'|'.join(_SESSIONS)})", re.IGNORECASE
)
_AMBIGUOUS_NAME = re.compile(rf"(?:amp;)*(?:{'|'.join(_AMBIGUOUS)})", re.IGNORECASE)
_SESSION_VALUE = re.compile(r"(?=.*\d)(?=.*[a-z])[\w-]{8,}", re.IGNORECASE)  # not the number of a story
_PAGE = re.compile(
    r"/(?![^/]*\.(?:php\d?|aspx?|jspx?|cgi|pl|do|cfm|dll)/?$)[^/]*[\d_-][^/]*/?$", re.IGNORECASE
)
_SESSION_IN_PATH = re.compile(rf";(?:{'|'.join(_SESSIONS)}|sid)=[^/;]*|/\([SAF]\(\w+\)\)(?=/)", re.IGNORECASE)


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
