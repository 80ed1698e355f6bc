"""Files of strangers: what is refused, what may be allowed, and what a file asks for."""

from __future__ import annotations

import argparse
import dataclasses  # noqa: F401
import pickletools  # noqa: F401
import zipfile  # noqa: F401
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch  # noqa: F401
from torch import Tensor


def read_weights(path: Path) -> dict[str, Tensor]:
    """Read a state dict of somebody else's.

    path: a file that torch.save has made.
    Returns the dict that it holds.
    Raises pickle.UnpicklingError where the file asks for anything but tensors and plain values. None of its code is
    run, not even in part.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     torch.save({"bias": torch.tensor([0.5])}, Path(folder, "weights.pt"))
    ...     read_weights(Path(folder, "weights.pt"))
    {'bias': tensor([0.5000])}
    """
    raise NotImplementedError("read_weights")


def save_run(
    path: Path, weights: dict[str, Tensor], config: argparse.Namespace, metrics: Mapping[str, np.generic]
) -> None:
    """Save the weights with the settings and results of their training, so that weights_only=True can read them.

    path: the file to write. weights: a state dict.
    config: settings from the command line: strings, Python numbers, True and False, None, and Paths.
    metrics: name to a NumPy number, float or int of any size. None of the three is changed.
    The file holds a dict of three: "weights" as it is; "config", a dict of the settings in which each Path is a str;
    and "metrics", a dict of Python floats and ints of the same values.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from argparse import Namespace
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "run.pt")
    ...     save_run(path, {}, Namespace(lr=0.5, data=Path("iris.csv")), {"accuracy": np.float64(0.75)})
    ...     torch.load(path, weights_only=True)
    {'weights': {}, 'config': {'lr': 0.5, 'data': 'iris.csv'}, 'metrics': {'accuracy': 0.75}}
    """
    raise NotImplementedError("save_run")


def load_with(path: Path, classes: Sequence[type]) -> Any:
    """Read a file that holds instances of a few classes of your own, and let it have no others.

    path: a file that torch.save has made.
    classes: what the file may build beside tensors and plain values. Each is a dataclass; of anything else, such as a
    function, subprocess.Popen or another class that does something when it is called, ValueError is raised that names
    it, and the file is not opened.
    Returns what the file holds.
    Raises pickle.UnpicklingError where the file asks for more; none of its code is run. The list of what is allowed in
    torch.load (torch.serialization.get_safe_globals), on which the classes do not stand yet, is, however the call ends,
    the same as before.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     torch.save({"epoch": 7}, Path(folder, "run.pt"))
    ...     load_with(Path(folder, "run.pt"), classes=[])
    {'epoch': 7}
    """
    raise NotImplementedError("load_with")


def asks_for(path: Path) -> list[str]:
    """The classes and functions that a file asks for by name, found without running any of it.

    path: a file that torch.save has made, whatever is in it: a zip archive with the member NAME/data.pkl, where NAME is
    up to torch. That pickle has one opcode GLOBAL for each name it asks for, whose argument is the module, a space, and
    the name.
    Returns the names as "module.name", each once, in alphabetical order; those that every file of tensors asks for
    included.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     torch.save({"size": torch.Size([2, 3])}, Path(folder, "size.pt"))
    ...     asks_for(Path(folder, "size.pt"))
    ['torch.Size']
    """
    raise NotImplementedError("asks_for")
