"""The one door to the code under test: where it comes from, and how it is loaded.

A tree of answers is imported below this module: `torchkatas.answers.katas.03_autograd.gradients`, or
`torchkatas.answers.mistakes@doubled.03_autograd.gradients` for one wrong answer of the bank. The name says where the
source lies, so that a child process of any start method finds it with nothing handed over. Source is compiled at
every load and no bytecode is read or written: two saves of one size within a second would grade the older one.
"""

from __future__ import annotations

import ast
import sys
import traceback
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from torchkatas import bank, curriculum
from torchkatas.curriculum import Concept

__path__: list[str] = []  # a module with a path is a package: the trees are its submodules
HOME = Path(__file__).parents[1]


class Tree(NamedTuple):
    """A folder of answers, or one entry of a bank that lies in that folder."""

    folder: Path
    entry: str = ""

    def module(self, concept: Concept) -> str:
        """The full dotted path of a concept's module in this tree."""
        folder = self.folder.relative_to(HOME).as_posix() if self.folder.is_relative_to(HOME) else str(self.folder)
        parts = [quote(part, safe="").replace(".", "%2E") for part in (folder, self.entry) if part]
        return f"{__name__}.{'@'.join(parts)}.{concept.directory}.{concept.name}"

    def source(self, concept: Concept) -> Path:
        return self.folder / concept.file


class FromSource(SourceFileLoader):
    """Compiles a file each time it is loaded."""

    def get_code(self, fullname: str) -> CodeType:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `x is 1` or "\\d" is bad style, and no syntax error
            return self.source_to_code(self.get_data(self.path), self.path)


class FromBank(FromSource):
    """Runs the solution, then the one definition of the bank that takes a function's place."""

    def __init__(self, fullname: str, path: str, entry: str) -> None:
        super().__init__(fullname, path)
        self.entry = entry

    def exec_module(self, module: ModuleType) -> None:
        self.run(vars(module))

    def get_code(self, fullname: str) -> CodeType:
        """For `python -m`, which runs no module but its code."""
        loader = f"{__name__}.{type(self).__name__}(__name__, {self.path!r}, {self.entry!r})"
        return compile(f"import {__name__}\n{loader}.run(globals())", self.path, "exec")

    def run(self, module: dict[str, Any]) -> None:
        """The solution up to its `if __name__ == "__main__":`, the definition, and what stands under that `if`."""
        path = Path(self.path)
        solution = bank.solution(path)
        body = ast.parse(solution.read_bytes()).body
        script = len(body) - isinstance(body[-1], ast.If) if body else 0
        for part, file in (
            (ast.Module(body[:script], []), solution),
            (bank.overlay(path, self.entry), path),
            (ast.Module(body[script:], []), solution),
        ):
            exec(compile(part, file, "exec"), module)


class Finder:
    """Finds what lies below this module; on sys.meta_path of every process that imports it."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if not fullname.startswith(f"{__name__}."):
            return None
        tree, *inside = fullname.removeprefix(f"{__name__}.").split(".")
        folder, _, entry = tree.partition("@")
        place = (HOME / unquote(folder)).joinpath(*inside)
        file = place.with_name(f"{place.name}.py")
        if inside and file.is_file():
            loader = FromBank(fullname, str(file), unquote(entry)) if entry else FromSource(fullname, str(file))
            return spec_from_file_location(fullname, file, loader=loader)
        return ModuleSpec(fullname, None, is_package=True) if place.is_dir() else None


sys.meta_path[:] = [finder for finder in sys.meta_path if getattr(finder, "__name__", "") != "Finder"] + [Finder]


class Unusable(Exception):
    """An answer that cannot be judged, in one sentence; `path` and `line` say where."""

    def __init__(self, sentence: str, path: Path, line: int = 1) -> None:
        super().__init__(sentence)
        self.path, self.line = path, line


def inside(path: str | Path, folder: Path) -> bool:
    """Whether a file is an answer of that folder: the specs, which stand beside the stubs, are none."""
    return Path(path).is_relative_to(folder) and not Path(path).name.startswith("test_")


Frame = tuple[Path, int, str]  # file, line, function
CARRIED = "frames of another process"  # a key that no attribute of a learner's has


def frames(error: BaseException) -> list[Frame]:
    """Where an error passed through, the deepest last; one that came from another process carries its frames along."""
    if CARRIED in vars(error):
        return list(vars(error)[CARRIED])
    walk = traceback.walk_tb(error.__traceback__)
    return [(Path(frame.f_code.co_filename), line, frame.f_code.co_name) for frame, line in walk]


def carry(error: BaseException, found: list[Frame]) -> BaseException:
    """The error, with the frames that it had where it was raised."""
    vars(error)[CARRIED] = found  # not by setattr, which its class may refuse
    return error


def place(error: BaseException, folder: Path) -> Frame | None:
    """The deepest frame of an error that lies in a folder of answers."""
    return next((frame for frame in reversed(frames(error)) if inside(frame[0], folder)), None)


class Door:
    """Loads each concept once a run, and remembers what could not be loaded."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.folder = root, folder
        self._failed: dict[str, Unusable] = {}

    def __reduce__(self) -> Any:
        return Door, (self.root, self.folder)  # a rank loads anew

    def show(self, path: Path) -> str:
        """A path as it is printed: from the project's root where it lies inside, as clickable as it is short."""
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def load(self, tree: Tree, concept: Concept) -> ModuleType:
        """The concept's module; Unusable where its source is missing, broken or does not end."""
        name = tree.module(concept)
        if name in self._failed:
            raise self._failed[name].with_traceback(None)
        try:
            return import_module(name)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._failed[name] = self._unusable(error, tree.source(concept))
            raise self._failed[name] from None

    def get(self, tree: Tree, concept: Concept, name: str) -> Callable[..., Any]:
        """The function or class of that name, as the tree defines it."""
        module, source = self.load(tree, concept), tree.source(concept)
        if not hasattr(module, name):
            kind = "class" if isinstance(curriculum.functions(self.root, concept).get(name), ast.ClassDef) else "def"
            empty = "is empty" if not source.read_bytes().strip() else f"has no `{kind} {name}`"
            raise Unusable(f"{self.show(source)} {empty}; the tests ask it for {name}.", source)
        found = getattr(module, name)
        if not callable(found):
            raise Unusable(f"{name} is no function here, but of type {type(found).__name__}.", source)
        return found

    def forget(self) -> None:
        """Drop what was loaded, so that a process that stays alive loads it anew."""
        self._failed.clear()
        for name in [name for name in sys.modules if name.startswith(f"{__name__}.")]:
            del sys.modules[name]

    def _unusable(self, error: BaseException, source: Path) -> Unusable:
        shown, where = self.show(source), place(error, source.parent)
        path, line = where[:2] if where else (source, 1)
        missing = (error.name or "") if isinstance(error, ModuleNotFoundError) else ""
        if missing.startswith(__name__) and not source.is_file():
            mend = f"; `git checkout {shown}` brings the stub back" if inside(source, self.root / "katas") else ""
            said = f"{shown} is not there{mend}."
        elif isinstance(error, SyntaxError) and error.lineno and "'utf-8' codec" not in (error.msg or ""):
            text = (error.text or "").strip()
            said = f"Python cannot read line {error.lineno}: {error.msg}{text and f': `{text}`'}."
            file = Path(error.filename or "")
            path, line = file if file.is_file() else source, error.lineno
        elif isinstance(error, (SyntaxError, ValueError)) and not where:
            said = f"{shown} is not UTF-8 text; save it again with that encoding."
        elif missing.startswith(__name__):
            said = f"There is no {missing.rpartition('.')[2]}.py beside this file."
        elif missing and (path.parent / f"{missing}.py").is_file():
            said = f"A file beside this one is imported with a dot: `from .{missing} import ...`."
        elif isinstance(error, SystemExit):
            said = "Loading the file called exit(); a module that is imported must not."
        elif str(error).startswith("Timeout (>"):
            said = "Loading the file had not ended by its deadline: a loop at the top level?"
        else:
            said = f"Loading the file raised {type(error).__name__}: {error}"
        return Unusable(said, path, line)
