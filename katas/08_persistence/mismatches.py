"""State dicts that do not fit: other names, other shapes, another device, another head."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn


def without_prefix(state: dict[str, Tensor]) -> dict[str, Tensor]:
    """A state dict as the bare model names it, of one that was saved from a model in a wrapper, such as DDP.

    state: names to tensors. It is not changed.
    Returns a dict of all entries: a name that starts with "module." without that start, once, and each
    other name as it is. The tensors may be the same.

    >>> without_prefix({"module.fc.bias": torch.tensor([0.5]), "modulefc": torch.tensor([1.5])})
    {'fc.bias': tensor([0.5000]), 'modulefc': tensor([1.5000])}
    """
    raise NotImplementedError("without_prefix")


def mismatch(model: nn.Module, state: dict[str, Tensor]) -> dict[str, list[str]]:
    """What keeps a state dict from fitting a model.

    model: any module. state: names to tensors. Neither is changed.
    Returns a dict of three lists of names, each in alphabetical order and empty where there is nothing to say:
    "missing", what the model's state dict has and `state` has not; "unexpected", the other way round; "shape", what
    both have, in different shapes.

    >>> mismatch(nn.Linear(2, 3), {"weight": torch.zeros(3, 3), "scale": torch.ones(1)})
    {'missing': ['bias'], 'unexpected': ['scale'], 'shape': ['weight']}
    """
    raise NotImplementedError("mismatch")


def load_onto(path: Path, device: torch.device) -> dict[str, Tensor]:
    """A state dict on a device of this machine, from whatever device it was saved on.

    path: a file that torch.save has made of a state dict; it may say that its tensors lay on a device which is not
    there, cuda:0 or another.
    device: where the tensors are to lie.
    Returns the state dict, with all tensors on that device.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     torch.save({"bias": torch.tensor([0.5])}, Path(folder, "weights.pt"))
    ...     load_onto(Path(folder, "weights.pt"), torch.device("meta"))
    {'bias': tensor(..., device='meta', size=(1,))}
    """
    raise NotImplementedError("load_onto")


def load_whole(model: nn.Module, state: dict[str, Tensor]) -> None:
    """Load a state dict into the model, all of it or nothing.

    model: is changed in place; its parameters stay the same objects. state: names to tensors. It is not changed.
    Raises RuntimeError where the two do not fit, whose text names each key that is missing, unexpected, or of another
    shape. The model then is, to the bit, what it was before the call.

    >>> model = nn.Linear(2, 1, bias=False)
    >>> load_whole(model, {"weight": torch.tensor([[2.0, 3.0]])})
    >>> model.weight.tolist()
    [[2.0, 3.0]]
    """
    raise NotImplementedError("load_whole")


def load_partly(model: nn.Module, state: dict[str, Tensor]) -> list[str]:
    """Load what fits, as one does before fine-tuning with a new head.

    model: is changed in place: each entry of its state dict, parameter or buffer, for which `state` has the same name
    in the same shape takes that value, in its own dtype. All else in it stays as it was, to the bit; its parameters
    stay the same objects, so that an optimizer made before keeps hold of them.
    state: names to tensors, of any float dtype. It is not changed.
    Returns the names of the model's entries that were not loaded, in alphabetical order.

    >>> model = nn.Linear(2, 3)
    >>> load_partly(model, {"weight": torch.zeros(5, 2), "bias": torch.tensor([1.0, 2.0, 3.0])})
    ['weight']
    >>> model.bias.tolist()
    [1.0, 2.0, 3.0]
    """
    raise NotImplementedError("load_partly")
