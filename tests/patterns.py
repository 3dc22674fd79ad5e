"""Every regular expression of the code, and texts that are made from its own structure to take it long."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

try:
    from re import _constants as kinds  # type: ignore[attr-defined]
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_constants as kinds  # type: ignore[no-redef]
    import sre_parse as parser  # type: ignore[no-redef]

METHODS = ("search", "match", "fullmatch", "findall", "finditer", "sub", "split")
MANY = 16  # repetitions from which a part counts as repeated
SAMPLES = 6  # characters that stand for a class
MOST = 40  # parts, and characters, that attacks are made of
_POOL = " \n\t\u3000aZ0_-.,:;/|<>\"'@#=&()[]*\u00e9\u4e2d\u738b\u3002\u0301\ud83d\0"

Pattern = re.Pattern[Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and how it is used (methods of patterns)."""

    place: str
    pattern: Pattern
    methods: tuple[str, ...]


# -- which patterns there are


def modules(*packages: str) -> Iterator[ModuleType]:
    """All modules of these packages but `__main__`."""
    for name in packages:
        package = importlib.import_module(name)
        yield package
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not found.name.endswith("__main__"):
                yield importlib.import_module(found.name)


def patterns(*packages: str) -> list[Used]:
    """Those that are compiled in the globals of modules, and the literal ones in calls of `re`."""
    read = [(module, ast.parse(_source(module))) for module in modules(*packages)]
    uses: defaultdict[str, set[str]] = defaultdict(set)
    for _, tree in read:
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                uses[_name(node.value)].add(node.attr)
    found: dict[tuple[Pattern, tuple[str, ...]], Used] = {}
    for module, tree in read:
        for used in (*_globals(module, uses), *_literals(module, tree)):
            found.setdefault((used.pattern, used.methods), used)
    return list(found.values())


def _globals(module: ModuleType, uses: dict[str, set[str]]) -> Iterator[Used]:
    for name, value in vars(module).items():
        place = f"{module.__name__}.{name}"
        if isinstance(value, re.Pattern):
            yield Used(place, value, tuple(sorted(uses.get(name, ()))) or METHODS)
        elif isinstance(getattr(value, "__self__", None), re.Pattern):
            yield Used(place, value.__self__, (value.__name__,))


def _literals(module: ModuleType, tree: ast.Module) -> Iterator[Used]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for call in dict.fromkeys(call for function in functions for call in _calls(function)):
        assert isinstance(call.func, ast.Attribute)
        methods = (call.func.attr,) if call.func.attr in METHODS else METHODS
        for text in _texts(call.args[0]):
            yield Used(f"{module.__name__}:{call.lineno}", re.compile(text), methods)


def _texts(node: ast.expr) -> list[Any]:
    """The patterns that an argument may be, when it names them."""
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return [node.value] if isinstance(node, ast.Constant) else []


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if _name(node.func.value) == "re" and node.func.attr in (*METHODS, "compile"):
            yield node


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _source(module: ModuleType) -> str:
    assert module.__file__
    return Path(module.__file__).read_text(encoding="utf-8")


# -- texts that are hard for a pattern


def attacks(pattern: Pattern, size: int) -> Iterator[str]:
    """Texts of about `size` characters: what leads to a repeated part, that part over and over, and an end
    that does not fit; the same with the way to it repeated; and single samples over and over."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if _is_bytes(pattern) else pattern.flags)
    alphabet = "".join(dict.fromkeys([*_POOL, *_alphabet(tree)]))
    repeated = _spread(list(dict.fromkeys(_repeated(tree, [""], alphabet))), MOST)
    for lead, pump in repeated:
        yield lead + _times(pump, size) + "\0a"
        yield _times(lead + pump, size) + "\0a"
        yield _times(lead, size) + "\n!"
    units = dict.fromkeys([*_spread(list(alphabet), MOST), *_samples(tree, alphabet)])
    yield from (_times(unit, size) + "\0a" for unit in units)


def _times(unit: str, size: int) -> str:
    return unit * max(1, size // max(1, len(unit)))


def _is_bytes(pattern: Pattern) -> bool:
    return isinstance(pattern.pattern, bytes)


def _alphabet(tree: Any) -> Iterator[str]:
    """The characters that a pattern names."""
    for kind, value in tree:
        if kind in (kinds.LITERAL, kinds.NOT_LITERAL):
            yield chr(value)
        elif kind is kinds.IN:
            yield from _alphabet(value)
        elif kind is kinds.RANGE:
            yield chr(value[0])
        elif kind is not kinds.CATEGORY:
            for part in _parts(kind, value):
                yield from _alphabet(part)


def _parts(kind: Any, value: Any) -> list[Any]:
    """The patterns inside of one item."""
    if kind is kinds.BRANCH:
        return list(value[1])
    if kind is kinds.SUBPATTERN:
        return [value[-1]]
    if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
        return [value[2]]
    if kind in (kinds.ASSERT, kinds.ASSERT_NOT):
        return [value[1]]
    return []


def _repeated(tree: Any, leads: list[str], alphabet: str) -> Iterator[tuple[str, str]]:
    """Of every part that may be repeated without end: what leads to it, and what it repeats."""
    for kind, value in tree:
        if kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT) and value[1] >= MANY:
            yield from ((lead, pump) for lead in leads for pump in _samples(value[2], alphabet) if pump)
        for part in _parts(kind, value):
            yield from _repeated(part, leads, alphabet)
        after = _samples([(kind, value)], alphabet)
        leads = _spread(list(dict.fromkeys(lead + sample for lead in leads for sample in after)), 2)


def _samples(tree: Any, alphabet: str) -> list[str]:
    """A few texts that a pattern fits, as far as its assertions allow."""
    texts = [""]
    for kind, value in tree:
        if kind is kinds.LITERAL:
            some = [chr(value)]
        elif kind in (kinds.ANY, kinds.NOT_LITERAL, kinds.IN):
            some = [character for character in alphabet if _fits(kind, value, character)] or ["x"]
        elif kind is kinds.BRANCH or kind is kinds.SUBPATTERN:
            some = [text for part in _parts(kind, value) for text in _samples(part, alphabet)[:SAMPLES]]
        elif kind in (kinds.MAX_REPEAT, kinds.MIN_REPEAT):
            times = max(value[0], min(1, value[1]))
            some = [text * times for text in _samples(value[2], alphabet)]
            some = [*some[: SAMPLES - 1], ""] if not value[0] else some
        else:
            some = [""]
        texts = [text + more for more in _spread(some) for text in texts[:SAMPLES]]
    return _spread(list(dict.fromkeys(texts)), 2 * SAMPLES)


def _spread(some: list[T], most: int = 2 * SAMPLES) -> list[T]:
    """At most so many of them, from all over."""
    return some[:: -(-len(some) // most)] if len(some) > most else some


def _fits(kind: Any, value: Any, character: str) -> bool:
    if kind is kinds.ANY:
        return character != "\n"
    if kind is kinds.NOT_LITERAL:
        return ord(character) != value
    negated = value[0][0] is kinds.NEGATE
    return negated != any(_is_in(*item, character) for item in value)


def _is_in(kind: Any, value: Any, character: str) -> bool:
    if kind is kinds.LITERAL:
        return ord(character) == value
    if kind is kinds.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is kinds.CATEGORY:
        return re.match(_CATEGORIES[value], character) is not None
    return False


_CATEGORIES = {
    kinds.CATEGORY_SPACE: r"\s",
    kinds.CATEGORY_NOT_SPACE: r"\S",
    kinds.CATEGORY_DIGIT: r"\d",
    kinds.CATEGORY_NOT_DIGIT: r"\D",
    kinds.CATEGORY_WORD: r"\w",
    kinds.CATEGORY_NOT_WORD: r"\W",
}
