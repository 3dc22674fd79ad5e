"""Names and docstrings by rule: `python -m naming` lists all that break one, and exits with 1 if any does."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOTS = ("pipelines", "es_plugin_py", "scrapy_project")
SHARED_FILE_NAMES = {"__init__", "__main__", "base"}
VERBS_IN_ED = frozenset("embed feed need proceed seed shed speed".split())
PARTICIPLES = frozenset(
    """
    begun bought broken built chosen come done drawn driven fallen felt found given gone gotten grown
    heard held hidden kept known laid led left lost made meant met paid said seen sent shown sold spelt
    spoken standing taken thought thrown told torn understood undone worn written
    """.split()
)
WITHOUT_SUBJECT = frozenset(
    """
    about above after again ahead alike all alone among any apart around aside away back before behind
    beside between beyond both by different down each earlier else elsewhere enough entire every
    everything everywhere few fewest first fit fresh from good greatest here highest how in inside just
    larger largest last late later latest least less like longest lowest many meanwhile more most much
    near nearer nearest never new newest next none not nothing now old older oldest on once one ones
    only onward or other others ours out outside own past rest same several short shortest similar small
    smaller some soon strongest such then there those together top unfit unlike usable valid what whole
    wide with within without worst
    """.split()
)
DOCSTRING_HABITS = re.compile(r"^\s*What\b|(?<!there )\b(is|are) none\b")
REFERENCE = re.compile(r"\b[Ss]ee `?([A-Z]\w+)\.(\w+)")


def is_bare(name: str) -> bool:
    """Whether a name is one word without a verb and without a subject: `found`, `LONGEST`, `AT_ONCE`."""
    word = name.strip("_").lower()
    if word == "at_once":
        return True
    return "_" not in word and (
        word in PARTICIPLES | WITHOUT_SUBJECT or (word.endswith("ed") and word not in VERBS_IN_ED)
    )


def functions(scope: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and methods of a module, without properties and those of the language (`__or__`)."""
    for node in scope.body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            is_property = any("property" in ast.unparse(mark) for mark in node.decorator_list)
            if not is_property and not node.name.startswith("__"):
                yield node


def constants(module: ast.Module) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    """The constants of a module with their values."""
    for node in module.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and target.id.isupper():
                    yield target, node.value


def is_number(value: ast.expr | None) -> bool:
    """Whether the value is a number, or counted out of numbers."""
    return (isinstance(value, ast.Constant) and type(value.value) in (int, float)) or (
        isinstance(value, ast.BinOp) and is_number(value.left) and is_number(value.right)
    )


def faults(path: Path) -> Iterator[str]:
    """One line for each name or docstring of a file that breaks a rule."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    for function in functions(module):
        if is_bare(function.name):
            yield f"{path}:{function.lineno}: function `{function.name}` has no verb"
    for name, value in constants(module):
        if is_bare(name.id):
            yield f"{path}:{name.lineno}: constant `{name.id}` has no subject"
        elif is_number(value) and "_" not in name.id.strip("_"):
            yield f"{path}:{name.lineno}: constant `{name.id}` has no unit, such as MAX_{name.id}_CHARS"
    for node in ast.walk(module):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for line in (ast.get_docstring(node) or "").splitlines():
                if DOCSTRING_HABITS.search(line):
                    yield f"{path}:{getattr(node, 'lineno', 1)}: docstring: {line.strip()}"


def class_members(paths: list[Path]) -> dict[str, set[str]]:
    """The names of each class: its methods, fields and constants, and its base classes."""
    members = defaultdict(set)
    for path in paths:
        for scope in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(scope, ast.ClassDef):
                members[scope.name] |= {ast.unparse(base).partition("[")[0] for base in scope.bases}
                for node in scope.body:
                    if isinstance(node, ast.AnnAssign):
                        members[scope.name].add(ast.unparse(node.target))
                    elif isinstance(node, ast.Assign):
                        members[scope.name] |= {ast.unparse(target) for target in node.targets}
                    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                        members[scope.name].add(node.name)
    return members


def is_member(name: str, owner: str, members: dict[str, set[str]]) -> bool:
    """Whether a class or one of its base classes has a member of this name."""
    known = members.get(owner, set())
    return name in known or any(is_member(name, base, members) for base in known & members.keys() - {owner})


def dead_references(path: Path, members: dict[str, set[str]]) -> Iterator[str]:
    """One line for each "See Class.member" in a file that names something that does not exist."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for owner, name in REFERENCE.findall(line):
            if not is_member(name, owner, members):
                yield f"{path}:{number}: there is no {owner}.{name}"


def main() -> None:
    """Print every fault; exit with 1 if there is one."""
    paths = sorted(path for root in ROOTS for path in Path(root).rglob("*.py"))
    members = class_members(paths)
    found = [fault for path in paths for fault in (*faults(path), *dead_references(path, members))]
    homes = defaultdict(list)
    for path in paths:
        homes[path.stem].append(str(path))
    found += [
        f"{' and '.join(same)} share a name"
        for stem, same in homes.items()
        if len(same) > 1 and stem not in SHARED_FILE_NAMES
    ]
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
