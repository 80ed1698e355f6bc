"""A pretend device: real values on the CPU whose memory claims to lie on a GPU, so that a mix is refused as there.

with on("pretend") as device:              # torch.device("cuda:0"), with no GPU in the machine
    model.to(device)(torch.zeros(1, 3))    # RuntimeError: Expected all tensors to be on the same device, ...

The claim is kept at the memory (the storage), so that views, Parameters and `.data` follow it by themselves. Only what
is listed below is known; any other operation that meets a claimed tensor is *not proven here*. So are kernels in other
precisions (autocast), streams, generators and memory statistics, what other processes do, what is saved (a file forgets
the claim), and what a hook or a backward of one's own sees. torch.cuda.is_available() stays as it is: a kata is handed
its device. tests/device_programs.py is judged on this device and on a real one alike: `pytest tests/test_pretend.py -m
cuda`. No real one was at hand so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

CPU = torch.device("cpu")
COUNT = 2  # devices that the pretend machine has


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# a number on the CPU (no dimensions) may take part in these
ELEMENTWISE = _names(
    """
    add sub mul div true_divide floor_divide remainder fmod pow radd rsub rmul rdiv rtruediv rpow rfloordiv rmod
    iadd isub imul idiv itruediv ifloordiv imod ipow eq ne lt le gt ge maximum minimum fmax fmin atan2 hypot
    logaddexp and or xor rand ror rxor logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor where
    masked_fill foreach_mul
    """
)
# these refuse operands of several devices
STRICT = _names(
    """
    matmul rmatmul imatmul mm bmm mv dot outer addmm einsum tensordot linear conv1d conv2d conv3d conv_transpose2d
    embedding batch_norm layer_norm group_norm cross_entropy nll_loss mse_loss l1_loss smooth_l1_loss huber_loss
    binary_cross_entropy binary_cross_entropy_with_logits scaled_dot_product_attention cat concat concatenate stack
    hstack vstack dstack gather scatter scatter_add index_select take_along_dim index_add index_copy masked_select
    lerp addcmul addcdiv allclose isclose equal foreach_add foreach_sub foreach_div foreach_lerp foreach_addcmul
    foreach_addcdiv foreach_maximum foreach_copy
    """
)
# of one device; what several do there is not known
ALONE = _names(
    """
    neg abs sign exp expm1 log log1p log2 log10 sqrt rsqrt square sin cos tan tanh sigmoid logit erf reciprocal
    floor ceil round trunc frac isnan isinf isfinite logical_not bitwise_not invert clamp clamp_min clamp_max clip
    nan_to_num sum mean std var prod max min amax amin argmax argmin all any median norm logsumexp cumsum cumprod
    unique bincount count_nonzero linalg_norm linalg_vector_norm foreach_norm foreach_sqrt foreach_neg foreach_zero
    foreach_reciprocal foreach_pow foreach_abs bilinear one_hot dropout instance_norm max_pool1d max_pool2d
    avg_pool1d avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d relu leaky_relu elu gelu silu softplus hardtanh
    softmax log_softmax logsigmoid kl_div normalize pad multi_head_attention_forward split chunk unbind unflatten
    tensor_split sort argsort topk nonzero searchsorted tril triu roll flip diag diagonal trace meshgrid cdist view
    reshape flatten ravel squeeze unsqueeze transpose t permute expand repeat repeat_interleave movedim swapaxes
    contiguous narrow select clone detach alias unfold empty_like zeros_like ones_like full_like rand_like randn_like
    randint_like new_empty new_zeros new_ones new_full new_tensor fill zero normal uniform random bernoulli
    exponential kaiming_uniform kaiming_normal xavier_uniform xavier_normal trunc_normal constant multinomial
    index_fill float double half bfloat16 int long bool short char byte item tolist len index contains iter hash
    complex dim ndimension size numel nelement element_size stride storage_offset is_contiguous is_floating_point
    is_complex is_nonzero data_ptr untyped_storage is_set_to is_pinned is_signed requires_grad retain_grad
    register_post_accumulate_grad_hook
    """
)
# of the others only the shape or the dtype counts: the result lies with the first
BESIDE = _names("view_as reshape_as expand_as is_same_size result_type can_cast")
# made on the device that is named, whatever the numbers come from
MADE = _names("tensor empty zeros ones full eye arange linspace rand randn randint randperm")
# what may meet several devices, or decides by itself
CROSSING = _names(
    """
    to cuda cpu type_as copy backward grad getitem setitem deepcopy parse_to has_compatible_shallow_copy_type
    broadcast_tensors as_tensor asarray get_device numpy array pin_memory repr format
    """
)
SUPPORTED = ELEMENTWISE | STRICT | ALONE | BESIDE | MADE | CROSSING


class NotProven(pytest.skip.Exception):  # type: ignore[name-defined]
    """Met something of which the pretend device cannot tell what a real one does."""

    def __init__(self, what: str) -> None:
        super().__init__(f"not proven here: the pretend device does not know `{what}`")


class Move(NamedTuple):
    """A copy of a tensor from one device to another."""

    source: torch.device
    target: torch.device
    shape: torch.Size
    non_blocking: bool


class Pretend(TorchFunctionMode):
    """While active, tensors can be made on, and moved to, cuda:0 and cuda:1; `moves` lists what was copied across."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[Move] = []
        self.unknown: NotProven | None = None  # what it met first

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        try:
            return self._call(function, args, kwargs)
        except NotProven as unknown:
            self.unknown = self.unknown or unknown
            raise

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)  # type: ignore[no-untyped-call]
        if self.unknown:
            raise self.unknown  # also where an answer has caught it

    def _call(self, function: Any, args: Any, kwargs: Any) -> Any:
        kwargs, name = dict(kwargs or {}), function.__name__
        if name in ("__get__", "__set__"):
            return self._attribute(function, args)
        name = name.strip("_")
        if name == "parse_to":  # of a module's `to`: reads the arguments, moves nothing
            return function(*args, **kwargs)
        if name in ("to", "cuda", "cpu", "type_as"):
            return self._to(function, name, args[0], *args[1:], **kwargs)
        asked = kwargs.get("device")
        wanted = _named(_default() if asked is None and name in MADE else asked)
        if wanted is not None and wanted.type == "cuda":
            kwargs["device"] = CPU
        here = wanted in (None, CPU) and all(home(tensor).type != "cuda" for tensor in _tensors((args, kwargs)))
        if here and name != "pin_memory":
            return function(*args, **kwargs)
        if name not in SUPPORTED:
            raise NotProven(function.__name__)
        if name in CROSSING:
            return self._cross(function, name, args, kwargs, wanted)
        device = wanted or self._place(function.__name__, name, args, kwargs)
        if device.type == "cuda" and any(isinstance(value, torch.Generator) for value in (*args, *kwargs.values())):
            raise RuntimeError("Expected a 'cuda' device type for generator but found 'cpu'")
        return put(function(*args, **kwargs), device)

    def _place(self, spelt: str, name: str, args: Any, kwargs: Any) -> torch.device:
        """Where a result lies."""
        if name in BESIDE or (name == "tensor" and args and isinstance(args[0], Tensor)):
            return home(args[0])
        return CPU if name in MADE else _common(spelt, args, kwargs)

    def _attribute(self, function: Any, args: Any) -> Any:
        name, device = function.__self__.__name__, home(args[0])
        if function.__name__ == "__set__":
            if name == "grad" and isinstance(args[1], Tensor) and home(args[1]) != device:
                raise RuntimeError(f"assigned grad lies on {home(args[1])}, the tensor on {device}")
            return function(*args)
        if name == "device":
            return device
        if name in ("is_cuda", "is_cpu"):
            return f"is_{device.type}" == name
        value = function(*args)
        return put(value, device) if name == "grad" and value is not None else value  # C++ made it, without a claim

    def _to(self, function: Any, name: str, tensor: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """`.to(device, dtype)`, `.to(dtype)`, `.to(other)`, `.cuda()`, `.cpu()`: a copy where something changes."""
        source, given = home(tensor), [*args, *kwargs.values()]
        like = next((value for value in given if isinstance(value, Tensor)), None)
        dtype = next(
            (value for value in given if isinstance(value, torch.dtype)), like.dtype if like is not None else None
        )
        places = (value for value in given if isinstance(value, (str, torch.device)) or type(value) is int)
        asked = next(places, name if name in ("cuda", "cpu") else None)
        target = home(like) if like is not None else _named(asked) or source
        if source.type != "cuda" and target.type != "cuda":
            return function(tensor, *args, **kwargs)  # which torch does by itself
        if target.type not in ("cpu", "cuda"):
            return tensor.to(target, dtype)
        if target != source:
            hurried = bool(kwargs.get("non_blocking")) or any(value is True for value in args)
            self.moves.append(Move(source, target, tensor.shape, hurried))
        copy = bool(kwargs.get("copy")) or target != source
        return put(tensor.to(dtype or tensor.dtype, copy=copy), target) if copy or dtype else tensor

    def _cross(self, function: Any, name: str, args: Any, kwargs: Any, wanted: torch.device | None) -> Any:
        first = next(_tensors(args[:1]), None)
        device = CPU if first is None else home(first)
        if name in ("numpy", "array") and device != CPU and not kwargs.get("force"):
            raise TypeError(
                f"can't convert {device} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        if name == "get_device":
            return -1 if device == CPU else device.index
        if name == "pin_memory":
            if device == CPU:
                raise NotProven("pin_memory")
            raise RuntimeError(f"cannot pin 'torch.{device.type}.FloatTensor' only dense CPU tensors can be pinned")
        if name == "repr" or (name == "format" and args[0].dim()):
            text = function(*args, **kwargs)
            return re.sub(r"((, (size|dtype|grad_fn|requires_grad)=.*)?\))$", rf", device='{device}'\1", text)
        if name in ("as_tensor", "asarray"):
            source = home(args[0]) if isinstance(args[0], Tensor) else CPU
            value = put(function(args[0], dtype=kwargs.get("dtype")), source)
            return self._to(Tensor.to, "to", value, wanted or source)
        if name in ("getitem", "setitem"):
            _index(name, device, args)
        onto = {"copy": args[1:2], "setitem": args[2:3]}.get(name, ())
        for value in _tensors(onto):
            if home(value) != device:
                self.moves.append(Move(home(value), device, value.shape, bool(kwargs.get("non_blocking"))))
        if name in ("backward", "grad"):
            slopes = kwargs.get("gradient", kwargs.get("grad_outputs", args[1:2] if name == "backward" else ()))
            for slope in _tensors([slopes]):
                if slope.dim() and home(slope) != device:
                    raise _mixed(name, device, home(slope))
        value = function(*args, **kwargs)
        if name == "grad":
            inputs = _tensors(args[1] if len(args) > 1 else kwargs["inputs"])
            for gradient, tensor in zip(value, inputs, strict=True):
                put(gradient, home(tensor))
        return put(value, device) if name in ("getitem", "deepcopy") else value


SECOND = "the second of two"  # pretend devices: what takes the first for the only one is found there


def devices() -> list[Any]:
    """Parameters for a test: the CPU, the pretend device, and each kind of real device (not proven where it is not)."""
    return ["cpu", "pretend", pytest.param("cuda", marks=pytest.mark.cuda), pytest.param("mps", marks=pytest.mark.mps)]


@contextmanager
def on(device: str) -> Iterator[torch.device]:
    """Where tensors can lie on one of `devices()`, or on the SECOND; gives the device that is to be named."""
    if device in ("pretend", SECOND):
        with Pretend():
            yield torch.device("cuda", int(device == SECOND))
    else:
        yield torch.device(device, 0) if device != "cpu" else CPU


def _default() -> torch.device | None:
    """The device that torch.set_default_device named: torch 2.13 puts it in after this mode has looked."""
    with suppress(AttributeError):  # torch 2.4, once it was named and taken back
        device = torch.get_default_device()
        return device if device.type == "cuda" else None
    return None


def _named(device: Any) -> torch.device | None:
    """A device as it was asked for, with its number."""
    if device is None:
        return None
    found = torch.device("cuda", device) if isinstance(device, int) else torch.device(device)
    if found.type != "cuda":
        return found
    if (found.index or 0) >= COUNT:
        raise RuntimeError(f"CUDA error: invalid device ordinal ({found}; there are {COUNT} here)")
    return torch.device("cuda", found.index or 0)


def _index(name: str, device: torch.device, args: Any) -> None:
    """Indices may lie on the CPU; values that are scattered by them may not, but for a single number."""
    indices = [index for index in _tensors(args[1]) if index.dim()]
    if any(home(index) not in (CPU, device) for index in indices):
        raise RuntimeError(f"indices should be either on cpu or on the same device as the indexed tensor ({device})")
    if name == "setitem" and indices and isinstance(args[2], Tensor) and args[2].dim() and home(args[2]) != device:
        if args[2].numel() == 1:
            raise NotProven("an index put of one number with dimensions")
        raise _mixed("index_put", device, home(args[2]))


def _common(spelt: str, args: Any, kwargs: Any) -> torch.device:
    """The one device of all operands; a number on the CPU goes along where it is not written to."""
    name, tensors = spelt.strip("_"), list(_tensors((args, kwargs)))
    in_place = spelt.startswith("__i") or (spelt.endswith("_") and not spelt.endswith("__"))
    found = list(dict.fromkeys(home(tensor) for tensor in tensors))
    if len(found) < 2:
        return found[0] if found else CPU
    firm = dict.fromkeys(
        home(tensor)
        for place, tensor in enumerate(tensors)
        if tensor.dim() or home(tensor) != CPU or (in_place and place == 0)
    )
    if len(firm) > 1 and name in ELEMENTWISE | STRICT:
        raise _mixed(name, *firm)
    if name in ELEMENTWISE:
        return next(iter(firm))
    raise NotProven(f"{spelt}, of tensors on {' and '.join(map(str, found))}")


def _mixed(where: str, one: torch.device, two: torch.device, *more: torch.device) -> RuntimeError:
    return RuntimeError(
        f"Expected all tensors to be on the same device, but found at least two devices, {one} and {two}! (in {where})"
    )


def home(tensor: Tensor) -> torch.device:
    """Where a tensor is, or claims to be."""
    try:
        return getattr(tensor.untyped_storage(), "claimed", None) or tensor.device
    except (NotImplementedError, RuntimeError):  # there is no storage
        if tensor.layout == torch.strided:
            raise NotProven("vmap and torch.func") from None
        return tensor.device


def put(value: Any, device: torch.device) -> Any:
    """Let all tensors of a value claim a device."""
    for tensor in _tensors(value):
        tensor.untyped_storage().claimed = device  # type: ignore[attr-defined]
    return value


def _tensors(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (list, tuple, set)):
        for part in value:
            yield from _tensors(part)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))
