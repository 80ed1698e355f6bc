"""The bank: wrong answers under mistakes/, other right answers under solutions/alternates/.

A bank file holds short definitions, each marked with what it replaces. It is read as text and only the one definition
that is asked for is ever run, on top of the concept's solution. What stands undecorated (imports, helpers) goes along.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class wrong:
    """A wrong answer: its id, the function it replaces, the sentence a learner is told, the fact it contradicts."""

    id: str
    replaces: str
    says: str
    fact: str = ""
    line: int = 0

    def __call__(self, answer: T) -> T:
        return answer


@dataclass(frozen=True)
class right:
    """Another right answer: the function it replaces. Its own name is its id."""

    replaces: str
    id: str = ""
    line: int = 0

    def __call__(self, answer: T) -> T:
        return answer


Entry = wrong | right


def folders(root: Path) -> tuple[Path, Path]:
    """Where wrong and other right answers lie."""
    return root / "mistakes", root / "solutions" / "alternates"


def solution(path: Path) -> Path:
    """The solution that a bank file's entries stand on."""
    folder = path.parents[1]
    return (
        (folder.parent if folder.name == "alternates" else folder.parent / "solutions") / path.parent.name / path.name
    )


def entries(path: Path) -> list[Entry]:
    """The entries of a bank file in order; none where there is no such file."""
    return [_entry(mark, node) for node in _parsed(path) if (mark := _mark(node))]


def told(found: list[Entry]) -> str:
    """The sentence of an entry; of several, all."""
    says = [entry.says for entry in found if isinstance(entry, wrong)]
    return says[0] if len(says) == 1 else "\n".join(["One of:", *(f"- {sentence}" for sentence in says)])


def overlay(path: Path, id: str) -> ast.Module:
    """One entry under the name of what it replaces, and what the file's entries share."""
    body: list[ast.stmt] = []
    for node in _parse(path.read_bytes()):
        mark = _mark(node)
        if mark is None:
            body.append(node)
            continue
        entry = _entry(mark, node)
        if entry.id == id:
            assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
            node.name = entry.replaces
            node.decorator_list.remove(mark)
            body.append(node)
    return ast.Module(body, type_ignores=[])


def _parse(source: bytes) -> list[ast.stmt]:
    return ast.parse(source).body


@cache
def _read(path: Path, changed: int) -> list[ast.stmt]:
    return _parse(path.read_bytes())


def _parsed(path: Path) -> list[ast.stmt]:
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else []


def _mark(node: ast.stmt) -> ast.Call | None:
    """The decorator that makes a definition an entry."""
    if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return None
    calls = (d for d in node.decorator_list if isinstance(d, ast.Call) and isinstance(d.func, ast.Name))
    return next((call for call in calls if call.func.id in ("wrong", "right")), None)  # type: ignore[attr-defined]


def _entry(mark: ast.Call, node: ast.stmt) -> Entry:
    make: Callable[..., Entry] = wrong if mark.func.id == "wrong" else right  # type: ignore[attr-defined]
    given = [ast.literal_eval(arg) for arg in mark.args]
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in mark.keywords if keyword.arg}
    if make is right:
        named["id"] = node.name  # type: ignore[attr-defined]
    return make(*given, **named, line=node.lineno)
