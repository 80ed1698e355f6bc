"""The state dict: what it holds, how it is kept in a file or in memory, and how a new model takes it in."""

from __future__ import annotations

import copy  # noqa: F401
from collections.abc import Callable
from pathlib import Path

import torch  # noqa: F401
from torch import Tensor, nn


def contents(model: nn.Module) -> dict[str, tuple[int, ...]]:
    """What a file made of the model's state dict holds: each name, with the shape of its tensor.

    model: any module. It is not changed.
    Returns a dict; the shapes are tuples of Python ints, () for a single number. The order is left to you.

    >>> contents(nn.Sequential(nn.ReLU(), nn.Conv2d(3, 8, kernel_size=5)))
    {'1.weight': (8, 3, 5, 5), '1.bias': (8,)}
    """
    raise NotImplementedError("contents")


def save(model: nn.Module, path: Path) -> None:
    """Keep what the model has learnt in a file.

    model: any module. It is not changed.
    path: the file to write. It holds the model's state dict and nothing else, all names as they are, so that
    torch.load(path, weights_only=True) gives it back.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save(nn.Conv2d(3, 8, kernel_size=5), Path(folder, "weights.pt"))
    ...     print(list(torch.load(Path(folder, "weights.pt"), weights_only=True)))
    ['weight', 'bias']
    """
    raise NotImplementedError("save")


def restore(build: Callable[[], nn.Module], path: Path) -> nn.Module:
    """A new model with the state of a file, ready to predict.

    build: gives a new model of the architecture, with weights of its own. It is called once.
    path: a file that holds a state dict.
    Returns that model with the file's state in it and in eval mode, so that it predicts to the bit what the saved model
    predicts in eval mode.
    Raises RuntimeError that names the key where the file lacks one of the model's or has one that the model lacks,
    FileNotFoundError where there is no such file, and pickle.UnpicklingError where code would have to be run to read
    it: none is run.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     torch.save({"weight": torch.tensor([[2.0, 3.0]])}, Path(folder, "weights.pt"))
    ...     model = restore(lambda: nn.Linear(2, 1, bias=False), Path(folder, "weights.pt"))
    >>> model(torch.tensor([10.0, 1.0])).item(), model.training
    (23.0, False)
    """
    raise NotImplementedError("restore")


def remember(model: nn.Module) -> dict[str, Tensor]:
    """The state dict as it is now, kept in memory while the training goes on.

    model: any module. It is not changed.
    Returns a dict of all that the model's state dict holds, by the same names. Its tensors are part of no graph, and
    stay what they are when the model is trained further; model.load_state_dict takes them back.

    >>> model = nn.Threshold(0.5, 0.0)
    >>> model.register_buffer("seen", torch.tensor([2, 5]))
    >>> best = remember(model)
    >>> _ = model.seen.add_(10)
    >>> best["seen"]
    tensor([2, 5])
    """
    raise NotImplementedError("remember")


def save_rows(table: Tensor, n: int, path: Path) -> None:
    """Keep the first n rows of a big table in a file that is no bigger than they are.

    table: shape (N, d), n <= N. It is not changed, and may require a gradient.
    path: the file to write. torch.load(path, weights_only=True) gives a tensor of shape (n, d), and no other numbers of
    the table stand in the file.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_rows(torch.rand(5000, 20), 10, Path(folder, "rows.pt"))
    ...     Path(folder, "rows.pt").stat().st_size < 4000
    True
    """
    raise NotImplementedError("save_rows")
