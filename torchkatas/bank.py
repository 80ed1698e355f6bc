"""The bank: wrong answers under mistakes/, other right answers under solutions/alternates/.

A bank file holds short definitions, each marked with what it replaces. It is read as text and only the one definition
that is asked for is ever run, on top of the concept's solution. What stands undecorated (imports, helpers) goes along.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from torchkatas import curriculum

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """Its id, the function it replaces, the sentence a learner is told, the fact it contradicts, its line."""

    id: str
    replaces: str
    says: str
    fact: str = ""
    line: int = 0

    def __call__(self, answer: T) -> T:
        return answer


wrong = Entry


def right(replaces: str, id: str = "", line: int = 0) -> Entry:
    """Another right answer, of which nothing is told; its own name is its id."""
    return Entry(id, replaces, "", line=line)


def folders(root: Path) -> tuple[Path, Path]:
    """Where wrong and other right answers lie."""
    return root / "mistakes", root / "solutions" / "alternates"


def solution(path: Path) -> Path:
    """The solution that a bank file's entries stand on."""
    folder = path.parents[1]
    solutions = folder.parent if folder.name == "alternates" else folder.parent / "solutions"
    return solutions / path.parent.name / path.name


def entries(path: Path) -> list[Entry]:
    """The entries of a bank file in order; none where there is no such file."""
    return [_entry(node, mark) for node in curriculum.parsed(path) if (mark := _mark(node))]


def told(found: list[Entry]) -> str:
    """The sentence of an entry; of several, all."""
    if len(found) == 1:
        return found[0].says
    return "\n".join(["One of:", *(f"- {entry.says}" for entry in found)])


def overlay(path: Path, id: str) -> ast.Module:
    """One entry under the name of what it replaces, and what the file's entries share."""
    body: list[ast.stmt] = []
    for node in ast.parse(path.read_bytes()).body:
        mark = _mark(node)
        if not mark:
            body.append(node)
        elif (entry := _entry(node, mark)).id == id:
            node.name = entry.replaces  # type: ignore[attr-defined]
            node.decorator_list.remove(mark)  # type: ignore[attr-defined]
            body.append(node)
    return ast.Module(body, type_ignores=[])


def _mark(node: ast.stmt) -> ast.Call | None:
    """The decorator that makes a definition an entry."""
    for mark in getattr(node, "decorator_list", ()):
        if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id in ("wrong", "right"):
            return mark
    return None


def _entry(node: Any, mark: Any) -> Entry:
    make: Callable[..., Entry] = wrong if mark.func.id == "wrong" else right
    given = [ast.literal_eval(arg) for arg in mark.args]
    named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in mark.keywords}
    entry = make(*given, **named, line=node.lineno)
    return replace(entry, id=entry.id or node.name)
