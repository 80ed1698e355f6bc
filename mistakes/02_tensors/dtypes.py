"""Wrong answers to katas/02_tensors/dtypes.py."""

import math

import numpy as np
import torch

from torchkatas.bank import wrong


@wrong(
    "bits-for-bytes",
    replaces="bytes_of",
    says="These are bits, 8 times too many: float32 has 32 bits, which are 4 bytes.",
)
def bits_for_bytes(shape, dtype):
    return math.prod(shape) * dtype.itemsize * 8


@wrong(
    "four-bytes-each",
    replaces="bytes_of",
    says="Every element is counted with 4 bytes, which is float32's size; float16 and bfloat16 take 2, float64 and "
    "int64 take 8, and bool takes 1.",
    fact="02.6",
)
def four_bytes_each(shape, dtype):
    return math.prod(shape) * 4


@wrong(
    "elements-for-bytes",
    replaces="bytes_of",
    says="This is the number of elements; each of them takes as many bytes as its dtype has.",
)
def elements_for_bytes(shape, dtype):
    return math.prod(shape)


@wrong(
    "bool-as-a-bit",
    replaces="bytes_of",
    says="A bool is counted as one bit. It says no more than that, but has a byte of its own: 8 bits.",
    fact="02.8",
)
def bool_as_a_bit(shape, dtype):
    bits = 1 if dtype == torch.bool else dtype.itemsize * 8
    return -(-math.prod(shape) * bits // 8)


@wrong(
    "sizes-added-up",
    replaces="bytes_of",
    says="The sizes of the shape are added up; a tensor of shape (3, 5) holds 3 * 5 elements, and one of shape () "
    "holds one.",
)
def sizes_added_up(shape, dtype):
    return sum(shape) * dtype.itemsize


@wrong(
    "scalar-takes-nothing",
    replaces="bytes_of",
    says="A scalar is counted as nothing: its shape () is empty, but it holds one element, as the empty product is 1.",
)
def scalar_takes_nothing(shape, dtype):
    return math.prod(shape) * dtype.itemsize if shape else 0


@wrong(
    "asked-torch-tensor",
    replaces="inferred",
    says="Here torch.tensor answers for you. Tell the dtype from the type of the data alone: bool, int, float, or an "
    "array's own.",
)
def asked_torch_tensor(data):
    return torch.tensor(data).dtype


@wrong(
    "float-is-float64",
    replaces="inferred",
    says="A Python float has 64 bits, but torch makes float32 of it, the default of training; only a NumPy array "
    "keeps its float64.",
    fact="02.5",
)
def float_is_float64(data):
    if isinstance(data, np.ndarray):
        return getattr(torch, data.dtype.name)
    kinds = {type(number) for number in (data if isinstance(data, list) else [data])}
    if float in kinds:
        return torch.float64
    return torch.int64 if int in kinds else torch.bool


@wrong(
    "array-becomes-float32",
    replaces="inferred",
    says="A NumPy array of float64 stays float64: torch takes over the dtype of an array. Only Python floats get the "
    "default, float32.",
    fact="02.5",
)
def array_becomes_float32(data):
    if isinstance(data, np.ndarray):
        return torch.float32 if data.dtype.kind == "f" else getattr(torch, data.dtype.name)
    kinds = {type(number) for number in (data if isinstance(data, list) else [data])}
    if float in kinds:
        return torch.float32
    return torch.int64 if int in kinds else torch.bool


@wrong(
    "int-is-int32",
    replaces="inferred",
    says="Python ints become int64, not int32: labels, token ids and indices are int64 in torch.",
    fact="02.7",
)
def int_is_int32(data):
    if isinstance(data, np.ndarray):
        return getattr(torch, data.dtype.name)
    kinds = {type(number) for number in (data if isinstance(data, list) else [data])}
    if float in kinds:
        return torch.float32
    return torch.int32 if int in kinds else torch.bool


@wrong(
    "all-float32",
    replaces="inferred",
    says="Ints and bools are not turned into floats: torch.tensor keeps their kind, int64 and bool, unless a dtype is "
    "given.",
    fact="02.7",
)
def all_float32(data):
    return getattr(torch, data.dtype.name) if isinstance(data, np.ndarray) else torch.float32


@wrong(
    "bool-is-an-int",
    replaces="inferred",
    says="A bool is taken for an int: in Python isinstance(True, int) holds, so bools have to be looked for before "
    "ints. torch makes torch.bool of them.",
    fact="02.8",
)
def bool_is_an_int(data):
    if isinstance(data, np.ndarray):
        return getattr(torch, data.dtype.name)
    numbers = data if isinstance(data, list) else [data]
    return torch.float32 if any(isinstance(number, float) for number in numbers) else torch.int64


@wrong(
    "numpys-own-dtype",
    replaces="inferred",
    says="For an array this is NumPy's dtype, which is no torch.dtype; torch's has the same name: "
    "getattr(torch, data.dtype.name).",
)
def numpys_own_dtype(data):
    if isinstance(data, np.ndarray):
        return data.dtype
    kinds = {type(number) for number in (data if isinstance(data, list) else [data])}
    if float in kinds:
        return torch.float32
    return torch.int64 if int in kinds else torch.bool


@wrong(
    "first-number-decides",
    replaces="inferred",
    says="The first number of the list decides here; torch looks at all of them and takes the widest kind, bool below "
    "int below float.",
)
def first_number_decides(data):
    if isinstance(data, np.ndarray):
        return getattr(torch, data.dtype.name)
    first = data[0] if isinstance(data, list) else data
    return {bool: torch.bool, int: torch.int64, float: torch.float32}[type(first)]


@wrong(
    "t12-result-discarded",
    replaces="float32_copy",
    says="The dtype is still the old one: .float() and .to() return a new tensor and leave the one they are called on "
    "as it was. Use what they return.",
    fact="02.9",
)
def result_discarded(x):
    y = x.clone()
    y.float()
    return y


@wrong(
    "cast-is-no-copy",
    replaces="float32_copy",
    says="A float32 tensor comes back itself: a cast that has nothing to change copies nothing, so both names share "
    "one memory.",
    fact="02.9",
)
def cast_is_no_copy(x):
    return x.to(torch.float32)


@wrong(
    "to-python-float",
    replaces="float32_copy",
    says="This is float64. Python's float has 64 bits, and so has what x.to(float) and .double() give; torch.float is "
    "float32.",
)
def to_python_float(x):
    return x.to(float, copy=True)


@wrong(
    "bits-read-anew",
    replaces="float32_copy",
    says="The bits were read as if they were float32, which x.view(dtype) does: other numbers come out, and more or "
    "fewer of them. A cast converts each number.",
)
def bits_read_anew(x):
    return x.clone().view(torch.float32)


@wrong(
    "long-for-floor",
    replaces="to_integers",
    says="The second result is cut toward zero, as .long() does; below zero that is up, and downward means -1 for "
    "-0.3.",
    fact="02.7",
)
def long_for_floor(x):
    return x.long(), x.long(), x.round().long()


@wrong(
    "long-for-round",
    replaces="to_integers",
    says="The third result is not rounded: .long() cuts the fraction off, so 2.75 becomes 2. Round first, then cast.",
    fact="02.7",
)
def long_for_round(x):
    return x.long(), x.floor().long(), x.long()


@wrong(
    "floor-for-long",
    replaces="to_integers",
    says="The first result goes down below zero, -0.3 to -1; toward zero, as .long() itself goes, it is 0.",
    fact="02.7",
)
def floor_for_long(x):
    return x.floor().long(), x.floor().long(), x.round().long()


@wrong(
    "half-off-then-rounded",
    replaces="to_integers",
    says="In the second result a half was taken off and the rest rounded: an odd number such as 3.0 lands on 2.5, and "
    "a half goes to the even neighbour, 2. Downward, 3.0 stays 3, as torch.floor has it.",
)
def half_off_then_rounded(x):
    return x.long(), (x - 0.5).round().long(), x.round().long()


@wrong(
    "halves-go-up",
    replaces="to_integers",
    says="In the third result halves always go up, as with floor(x + 0.5): 2.5 to 3. The even neighbour, 2, is asked, "
    "as torch.round gives it.",
)
def halves_go_up(x):
    return x.long(), x.floor().long(), (x + 0.5).floor().long()


@wrong(
    "half-added-then-cut",
    replaces="to_integers",
    says="In the third result a half was added and the fraction then cut toward zero: -2.75 becomes -2, not -3, and "
    "2.5 becomes 3. Round, then cast.",
)
def half_added_then_cut(x):
    return x.long(), x.floor().long(), (x + 0.5).long()


@wrong(
    "whole-numbers-in-floats",
    replaces="to_integers",
    says="The numbers are whole, but still of a floating dtype: trunc, floor and round keep the dtype. An index or a "
    "label has to be int64.",
)
def whole_numbers_in_floats(x):
    return x.trunc(), x.floor(), x.round()


@wrong(
    "half-discarded",
    replaces="in_16_bits",
    says="This is x as it was, in float32: a cast returns a new tensor, and here that one was not used.",
    fact="02.9",
)
def half_discarded(x):
    x.to(torch.bfloat16 if x.half().isinf().any() else torch.float16)
    return x


@wrong(
    "always-float16",
    replaces="in_16_bits",
    says="There is inf in the result: float16 ends at 65504, and from 65520 on it rounds to infinity. bfloat16 has "
    "float32's range.",
    fact="02.6",
)
def always_float16(x):
    return x.half()


@wrong(
    "always-bfloat16",
    replaces="in_16_bits",
    says="All of this fits into float16, which has 11 bits of precision; bfloat16 has 8, so that 257 becomes 256.",
    fact="02.6",
)
def always_bfloat16(x):
    return x.bfloat16()


@wrong(
    "edge-at-65504",
    replaces="in_16_bits",
    says="65504 is float16's largest number, but not the edge: what lies below 65520 is nearer to it than to the next "
    "step, and rounds down to it.",
    fact="02.6",
)
def edge_at_65504(x):
    return x.bfloat16() if x.abs().max() > torch.finfo(torch.float16).max else x.half()


@wrong(
    "large-below-zero",
    replaces="in_16_bits",
    says="Large numbers below zero overflow as well, to -inf: it is the absolute value that counts.",
    fact="02.6",
)
def large_below_zero(x):
    return x.bfloat16() if x.max() >= 65520 else x.half()


@wrong(
    "cut-to-fit",
    replaces="in_16_bits",
    says="The large numbers were cut down to float16's 65504: no infinity, but other numbers. bfloat16 holds them to "
    "within 0.4 %.",
    fact="02.6",
)
def cut_to_fit(x):
    return x.clamp(-65504, 65504).half()


@wrong(
    "cast-after-overflow",
    replaces="in_16_bits",
    says="This bfloat16 was made from the float16 numbers: what had become inf there stays inf, and the rest was "
    "rounded twice. Cast x itself.",
    fact="02.6",
)
def cast_after_overflow(x):
    half = x.half()
    return half.bfloat16() if half.isinf().any() else half


@wrong(
    "d01-int-mean",
    replaces="centred",
    says="mean() of integers is refused: its result would have to be a float, and torch does not guess which. Divide "
    "by 255 first, or cast.",
)
def int_mean(pixels):
    return (pixels - pixels.mean()) / 255


@wrong(
    "d07-int-inplace-div",
    replaces="centred",
    says="/= writes its result back into integers, which cannot hold a fraction, so torch refuses; pixels / 255 makes "
    "a new float tensor, and spares the caller's.",
)
def int_inplace_div(pixels):
    pixels /= 255
    return pixels - pixels.mean()


@wrong(
    "whole-division",
    replaces="centred",
    says="The pixels were divided without their fractions, as // does: only 255 is left as 1, all others are 0.",
)
def whole_division(pixels):
    scaled = (pixels // 255).float()
    return scaled - scaled.mean()


@wrong(
    "uint8-wraps-around",
    replaces="centred",
    says="A whole number was subtracted while the pixels were integers: the fraction of the mean is lost, and uint8 "
    "has nothing below 0, so it wraps around to 255. Become float first.",
)
def uint8_wraps_around(pixels):
    return (pixels - int(pixels.float().mean())) / 255


@wrong(
    "not-scaled",
    replaces="centred",
    says="The mean is subtracted, but the scale is still 0..255; divide by 255 as well.",
)
def not_scaled(pixels):
    return pixels.float() - pixels.float().mean()


@wrong(
    "mean-left-in",
    replaces="centred",
    says="This is pixels / 255, with the mean still in it.",
)
def mean_left_in(pixels):
    return pixels / 255


@wrong(
    "d02-int-requires-grad",
    replaces="first_loss",
    says="The list of ints became an int64 tensor, and an integer has no slope, so it cannot require a gradient. Ask "
    "for dtype=torch.float32.",
)
def int_requires_grad(x, y, weight):
    w = torch.tensor(weight, requires_grad=True)
    errors = torch.from_numpy(x).float() @ w - torch.from_numpy(y).float()
    return w, errors.square().mean()


@wrong(
    "d03-float64-from-numpy",
    replaces="first_loss",
    says="A matrix product takes one dtype, and here float64 meets float32: an array keeps its float64 on the way to "
    "torch. Cast it with .float().",
    fact="02.5",
)
def float64_from_numpy(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, (torch.from_numpy(x) @ w - torch.from_numpy(y)).square().mean()


@wrong(
    "d04-float64-loss-silent",
    replaces="first_loss",
    says="The loss is float64, with no error: element by element torch mixes dtypes, and one float64 operand, such as "
    "y from NumPy, lifts the result. Cast y too.",
    fact="02.5",
)
def float64_loss_silent(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, (torch.from_numpy(x).float() @ w - torch.from_numpy(y)).square().mean()


@wrong(
    "weight-lifted-to-float64",
    replaces="first_loss",
    says="The weight is float64, to match the arrays. It is the arrays that are to be cast: float32 is the dtype of "
    "training, at half the memory.",
    fact="02.5",
)
def weight_lifted_to_float64(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float64, requires_grad=True)
    return w, (torch.from_numpy(x) @ w - torch.from_numpy(y)).square().mean()


@wrong(
    "weight-needs-no-gradient",
    replaces="first_loss",
    says="The weight does not require a gradient, so nothing was recorded and it could never be trained: "
    "requires_grad=True.",
)
def weight_needs_no_gradient(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32)
    return w, (torch.from_numpy(x).float() @ w - torch.from_numpy(y).float()).square().mean()


@wrong(
    "loss-outside-the-graph",
    replaces="first_loss",
    says="The loss has the right value but no graph: it was computed outside torch, or from a detached weight, and no "
    "gradient can flow back.",
)
def loss_outside_the_graph(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, torch.tensor(np.mean((x @ np.array(weight) - y) ** 2), dtype=torch.float32)


@wrong(
    "loss-made-a-leaf",
    replaces="first_loss",
    says="The loss has the right value and requires a gradient, but it is a new leaf: torch.tensor copies a number, "
    "and no path leads from it to the weight. Compute it in torch, from the weight.",
)
def loss_made_a_leaf(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, torch.tensor(np.mean((x @ np.array(weight) - y) ** 2), dtype=torch.float32, requires_grad=True)


@wrong(
    "loss-of-another-weight",
    replaces="first_loss",
    says="The loss was computed from another tensor than the weight that came back: equal numbers, but the gradient "
    "would go to the other one. Make one weight, use it and return it.",
)
def loss_of_another_weight(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    loss = (torch.from_numpy(x).float() @ w - torch.from_numpy(y).float()).square().mean()
    return torch.tensor(weight, dtype=torch.float32, requires_grad=True), loss


@wrong(
    "weight-is-no-leaf",
    replaces="first_loss",
    says="The weight is no leaf: an operation made it, such as a cast, from a tensor that requires a gradient, and "
    "that one would get .grad. Cast first, then require the gradient.",
)
def weight_is_no_leaf(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float64, requires_grad=True).float()
    return w, (torch.from_numpy(x).float() @ w - torch.from_numpy(y).float()).square().mean()


@wrong(
    "sum-for-mean-loss",
    replaces="first_loss",
    says="The squared errors are added up, not averaged: this is the mean times the number of examples.",
)
def sum_for_mean_loss(x, y, weight):
    w = torch.tensor(weight, dtype=torch.float32, requires_grad=True)
    return w, (torch.from_numpy(x).float() @ w - torch.from_numpy(y).float()).square().sum()
