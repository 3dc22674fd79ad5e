"""The language of queries: words, "phrases", OR, -minus and prefix*, parsed into a small tree.

    flood "night train"        every word and phrase (typographic quotes do as well)
    ferry OR boat harbour      OR binds closer: one of the first two words, and the third one
    flood -river -"dam break"  without a word or a phrase
    floo*                      every word that begins so

A word also finds its other forms (`text.terms`), a phrase only itself. The tree names terms, not fields of an
engine, and every engine translates it. What looks like another operator is an error, not a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dupgroups.errors import InputError
from dupgroups.text.language import normalize_language
from dupgroups.text.terms import SIGN, pairs, parts, stem_of, stems_of, without_diacritics
from dupgroups.text.words import MAX_WORD_CHARS, has_han, runs, search_words, typed_runs, words_of_run

# words of a query: a word may have 27 terms, and clusters reject queries of over 1,024 clauses
MAX_QUERY_WORDS = 32
SHORTEST_PREFIX = 2  # letters before a star: most words of an index begin with one of a few letters
LONE_OR = "OR needs a wanted word or phrase on both sides, as in ferry OR boat"
TOO_LONG = f"the search has more than {MAX_QUERY_WORDS} words: use fewer of them"

_QUOTES = str.maketrans(dict.fromkeys("“”„‟＂", '"'))
_TOKEN = re.compile(r'(?<!\S)(?P<minus>-)"(?P<without>[^"]*)"|"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+)')
_STAR = re.compile(r"[^*]*[^\W_][^\w\s*]*\*[^\w*]*")  # one star, at the end of a word
_FILTER = re.compile(
    r"-?(site|author|language|lang|title|intitle|inurl|before|after|since|until):\w", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Run:
    """Terms that follow one another in the title or in the text; with `prefix`, one that begins so.

    `counts` says whether it counts for relevance.
    """

    terms: tuple[str, ...]
    prefix: bool = False
    counts: bool = True


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a phrase: one of the `runs` must occur. `shown` are the words that it has in a query, and
    `typed` the same before they are folded, for an index that analyzes words itself.
    """

    runs: tuple[Run, ...]
    shown: tuple[str, ...]
    typed: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Every:
    """All of the `parts` must match: two or more."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of the `parts` must match: two or more."""

    parts: tuple[Node, ...]


Node = Term | Every | Either


@dataclass(frozen=True, slots=True)
class Search:
    """The tree that must match, None without a word, and the one that must not."""

    wanted: Node | None = None
    unwanted: tuple[Node, ...] = ()

    @property
    def has_parts(self) -> bool:
        """Whether there is a looser search: one of the parts instead of every one."""
        return isinstance(self.wanted, Every)

    @property
    def words(self) -> tuple[str, ...]:
        """The distinct words that are wanted, in order."""
        wanted = terms_of(self.wanted) if self.wanted else ()
        return tuple(dict.fromkeys(word for term in wanted for word in term.shown))


def terms_of(node: Node) -> Iterator[Term]:
    """The words and phrases of a tree, in order."""
    if isinstance(node, Term):
        yield node
    else:
        for part in node.parts:
            yield from terms_of(part)


def parse(text: str, language: str | None = None, *, any_word: bool = False) -> Search:
    """The tree of a query; `language` is the one to which the search is limited, None for every language.

    With `any_word`, one of the wanted words and phrases is enough. A text without any word wants nothing.
    Raises InputError, with what to write instead, for what is no query.
    """
    if len(text) > MAX_QUERY_WORDS * MAX_WORD_CHARS:
        raise InputError(TOO_LONG)
    text = text.translate(_QUOTES)
    if text.count('"') % 2:  # the last one may stand for inches, or its phrase is still being typed
        text = " ".join(text.rsplit('"', 1))
    wanted, unwanted = _Reader(normalize_language(language) or None).read(text)
    if any_word:
        wanted = list(dict.fromkeys(term for node in wanted for term in terms_of(node)))
    if unwanted and not wanted:
        raise InputError("the search only says what to leave out: add a word that is wanted")
    search = Search(_join_nodes(Either if any_word else Every, wanted), tuple(dict.fromkeys(unwanted)))
    if sum(1 for node in (*wanted, *unwanted) for _ in terms_of(node)) > MAX_QUERY_WORDS:
        raise InputError(TOO_LONG)
    return search


def found_words(search: Search, text: str, language: str) -> list[str]:
    """The folded words of a text of a language that the search found in it, for `snippets.snippet`."""
    terms = list(terms_of(search.wanted)) if search.wanted else []
    runs_ = [run for term in terms for run in term.runs]
    forms = {run.terms[0] for run in runs_ if not run.prefix and len(run.terms) == 1}
    starts = tuple(run.terms[0] for run in runs_ if run.prefix)
    found = dict.fromkeys(search.words)
    for word in dict.fromkeys(search_words(text)) if terms else ():
        if word in forms or word.startswith(starts) or stem_of(word, language) in forms:
            found[word] = None
    return [*found]


class _Reader:
    def __init__(self, language: str | None) -> None:
        self._language = language
        self._wanted: list[list[Node]] = []  # lists of nodes that are joined by OR
        self._unwanted: list[Node] = []
        self._is_open = False  # after OR

    def read(self, text: str) -> tuple[list[Node], list[Node]]:
        has_or = False
        for match in _TOKEN.finditer(text):
            if match["word"] == "OR":
                if self._is_open or not self._wanted:
                    raise InputError(LONE_OR)
                self._is_open = has_or = True
            elif match["word"] is None:
                self._add(_phrase(match["phrase"] or match["without"] or ""), bool(match["minus"]))
            else:
                self._word(match["word"])
        if self._is_open:
            raise InputError(LONE_OR)
        if has_or and re.search(r"(?<!\S)-?\(|\)(?!\S)", text):
            raise InputError("parentheses do not group words: OR joins the words on both sides of it")
        distinct = (tuple(dict.fromkeys(nodes)) for nodes in self._wanted)
        wanted = (nodes[0] if len(nodes) == 1 else Either(nodes) for nodes in distinct)
        return list(dict.fromkeys(wanted)), self._unwanted

    def _word(self, typed: str) -> None:
        if typed == "AND":
            return  # every word is wanted in any case
        if typed == "NOT":
            raise InputError("NOT is not an operator: write -flood to leave out what has the word flood")
        if name := _FILTER.match(typed):
            raise InputError(
                f"{name[1]}: is not an operator: filter by language, site, author, since and until instead"
            )
        minus = typed.startswith("-")
        if minus and not search_words(typed):
            raise InputError("a minus needs the word to leave out right after it, as in -flood")
        node = self._prefix(typed) if "*" in typed else self._words(typed)
        self._add(node, minus)

    def _add(self, node: Node | None, minus: bool) -> None:
        if minus and self._is_open:
            raise InputError(LONE_OR)
        if node is None:
            return
        if minus:
            self._unwanted.append(node)
        elif self._is_open:
            self._wanted[-1].append(node)
        else:
            self._wanted.append([node])
        self._is_open = False

    def _words(self, typed: str) -> Node | None:
        both = zip(runs(typed), typed_runs(typed), strict=True)
        return _join_every([self._node(word, raw) for run, raw in both for word in words_of_run(run)])

    def _node(self, word: str, typed: str) -> Node:
        exact = Term((Run((word,)),), (word,), typed)
        if has_han(word):
            return exact  # it has been cut out of a run
        cut = [(part, typed if part == word else part, is_cut) for part, is_cut in parts(word)]
        nodes = [_pairs(part) if is_cut else self._forms(part, raw) for part, raw, is_cut in cut]
        has_cut = any(is_cut for *_, is_cut in cut)
        return Either((exact, _join_nodes(Every, nodes) or exact)) if has_cut else nodes[0]

    def _forms(self, word: str, typed: str) -> Term:
        exact = [Run((form,)) for form in dict.fromkeys((word, without_diacritics(word)))]
        stems = [Run((stem,), counts=False) for stem in stems_of(word, self._language)]
        return Term((*exact, *stems), (word,), typed)

    def _prefix(self, typed: str) -> Node | None:
        """The words of a token with a star: the last one may go on."""
        if not _STAR.fullmatch(typed):
            raise InputError("* works only at the end of a word, as in flood*")
        *before, last = search_words(typed)
        *_, raw = typed_runs(typed)
        (*_, (part, without_blanks)) = parts(last)
        node: Node = _pairs(part) if without_blanks else Term((Run((last,), prefix=True),), (last,), raw)
        if not without_blanks and len(last) < SHORTEST_PREFIX:
            raise InputError(f"* needs at least {SHORTEST_PREFIX} letters before it, as in flood*")
        return _join_every([*(self._node(word, word) for word in before), node])


def _phrase(typed: str) -> Node | None:
    """The words next to each other; parts of scripts without blanks are each a phrase of its own."""
    if "*" in typed:
        raise InputError("* does not work inside quotation marks: write the word without them")
    nodes: list[Node] = []
    words: list[str] = []
    raw = " ".join(typed_runs(typed))
    for part, without_blanks in (part for run in runs(typed) for part in parts(run)):
        if without_blanks:
            nodes += [*_exact(words), _pairs(part)]
            words = []
        else:
            words.append(part[:MAX_WORD_CHARS])
    return _join_every([*nodes, *_exact(words, "" if nodes else raw)])


def _exact(words: Sequence[str], typed: str = "") -> list[Node]:
    return [Term((Run(tuple(words)),), tuple(words), typed or " ".join(words))] if words else []


def _pairs(part: str) -> Term:
    """A part of a script without blanks, wherever it occurs."""
    *followed, last = pairs(part)
    terms, shown = tuple(pair + SIGN for pair in followed), part[:MAX_WORD_CHARS]
    return Term((Run(terms) if terms else Run((last,), prefix=True),), (shown,), shown)


def _join_every(nodes: Sequence[Node]) -> Node | None:
    return _join_nodes(Every, list(dict.fromkeys(nodes)))


def _join_nodes(kind: type[Every] | type[Either], nodes: Sequence[Node]) -> Node | None:
    """One tree of several; None for none. The parts of an Every inside of an Every become parts of it."""
    flat = [part for node in nodes for part in (node.parts if type(node) is kind else (node,))]
    if not flat:
        return None
    return flat[0] if len(flat) == 1 else kind(tuple(dict.fromkeys(flat)))
