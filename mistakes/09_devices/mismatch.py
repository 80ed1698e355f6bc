"""Wrong answers to katas/09_devices/mismatch.py."""

from torchkatas.bank import wrong

NUMBER = ("cpu", ())

# ---- sum_device


@wrong(
    "sum-no-exception-for-numbers",
    replaces="sum_device",
    says="A number on the CPU, shape (), was refused. It is let through: x + torch.tensor(2.0) works for x on a GPU.",
    fact="09.2",
)
def no_exception_for_numbers(one, other):
    return one[0] if one[0] == other[0] else None


@wrong(
    "sum-number-on-either-side",
    replaces="sum_device",
    says="A number on the GPU was let through beside a tensor on the CPU. Only one on the CPU is: read it, and hand it "
    "over; a number on a GPU would have to be waited for and copied back.",
    fact="09.2",
)
def number_on_either_side(one, other):
    if one[0] == other[0] or other[1] == ():
        return one[0]
    return other[0] if one[1] == () else None


@wrong(
    "sum-one-element-is-a-number",
    replaces="sum_device",
    says="A tensor of shape (1,) was taken for a number. It has one element but also a dimension, and lies on the CPU "
    "as any other tensor does.",
    fact="09.2",
)
def one_element_is_a_number(one, other):
    def number(operand):
        return operand[0] == "cpu" and set(operand[1]) <= {1}

    if one[0] == other[0] or number(other):
        return one[0]
    return other[0] if number(one) else None


@wrong(
    "sum-moves-by-itself",
    replaces="sum_device",
    says="A tensor on the CPU was said to be brought to the GPU. torch moves no tensor on its own: a copy is slow, and "
    "is to be seen in the code.",
    fact="09.2",
)
def moves_by_itself(one, other):
    if "cpu" in (one[0], other[0]):
        return other[0] if one[0] == "cpu" else one[0]
    return one[0] if one[0] == other[0] else None


@wrong(
    "sum-gpus-are-one",
    replaces="sum_device",
    says="cuda:0 and cuda:1 were taken for one device. They are two, each with memory of its own.",
    fact="09.2",
)
def gpus_are_one(one, other):
    if one[0][:4] == other[0][:4] or other == NUMBER:
        return one[0]
    return other[0] if one == NUMBER else None


@wrong(
    "sum-lies-with-the-first",
    replaces="sum_device",
    says="The sum of a number on the CPU and a tensor on a GPU lies on the GPU, whichever of the two stands first.",
)
def lies_with_the_first(one, other):
    return one[0] if one[0] == other[0] or NUMBER in (one, other) else None


@wrong(
    "sum-number-second-alone",
    replaces="sum_device",
    says="A number on the CPU was let through as the second operand, and refused as the first. The side does not "
    "count.",
    fact="09.2",
)
def number_second_alone(one, other):
    return one[0] if one[0] == other[0] or other == NUMBER else None


@wrong(
    "sum-number-first-alone",
    replaces="sum_device",
    says="A number on the CPU was let through as the first operand, and refused as the second. The side does not "
    "count.",
    fact="09.2",
)
def number_first_alone(one, other):
    return other[0] if one[0] == other[0] or one == NUMBER else None


@wrong(
    "sum-every-number-goes-along",
    replaces="sum_device",
    says="Numbers that lie on a GPU were let through. Only one on the CPU is read and handed over, on either side; the "
    "sum lies with the other operand.",
    fact="09.2",
)
def every_number_goes_along(one, other):
    if one[0] == other[0] or one[1] == ():
        return other[0]
    return one[0] if other[1] == () else None


@wrong(
    "sum-raises",
    replaces="sum_device",
    says="RuntimeError was raised where the two may not meet. torch raises it; here None says that it would.",
)
def raises(one, other):
    if one[0] == other[0] or other == NUMBER:
        return one[0]
    if one == NUMBER:
        return other[0]
    raise RuntimeError("Expected all tensors to be on the same device")


@wrong(
    "sum-lies-with-the-number",
    replaces="sum_device",
    says="The sum of a number on the CPU and a tensor on a GPU was said to lie on the CPU. The number is handed over, "
    "and the sum lies with the tensor.",
    fact="09.2",
)
def lies_with_the_number(one, other):
    if one[0] == other[0]:
        return one[0]
    return "cpu" if NUMBER in (one, other) else None


# ---- index_device


@wrong(
    "index-must-lie-with-x",
    replaces="index_device",
    says="Indices on the CPU were refused for a tensor on a GPU. They are let through, with any shape, and not numbers "
    "alone as in a sum: torch brings them along.",
    fact="09.2",
)
def must_lie_with_x(x, index):
    return x[0] if x[0] == index[0] else None


@wrong(
    "index-from-anywhere",
    replaces="index_device",
    says="Indices on another GPU, or on a GPU for a tensor on the CPU, were let through. Only from the CPU are they "
    "brought along.",
    fact="09.2",
)
def from_anywhere(x, index):
    return x[0]


@wrong(
    "index-decides-the-device",
    replaces="index_device",
    says="The result was said to lie with the indices. It is taken out of x, and lies where x does.",
)
def decides_the_device(x, index):
    return index[0] if index[0] in (x[0], "cpu") else None


@wrong(
    "index-gpus-are-one",
    replaces="index_device",
    says="Indices on one GPU were let through for a tensor on another. They are two devices, and torch brings indices "
    "along from the CPU alone.",
    fact="09.2",
)
def index_gpus_are_one(x, index):
    return x[0] if index[0] == "cpu" or index[0][:4] == x[0][:4] else None


@wrong(
    "index-where-either-is-the-cpu",
    replaces="index_device",
    says="Indices on a GPU were let through for a tensor on the CPU. Only the way from the CPU to a GPU is open: to "
    "fetch indices the CPU would have to wait.",
    fact="09.2",
)
def where_either_is_the_cpu(x, index):
    return x[0] if index[0] == x[0] or "cpu" in (x[0], index[0]) else None


@wrong(
    "index-fetches-x",
    replaces="index_device",
    says="A tensor on the CPU was said to follow its indices to the GPU. It stays, and indices from a GPU do not fit "
    "it.",
    fact="09.2",
)
def fetches_x(x, index):
    if index[0] in (x[0], "cpu"):
        return x[0]
    return index[0] if x[0] == "cpu" else None


@wrong(
    "index-raises",
    replaces="index_device",
    says="RuntimeError was raised where the indices do not fit. torch raises it; here None says that it would.",
)
def index_raises(x, index):
    if index[0] in (x[0], "cpu"):
        return x[0]
    raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor")


# ---- first_elsewhere


def where(device):
    return device.type, device.index or 0


@wrong(
    "elsewhere-parameters-alone",
    replaces="first_elsewhere",
    says="Only parameters were looked at: a buffer, as batch norm's running mean, can lie elsewhere too, and stops the "
    "forward pass in the same way.",
)
def parameters_alone(model, device):
    return next((name for name, p in model.named_parameters() if where(p.device) != where(device)), None)


@wrong(
    "elsewhere-cuda-is-not-cuda-0",
    replaces="first_elsewhere",
    says='torch.device("cuda") == torch.device("cuda:0") is False: a device without a number was compared with those '
    "of tensors, which always have one, and everything seems to lie elsewhere.",
)
def cuda_is_not_cuda_0(model, device):
    named = [*model.named_parameters(), *model.named_buffers()]
    return next((name for name, tensor in named if tensor.device != device), None)


@wrong(
    "elsewhere-kind-alone",
    replaces="first_elsewhere",
    says="Only the kind of device was compared: cuda:0 and cuda:1 are two devices.",
    fact="09.2",
)
def kind_alone(model, device):
    named = [*model.named_parameters(), *model.named_buffers()]
    return next((name for name, tensor in named if tensor.device.type != device.type), None)


@wrong(
    "elsewhere-first-parameter-alone",
    replaces="first_elsewhere",
    says="Only the first parameter was asked. next(model.parameters()).device is the model's device where all lie on "
    "one; which one does not is the question here.",
)
def first_parameter_alone(model, device):
    name, parameter = next(model.named_parameters())
    return name if where(parameter.device) != where(device) else None


@wrong(
    "elsewhere-the-last",
    replaces="first_elsewhere",
    says="That is the last one that lies elsewhere; the first is asked for.",
)
def the_last(model, device):
    named = [*model.named_parameters(), *model.named_buffers()]
    return next((name for name, tensor in reversed(named) if where(tensor.device) != where(device)), None)


@wrong(
    "elsewhere-direct-ones-alone",
    replaces="first_elsewhere",
    says="Only what the model holds itself was looked at: what its submodules hold was passed over.",
)
def direct_ones_alone(model, device):
    named = [*model.named_parameters(recurse=False), *model.named_buffers(recurse=False)]
    return next((name for name, tensor in named if where(tensor.device) != where(device)), None)


@wrong(
    "elsewhere-children-alone",
    replaces="first_elsewhere",
    says="Only what the submodules hold was looked at: buffers or parameters that the model holds itself were passed "
    "over. named_parameters() and named_buffers() of the model go through all of them.",
)
def children_alone(model, device):
    named = [*model.named_parameters(), *model.named_buffers()]
    return next((name for name, t in named if "." in name and where(t.device) != where(device)), None)


@wrong(
    "elsewhere-child-by-child",
    replaces="first_elsewhere",
    says="The submodules were gone through one by one: what the model holds itself was passed over, and a buffer of "
    "one was named before a parameter of the next. named_parameters() of the model, then named_buffers().",
)
def child_by_child(model, device):
    for child, module in model.named_children():
        for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
            if where(tensor.device) != where(device):
                return f"{child}.{name}"
    return None


@wrong(
    "elsewhere-state-dict",
    replaces="first_elsewhere",
    says="The state_dict was searched. A buffer with persistent=False is not in it, and has to lie with the rest too.",
)
def state_dict(model, device):
    named = dict(model.named_parameters()) | {n: b for n, b in model.named_buffers() if n in model.state_dict()}
    return next((name for name, tensor in named.items() if where(tensor.device) != where(device)), None)


@wrong(
    "elsewhere-in-the-state-dict",
    replaces="first_elsewhere",
    says="The state_dict was searched: it goes module by module, so that buffers come before later parameters, and a "
    "buffer with persistent=False is not in it.",
)
def in_the_state_dict(model, device):
    return next((name for name, t in model.state_dict().items() if where(t.device) != where(device)), None)


@wrong(
    "elsewhere-module-by-module",
    replaces="first_elsewhere",
    says="A buffer was named where a parameter lies elsewhere too. All parameters come before all buffers: go through "
    "named_parameters() first.",
)
def module_by_module(model, device):
    for prefix, module in model.named_modules():
        named = [*module.named_parameters(recurse=False), *module.named_buffers(recurse=False)]
        for name, tensor in named:
            if where(tensor.device) != where(device):
                return f"{prefix}.{name}".lstrip(".")
    return None


@wrong(
    "elsewhere-buffers-first",
    replaces="first_elsewhere",
    says="Buffers were looked at before parameters; the parameters come first.",
)
def buffers_first(model, device):
    named = [*model.named_buffers(), *model.named_parameters()]
    return next((name for name, tensor in named if where(tensor.device) != where(device)), None)


@wrong(
    "elsewhere-any-number",
    replaces="first_elsewhere",
    says="A device without a number was taken for any of its kind. It means number 0: what lies on cuda:1 is "
    "elsewhere.",
    fact="09.2",
)
def any_number(model, device):
    named = [*model.named_parameters(), *model.named_buffers()]
    return next((name for name, tensor in named if not str(tensor.device).startswith(str(device))), None)


# ---- diagnose


def told(operands):
    names = {}
    for name, tensor in operands.items():
        names.setdefault(str(tensor.device), []).append(name)
    return "; ".join(f"{', '.join(found)} on {device}" for device, found in names.items()), len(names)


def firm(operands):
    return {name: t for name, t in operands.items() if t.dim() or t.device.type != "cpu"}


@wrong(
    "diagnosis-of-numbers",
    replaces="diagnose",
    says="A number on the CPU was counted in. It has no dimensions, may meet anything, and is not to blame.",
    fact="09.2",
)
def of_numbers(operands):
    text, n = told(operands)
    return text if n > 1 else None


@wrong(
    "diagnosis-names-the-number",
    replaces="diagnose",
    says="A number on the CPU is named among those that may not meet. It was rightly let through; it does not belong "
    "in the list.",
)
def names_the_number(operands):
    return told(operands)[0] if told(firm(operands))[1] > 1 else None


@wrong(
    "diagnosis-lets-every-number-through",
    replaces="diagnose",
    says="A number that lies elsewhere than on the CPU was let through. Only one on the CPU may meet anything.",
    fact="09.2",
)
def lets_every_number_through(operands):
    text, n = told({name: t for name, t in operands.items() if t.dim()})
    return text if n > 1 else None


@wrong(
    "diagnosis-one-element-is-a-number",
    replaces="diagnose",
    says="A tensor with one element was taken for a number. What has a dimension, if only of length 1, has to lie with "
    "the others.",
    fact="09.2",
)
def one_element_is_a_number_too(operands):
    text, n = told({name: t for name, t in operands.items() if t.numel() > 1 or t.device.type != "cpu"})
    return text if n > 1 else None


@wrong(
    "diagnosis-of-what-is-right",
    replaces="diagnose",
    says="A line came back for operands that may meet; None is asked there.",
)
def of_what_is_right(operands):
    return told(firm(operands))[0]


@wrong(
    "diagnosis-one-for-each-name",
    replaces="diagnose",
    says="The device was said anew for each name. Names on one device belong together.",
)
def one_for_each_name(operands):
    text = "; ".join(f"{name} on {tensor.device}" for name, tensor in firm(operands).items())
    return text if told(firm(operands))[1] > 1 else None


@wrong(
    "diagnosis-last-of-each-device",
    replaces="diagnose",
    says="Of the names on one device only the last was kept: collect them in a list.",
)
def last_of_each_device(operands):
    last = {str(tensor.device): name for name, tensor in firm(operands).items()}
    return "; ".join(f"{name} on {device}" for device, name in last.items()) if len(last) > 1 else None


@wrong(
    "diagnosis-without-the-cpu",
    replaces="diagnose",
    says="What lies on the CPU is missing from the line: it is not right by lying there. Each device is told, with all "
    "names on it but those of numbers.",
)
def without_the_cpu(operands):
    if told(firm(operands))[1] < 2:
        return None
    return told({name: t for name, t in operands.items() if t.device.type != "cpu"})[0]


@wrong(
    "diagnosis-first-device-alone",
    replaces="diagnose",
    says="Only the first device and its names are in the line; each is asked, joined by a semicolon.",
)
def first_device_alone(operands):
    text, n = told(firm(operands))
    return text.partition(";")[0] if n > 1 else None


@wrong(
    "diagnosis-second-device-alone",
    replaces="diagnose",
    says="What lies with the first operand is missing from the line, as if that were in its right place. Each device "
    "is told, with its names.",
)
def second_device_alone(operands):
    text, n = told(firm(operands))
    return text.partition("; ")[2] if n > 1 else None


@wrong(
    "diagnosis-in-another-order",
    replaces="diagnose",
    says="Names, and so devices, came in the order of the alphabet: the order in which they appear is asked.",
)
def in_another_order(operands):
    text, n = told(dict(sorted(firm(operands).items())))
    return text if n > 1 else None


@wrong(
    "diagnosis-kind-alone",
    replaces="diagnose",
    says="The device was told without its number, and cuda:0 and cuda:1 were taken for one.",
    fact="09.2",
)
def kinds_alone(operands):
    names = {}
    for name, tensor in firm(operands).items():
        names.setdefault(tensor.device.type, []).append(name)
    return "; ".join(f"{', '.join(found)} on {kind}" for kind, found in names.items()) if len(names) > 1 else None


@wrong(
    "diagnosis-against-the-first",
    replaces="diagnose",
    says="All were compared with the first operand. It may be a number on the CPU, which blames those that lie "
    "together.",
)
def against_the_first(operands):
    first = next(iter(operands.values())).device
    text, _ = told(operands)
    return text if any(tensor.device != first for tensor in firm(operands).values()) else None


@wrong(
    "diagnosis-empty-string",
    replaces="diagnose",
    says="An empty string came back where the operands may meet; None is asked there.",
)
def empty_string(operands):
    return told(firm(operands))[0] if told(firm(operands))[1] > 1 else ""
