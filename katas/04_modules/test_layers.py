"""The specification of layers.py."""

import pytest
import torch
from torch.nn.modules.module import register_module_parameter_registration_hook

from torchkatas.observe import graph_size

SMALL = 1e-3  # what an epsilon of 1e-8 does to a std of 1e-4 is less than this, what one of 1e-6 does is more
AFFINE = "layer = Affine(4, 3), with numbers of the test; layer"
BY_HAND = {"Affine": ("linear", "Linear")}


def values(*shape, shift=0):
    """Distinct numbers of both signs, in no order."""
    count = torch.Size(shape).numel()
    return (((torch.arange(count) + shift) * 7 % 11 - 4.5) / 3 + torch.arange(count) / 100).reshape(shape)


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


def fill(module, **numbers):
    """Write numbers into a module's tensors; what hinders it, or nothing."""
    for name, number in numbers.items():
        tensor = getattr(module, name, None)
        if not isinstance(tensor, torch.Tensor) or tensor.shape != number.shape:
            found = tuple(tensor.shape) if isinstance(tensor, torch.Tensor) else "no tensor"
            return {f"no numbers of shape {tuple(number.shape)} can be set, for `{name}` is": found}
        tensor.data.copy_(number)
    return {}


def load(module, numbers, attribute):
    """The same by the state dict, where the layers lie in an attribute."""
    if module.state_dict().keys() != numbers.keys():
        if not hasattr(module, attribute):  # the names are then each learner's own
            return {f"no numbers can be loaded, for `{attribute}` is not there; under other names": len(names(module))}
        return {f"no numbers can be loaded, for `{attribute}` is {what(module, attribute)}, with": names(module)}
    if hindered := misfits(module, numbers):
        return hindered
    module.load_state_dict(numbers)
    return {}


def misfits(module, numbers):
    """Which tensors of a module have other shapes than the numbers for them, if any."""
    there = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    found = {name: shape for name, shape in there.items() if shape != tuple(numbers[name].shape)}
    return {"no numbers can be loaded, for these are the shapes": found} if found else {}


def what(module, attribute):
    if not hasattr(module, attribute):
        return "not there"
    thing = getattr(module, attribute)
    return "a module" if isinstance(thing, torch.nn.Module) else f"of type {type(thing).__name__}"


def names(module):
    return list(module.state_dict())


def shapes(module, attribute):
    """The shapes of a module's parameters; where the attribute is not there, how many there are."""
    found = {name: tuple(parameter.shape) for name, parameter in module.named_parameters()}
    return found if hasattr(module, attribute) else f"{len(found)} under other names"


def backward(module, slope, x, leaves):
    """What a module gives for x, and after a backward of the sum, weighted, the gradients of x and of the leaves."""
    x = x.clone().requires_grad_()
    result = module(x)
    if result.requires_grad and result.shape == slope.shape:
        (result * slope).sum().backward()
    gradients = {name: leaf.grad for name, leaf in {**leaves, "x": x}.items()}
    return {"result": result.detach(), **{name: "none" if g is None else g for name, g in gradients.items()}}


# ---- Affine


@pytest.mark.fact("05.7")
@pytest.mark.parametrize("name", ["weight", "bias"])
def test_Affine_has_parameters(kata, check, name):
    """Catches plain tensors, which no optimizer gets to see, and a weight that lies on its side."""

    def look(inputs, outputs):
        layer = kata.Affine(inputs, outputs)
        parameters, plain = dict(layer.named_parameters()), isinstance(getattr(layer, name, None), torch.Tensor)
        return str(tuple(parameters[name].shape)) if name in parameters else "a plain tensor" if plain else "not there"

    sizes = [(5, 3), (1, 4), (2, 1), (3, 7), (6, 2)]
    right = [str((o, i) if name == "weight" else (o,)) for i, o in sizes]
    check.each(named(f"shape of the parameter {name} of Affine", look), sizes).gives(right)


def test_Affine_with_a_bias_or_without(kata, check):
    """Catches a bias that is always there, and parameters beside the two."""

    def look(inputs, outputs, bias):
        return sorted(name for name, _ in kata.Affine(inputs, outputs, bias).named_parameters())

    rows = [(5, 3, False), (5, 3, True), (1, 2, True), (1, 2, False), (4, 1, False)]
    right = [["bias", "weight"] if bias else ["weight"] for _, _, bias in rows]
    check.each(named("names of the parameters of Affine", look), rows).gives(right)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(5, 4), (1, 4), (4,), (2, 3, 4), (2, 1, 2, 4)], ids=str)
def test_Affine_computes(kata, check, shape, bias):
    """Catches a weight that is not transposed, a bias that is not added, and a layer for matrices alone."""
    weight, shift, x = values(3, 4), values(3, shift=4), values(*shape, shift=2)
    rows = [[sum(w * v for w, v in zip(of, row, strict=True)) for of in weight] for row in x.reshape(-1, 4)]
    right = torch.tensor(rows).reshape(*shape[:-1], 3) + (shift if bias else 0)

    def compute(x, bias):
        layer = kata.Affine(4, 3, bias)
        return fill(layer, weight=weight, **({"bias": shift} if bias else {})) or {"result": layer(x)}

    check(named(AFFINE, compute), x=x, bias=bias).gives({"result": right.requires_grad_()})


def test_Affine_learns(kata, check):
    """Catches a forward that takes a parameter or x out of the graph: the output then hangs on the others alone."""
    numbers = {"weight": values(3, 4), "bias": values(3, shift=4)}
    x, slope = values(5, 4, shift=2), values(5, 3, shift=6)
    right = {"result": x @ numbers["weight"].T + numbers["bias"]}
    right |= {"weight": slope.T @ x, "bias": slope.sum(dim=0), "x": slope @ numbers["weight"]}

    def gradients(x):
        layer = kata.Affine(4, 3)
        return fill(layer, **numbers) or backward(layer, slope, x, {name: getattr(layer, name) for name in numbers})

    check(named(AFFINE.replace("; layer", "; backward; the gradients of layer"), gradients), x=x).gives(right)


@pytest.mark.parametrize("name", ["weight", "bias"])
def test_Affine_starts_with_numbers_that_differ(kata, check, name):
    """Catches a constant start: hidden units that start alike stay alike."""
    torch.manual_seed(3)

    def look(inputs, outputs):
        numbers = getattr(kata.Affine(inputs, outputs), name).detach()
        different = len(numbers.unique())
        return {"share of numbers that differ": round(different / numbers.numel(), 1), "all alike": different == 1}

    call, right = f"at the start, the {name} of Affine", {"share of numbers that differ": 1.0, "all alike": False}
    check(named(call, look), inputs=16, outputs=500).gives(right)


@pytest.mark.parametrize("name", ["weight", "bias"])
def test_Affine_starts_as_Linear_does(kata, check, name):
    """Catches another bound, and another distribution: normal, or of positive numbers alone."""
    torch.manual_seed(4)

    def look(inputs, outputs):
        numbers = getattr(kata.Affine(inputs, outputs), name).detach() * inputs**0.5
        seen = {"lowest": numbers.min(), "highest": numbers.max(), "mean": numbers.mean(), "deviation": numbers.std()}
        return {key: max(-3.0, min(3.0, round(value.item(), 1) + 0.0)) for key, value in seen.items()}

    call = f"in units of 1 / sqrt(inputs), cut off at 3, the {name} of Affine"
    uniform = {"lowest": -1.0, "highest": 1.0, "mean": 0.0, "deviation": round(3**-0.5, 1)}
    check(named(call, look), inputs=64, outputs=2000).gives(uniform)


def compare(one, other):
    if len(one.unique()) == 1:
        return "constant"
    return "the same" if torch.equal(one, other) else "different"


def test_Affine_starts_anew_each_time(kata, check):
    """Catches a layer that seeds the random stream: every layer of a network would start with the same numbers."""
    torch.manual_seed(5)

    def look(inputs, outputs):
        one, other = kata.Affine(inputs, outputs), kata.Affine(inputs, outputs)
        return {name: compare(getattr(one, name), getattr(other, name)) for name in ("weight", "bias")}

    call = "the starts of two layers, each Affine"
    check(named(call, look), inputs=4, outputs=3).gives({"weight": "different", "bias": "different"})


def test_Affine_is_written_by_hand(kata, check):
    """Catches nn.Linear under another name, and parameters that it has made."""

    def look(inputs, outputs):
        seen = set()

        def registered(module, name, parameter):
            seen.add("the class itself" if type(module) is kata.Affine else type(module).__name__)

        hook = register_module_parameter_registration_hook(registered)
        try:
            kata.Affine(inputs, outputs)
        finally:
            hook.remove()
        bases = [kind.__name__ for kind in kata.Affine.__mro__ if kind.__module__.startswith("torch.")]
        return {"derived from": bases, "modules that made parameters": sorted(seen - {"the class itself"})}

    right = {"derived from": ["Module"], "modules that made parameters": []}
    check(named("what is behind Affine", look), inputs=4, outputs=3).gives(right)


# ---- Stack


@pytest.mark.fact("05.7")
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_Stack_registers_its_layers(kata, check, depth):
    """Catches layers in a plain list, one layer that stands at every place, and a depth that is fixed."""

    def look(width, depth):
        model = kata.Stack(width, depth)
        places = {"weights in the state dict": sum(name.endswith("weight") for name in names(model))}
        return {"layers": what(model, "layers"), **places, "parameters": shapes(model, "layers")}

    parameters = {}
    for i in range(depth):
        parameters |= {f"layers.{i}.weight": (4, 4), f"layers.{i}.bias": (4,)}
    right = {"layers": "a module", "weights in the state dict": depth, "parameters": parameters}
    check(named("Stack", look), width=4, depth=depth).gives(right)


def stacked(depth):
    """Numbers for the layers of a Stack(4, depth), by name."""
    numbers = {}
    for i in range(depth):
        numbers |= {f"layers.{i}.weight": values(4, 4, shift=3 * i) / 4, f"layers.{i}.bias": values(4, shift=i)}
    return numbers


def through(numbers, x):
    """What goes into each layer of a stack, and what comes out of the last one's ReLU."""
    steps = [x]
    for weight, bias in zip(list(numbers.values())[::2], list(numbers.values())[1::2], strict=True):
        steps.append((steps[-1] @ weight.T + bias).clamp(min=0))
    return steps


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("depth", [3, 1, 0])
def test_Stack_computes(kata, check, depth, n):
    """Catches a ReLU left out, layers in the wrong order or passed over, and a ModuleList that is called."""
    numbers, x = stacked(depth), values(n, 4, shift=5)
    right = through(numbers, x)[-1].clone()

    def compute(x):
        model = kata.Stack(4, depth)
        return load(model, numbers, "layers") or {"result": model(x)}

    call = f"model = Stack(4, {depth}), with numbers of the test; model"
    check(named(call, compute), x=x).gives({"result": right.requires_grad_(depth > 0)})


@pytest.mark.parametrize("n", [1, 5])
@pytest.mark.parametrize("depth", [3, 0])
def test_Stack_learns(kata, check, depth, n):
    """Catches x cut off the graph, between layers or in front, and ReLUs that the backward pass does not know of."""
    numbers, x, slope = stacked(depth), values(n, 4, shift=5), values(n, 4, shift=6)
    steps, behind, right = through(numbers, x), slope, {}
    for i in reversed(range(depth)):
        behind = behind * (steps[i + 1] > 0)
        right |= {f"layers.{i}.weight": behind.T @ steps[i], f"layers.{i}.bias": behind.sum(dim=0)}
        behind = behind @ numbers[f"layers.{i}.weight"]

    def gradients(x):
        model = kata.Stack(4, depth)
        return load(model, numbers, "layers") or backward(model, slope, x, dict(model.named_parameters()))

    call = f"model = Stack(4, {depth}), with numbers of the test; backward; the gradients of model"
    check(named(call, gradients), x=x).gives({"result": steps[-1], **right, "x": behind})


def test_Stack_starts_with_layers_that_differ(kata, check):
    """Catches copies of one layer, which all start with the same weights."""

    def look(width, depth):
        weights = [p.detach() for name, p in kata.Stack(width, depth).named_parameters() if name.endswith("weight")]
        different = [w for i, w in enumerate(weights) if not any(torch.equal(w, other) for other in weights[:i])]
        return {"layers": len(weights), "different ones": len(different)}

    check(named("the weights at the start of Stack", look), width=3, depth=4).gives({"layers": 4, "different ones": 4})


# ---- Heads


TASKS = {"colour": 3, "size": 2, "weight_class": 5}


@pytest.mark.fact("05.7")
@pytest.mark.parametrize("chosen", [("colour", "size"), ("weight_class",), ("size", "weight_class", "colour")], ids=str)
def test_Heads_registers_its_layers(kata, check, chosen):
    """Catches a plain dict, in which layers are not registered, and other names."""
    tasks = {name: TASKS[name] for name in chosen}

    def look(inputs, tasks):
        model = kata.Heads(inputs, tasks)
        return {"heads": what(model, "heads"), "parameters": shapes(model, "heads")}

    parameters = {}
    for name, classes in tasks.items():
        parameters |= {f"heads.{name}.weight": (classes, 4), f"heads.{name}.bias": (classes,)}
    check(named("Heads", look), inputs=4, tasks=tasks).gives({"heads": "a module", "parameters": parameters})


def of_heads():
    """Numbers for the heads of TASKS, by name."""
    numbers = {}
    for i, (name, classes) in enumerate(TASKS.items()):
        numbers[f"heads.{name}.weight"] = values(classes, 4, shift=i)
        numbers[f"heads.{name}.bias"] = values(classes, shift=5 * i)
    return numbers


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("task", TASKS)
def test_Heads_computes(kata, check, task, n):
    """Catches a head that is always the same, all heads at once, and a softmax."""
    numbers, x = of_heads(), values(n, 4, shift=2)
    right = x @ numbers[f"heads.{task}.weight"].T + numbers[f"heads.{task}.bias"]

    def compute(x, task):
        model = kata.Heads(4, dict(TASKS))
        return load(model, numbers, "heads") or {"logits": model(x, task)}

    call = f"model = Heads(4, {TASKS}), with numbers of the test; model"
    check(named(call, compute), x=x, task=task).gives({"logits": right.requires_grad_()})


@pytest.mark.parametrize("task", TASKS)
def test_Heads_learns(kata, check, task):
    """Catches x cut off the graph: what all tasks share, in front of the heads, would learn nothing."""
    numbers, x, slope = of_heads(), values(5, 4, shift=2), values(5, TASKS[task], shift=6)
    weight, bias = f"heads.{task}.weight", f"heads.{task}.bias"
    right = {"result": x @ numbers[weight].T + numbers[bias], weight: slope.T @ x, bias: slope.sum(dim=0)}

    def gradients(x, task):
        model = kata.Heads(4, dict(TASKS))
        if hindered := load(model, numbers, "heads"):
            return hindered
        leaves = {name: leaf for name, leaf in model.named_parameters() if name in right}
        return backward(lambda x: model(x, task), slope, x, leaves)

    call = f"model = Heads(4, {TASKS}), with numbers of the test; backward; the gradients of model"
    check(named(call, gradients), x=x, task=task).gives({**right, "x": slope @ numbers[weight]})


@pytest.mark.parametrize("task", TASKS)
def test_Heads_leaves_the_others_alone(kata, check, task):
    """Catches heads that are run and their answers dropped, and others that hang on the graph and get zeros."""

    def look(x, task):
        model, called = kata.Heads(4, dict(TASKS)), []
        for name, module in model.named_modules():
            module.register_forward_hook(lambda *_, name=name: called.append(name.rpartition(".")[2]))
        logits = model(x, task)
        logits.square().sum().backward()
        learns = {name.split(".")[1] for name, p in model.named_parameters() if p.grad is not None}
        others = [name for name in called if name in TASKS and name != task]
        return {"logits": tuple(logits.shape), "other heads called": others, "have a .grad": sorted(learns)}

    call = f"model = Heads(4, {TASKS}), then a backward; model"
    right = {"logits": (3, TASKS[task]), "other heads called": [], "have a .grad": [task]}
    check(named(call, look), x=values(3, 4, shift=2), task=task).gives(right)


def test_Heads_of_an_unknown_task(kata, check):
    """Catches another head in its place, None, and another error."""

    def ask(task):
        answer = kata.Heads(4, dict(TASKS))(values(2, 4), task)
        return "an answer" if isinstance(answer, torch.Tensor) else answer

    call = f"model = Heads(4, {TASKS}); on some x, model"
    check(named(call, ask), task="shape").raises(KeyError, "shape")


# ---- Standardize


def kept(module, *names):
    """What a module keeps, and whether it goes along to float64."""
    seen = {
        "trained parameters": [name for name, p in module.named_parameters() if p.requires_grad],
        "frozen parameters": [name for name, p in module.named_parameters() if not p.requires_grad],
        **held(module, *names),
    }
    module.double()
    return {**seen, "after .double()": [getattr(getattr(module, name, None), "dtype", None) for name in names]}


def held(module, *names):
    """What is in the state dict, and what else; where none of these names is, the others are each learner's own."""
    there = sorted(name for name in module.state_dict() if name in names)
    others = sorted(set(module.state_dict()) - set(names))
    return {"in the state dict": there, "others there": others if there else len(others)}


def buffers(*names):
    right = {"trained parameters": [], "frozen parameters": [], "in the state dict": list(names), "others there": []}
    return {**right, "after .double()": [torch.float64 for _ in names]}


def statistics(shift=0):
    return {"mean": values(3, shift=shift), "std": values(3, shift=shift).abs() + 0.25}


def test_Standardize_keeps_buffers(kata, check):
    """Catches plain tensors, which are neither saved nor cast, and parameters, which are no fixed numbers."""
    look = named("what is kept by Standardize", lambda mean, std: kept(kata.Standardize(mean, std), "mean", "std"))
    check(look, **statistics()).gives(buffers("mean", "std"))


def test_Standardize_keeps_copies(kata, check):
    """Catches buffers that are the caller's own tensors: what happens to the ones happens to the others."""

    def look(mean, std):
        theirs = {"mean": mean.clone(), "std": std.clone()}
        layer = kata.Standardize(**theirs)
        for tensor in theirs.values():
            tensor.add_(1)
        kept = {name: getattr(layer, name).detach().clone() for name in theirs}
        if sorted(names(layer)) == ["mean", "std"] and not misfits(layer, given):
            layer.load_state_dict(statistics(shift=3))
        buffers = sorted(name for name, _ in layer.named_buffers())
        return {"buffers": buffers, "the layer's": kept, "the caller's": theirs}

    given = statistics()
    right = {"the layer's": given, "the caller's": {name: tensor + 1 for name, tensor in given.items()}}
    call = "the caller adds 1 to their mean and std, then others are loaded into the layer, made by Standardize"
    check(named(call, look), **given).gives({"buffers": ["mean", "std"], **right})


@pytest.mark.parametrize("n", [1, 2, 5])
def test_Standardize_computes(kata, check, n):
    """Catches statistics of the batch, * for /, and a division before the difference."""
    x, given = values(n, 3, shift=5) * torch.tensor([1.0, 100.0, -0.25]), statistics()
    rows = [[(v - m) / s for v, m, s in zip(row, given["mean"], given["std"], strict=True)] for row in x]
    compute = named("Standardize", lambda mean, std, x: kata.Standardize(mean, std)(x))
    check(compute, **given, x=x).gives(torch.tensor(rows))


def test_Standardize_passes_the_gradient(kata, check):
    """Catches a result that was cut off the graph, for the sake of numbers that are not trained."""
    x, given, slope = values(5, 3, shift=5), statistics(), values(5, 3, shift=6)
    right = {"result": (x - given["mean"]) / given["std"], "x": slope / given["std"]}

    def gradients(mean, std, x):
        return backward(kata.Standardize(mean, std), slope, x, {})

    check(named("the gradient of Standardize", gradients), **given, x=x).gives(right)


def test_Standardize_by_a_small_std(kata, check):
    """Catches a constant that is added to the std, 1e-5 or 1e-6: it does not bring a feature of small std to scale."""
    mean, std = torch.tensor([0.002, -3.0, 40.0]), torch.tensor([1e-4, 0.5, 8.0])
    right = torch.tensor([[1.5, -0.75, 2.0], [-0.5, 1.25, -1.0]])

    def compute(mean, std):
        shares = (kata.Standardize(mean, std)(right * std + mean) / right)[0].tolist()
        return ["right" if abs(s - 1) < SMALL else "too small" if 0 < s < 1 else "not right" for s in shares]

    call = "the results for each feature of Standardize"
    check(named(call, compute), mean=mean, std=std).gives(["right"] * 3)


def test_Standardize_computes_with_what_is_loaded(kata, check):
    """Catches numbers kept beside the buffers: a loaded checkpoint would not reach them."""
    x, loaded = values(2, 3, shift=5), statistics(shift=3)

    def compute(x):
        layer = kata.Standardize(**statistics())
        if sorted(names(layer)) != ["mean", "std"]:
            return {"nothing can be loaded, for this is the state": held(layer, "mean", "std")}
        if hindered := misfits(layer, loaded):
            return hindered
        layer.load_state_dict({name: value.clone() for name, value in loaded.items()})
        return {"result": layer(x)}

    right = {"result": (x - loaded["mean"]) / loaded["std"]}
    check(named("layer = Standardize(mean, std), then other statistics are loaded; layer", compute), x=x).gives(right)


# ---- RunningMean


def test_RunningMean_keeps_a_buffer(kata, check):
    """Catches a plain tensor, which is neither saved nor cast, and a parameter."""
    look = named("what is kept by RunningMean", lambda features: kept(kata.RunningMean(features), "mean"))
    check(look, features=3).gives(buffers("mean"))


def copy_of(tensor):
    return tensor.detach().clone()


def called_on(layer, batches):
    """The layer's mean and its result after each call."""
    seen = {"mean": [], "result": []}
    for x in batches:
        seen["result"].append(copy_of(layer(x)))
        seen["mean"].append(copy_of(layer.mean))
    return seen


@pytest.mark.parametrize("momentum", [0.25, None])
def test_RunningMean_in_training(kata, check, momentum):
    """Catches the shares exchanged, a mean of all numbers, sums that grow, and the batch's own mean subtracted."""
    sizes = (2, 5, 1) if momentum is None else (2, 1, 2)  # on the latter a mean over dim=1 goes on, wrong as it is
    batches = [values(n, 2, shift=n + i) + 2 for i, n in enumerate(sizes)]
    share, mean, right = 0.1 if momentum is None else momentum, torch.zeros(2), {"mean": [], "result": []}
    for x in batches:
        mean = (1 - share) * mean + share * torch.stack([column.sum() / len(x) for column in x.T])
        right["mean"].append(mean)
        right["result"].append(x - mean)

    given = (2,) if momentum is None else (2, momentum)
    call = f"layer = RunningMean({', '.join(map(str, given))}); on one batch after the other, layer"
    check(named(call, lambda x: called_on(kata.RunningMean(*given), x)), x=batches).gives(right)


def test_RunningMean_in_eval_mode(kata, check):
    """Catches a mean that goes on moving, and one that is not subtracted."""
    first, later = values(2, 2, shift=1), values(2, 2, shift=4) - 7
    mean = 0.25 * first.mean(dim=0)
    right = {"mean": [mean, mean], "result": [later - mean, later[:1] - mean]}

    def calls(x):
        layer = kata.RunningMean(2, 0.25)
        layer(first)
        return called_on(layer.eval(), x)

    call = "layer = RunningMean(2, 0.25), called once and set to eval mode; on one batch after the other, layer"
    check(named(call, calls), x=[later, later[:1]]).gives(right)


def test_RunningMean_is_a_constant_of_the_graph(kata, check):
    """Catches a mean that drags the graph of every batch along, and a result without a graph, in either mode."""
    slope = values(3, 2, shift=6)

    def look(x, training):
        layer, x = kata.RunningMean(2, 0.25).train(training), x.clone().requires_grad_()
        y = layer(x)
        if y.requires_grad:
            (y * slope).sum().backward()
        layer(x)
        graph = layer.mean.requires_grad or graph_size(layer.mean) > 0
        return {"x.grad": "none" if x.grad is None else x.grad, "a graph hangs on the mean": graph}

    def in_both_modes(x):
        return {"in training": look(x, True), "in eval mode": look(x, False)}

    right = {"x.grad": slope, "a graph hangs on the mean": False}
    call = "layer = RunningMean(2, 0.25); backward of a sum, weighted, of layer"
    check(named(call, in_both_modes), x=values(3, 2, shift=2)).gives({"in training": right, "in eval mode": right})
