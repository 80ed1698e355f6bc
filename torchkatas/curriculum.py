"""What stands in katas/: order, facts, concepts, functions and hints. Read as text; nothing is imported."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Definition = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Concept:
    """One stub module and its spec, such as 03_autograd/gradients."""

    directory: str
    name: str

    @classmethod
    def of(cls, spec: Path, root: Path) -> Concept | None:
        """The concept that a spec file belongs to; None for a file that is no spec of a kata."""
        if spec.parent.parent == root / "katas" and spec.name.startswith("test_"):
            return cls(spec.parent.name, spec.stem.removeprefix("test_"))
        return None

    @property
    def file(self) -> str:
        return f"{self.directory}/{self.name}.py"

    def __str__(self) -> str:
        return f"{self.directory}/{self.name}"


@dataclass(frozen=True)
class Directory:
    """One entry of map.toml."""

    name: str
    concepts: list[str]
    after: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)  # data that ships with it, and what is said of its origin


def directories(root: Path) -> list[Directory]:
    """The directories in reading order, from katas/map.toml."""
    table = tomllib.loads((root / "katas" / "map.toml").read_text(encoding="utf-8"))
    return [Directory(name, **row) for name, row in table.items()]


def concepts(root: Path) -> list[Concept]:
    """Every concept in reading order."""
    return [Concept(directory.name, name) for directory in directories(root) for name in directory.concepts]


def definitions(path: Path) -> dict[str, Definition]:
    """Public functions and classes of a module by name, in order; empty where there is no such file or no Python."""
    try:
        nodes = [node for node in parsed(path) if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    return {node.name: node for node in nodes if not node.name.startswith("_")}


def parsed(path: Path) -> list[ast.stmt]:
    """The statements of a file; none where there is no such file. Not to be changed: they are kept until it changes."""
    return _parsed(path, path.stat().st_mtime_ns) if path.is_file() else []


@cache
def _parsed(path: Path, changed: int) -> list[ast.stmt]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a "\\d" in a learner's file
        return ast.parse(path.read_bytes()).body


def functions(root: Path, concept: Concept) -> dict[str, Definition]:
    """What a concept asks for. Read from the solution, if it is not hidden: the stubs are the learner's, to break."""
    return definitions(root / "solutions" / concept.file) or definitions(root / "katas" / concept.file)


def reading_order(root: Path) -> dict[tuple[Concept, str], int]:
    """Every function's place among all."""
    keys = [(concept, name) for concept in concepts(root) for name in functions(root, concept)]
    return {key: place for place, key in enumerate(keys)}


def judged(test: str, functions: Iterable[str]) -> str:
    """The function that a test is named after: the longest that follows `test_`; empty where there is none."""
    return max((f for f in functions if f"{test}_".startswith(f"test_{f}_")), key=len, default="")


def lesson(concept: Concept, function: str) -> str:
    """Where the lesson speaks of a function; sites make anchors of headings in lower case."""
    return f"katas/{concept.directory}/README.md#{function.lower()}"


def hints(text: str, function: str) -> list[str]:
    """The graded hints that a lesson's text gives under a function's heading."""
    found = re.search(rf"^#+ {re.escape(function)}$(.*?)(?=^#|\Z)", text, re.M | re.S)
    return re.findall(r"<details>\s*<summary>.*?</summary>(.*?)</details>", found[1], re.S) if found else []


def why(solution: Path, function: str) -> str:
    """The line in a solution that says why it works: the comment that starts with `# Why: `."""
    node = definitions(solution).get(function)
    if node is None:
        return ""
    lines = solution.read_text(encoding="utf-8").splitlines()[node.lineno : node.end_lineno]
    found = re.search(r"# Why: (.*)", "\n".join(lines))
    return found[1] if found else ""
