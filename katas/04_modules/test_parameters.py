"""The specification of parameters.py."""

import pytest
import torch
from torch import nn

from torchkatas.observe import modes, state


def values(*shape, shift=0):
    """Distinct numbers of both signs, in no order."""
    count = torch.Size(shape).numel()
    return (((torch.arange(count) + shift) * 7 % 11 - 4.5) / 3 + torch.arange(count) / 100).reshape(shape)


def named(name, function):
    """What the spec does with an object of the learner's, as a call of that name."""
    function.__name__ = name
    return function


def numbered(model, scale=1.0):
    """The model with numbers of the test for parameters."""
    for i, parameter in enumerate(model.parameters()):
        parameter.data.copy_(values(*parameter.shape, shift=3 * i) * scale)
    return model


# ---- count_trainable


@pytest.mark.fact("05.20")
def test_count_trainable_of_models(kata, check):
    """Catches all parameters counted, frozen ones too, those that are frozen, and tensors for numbers."""
    seen = {}
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)))
    seen["nothing frozen"] = kata.count_trainable(model)
    model[0].weight.requires_grad_(False)
    seen["the first weight frozen"] = kata.count_trainable(model)
    model[0].requires_grad_(False)
    seen["the first layer frozen"] = kata.count_trainable(model)
    model[2][1].requires_grad_(False)
    seen["the norm frozen too"] = kata.count_trainable(model)
    model.requires_grad_(False)
    seen["all frozen"] = kata.count_trainable(model)
    seen["no parameters"] = kata.count_trainable(nn.ReLU())

    right = {"nothing frozen": 27, "the first weight frozen": 15, "the first layer frozen": 12}
    right |= {"the norm frozen too": 8, "all frozen": 0, "no parameters": 0}
    check.saw(kata.count_trainable, seen, call="of Linear(4, 3), ReLU, Linear(3, 2), BatchNorm1d(2)").gives(right)


@pytest.mark.fact("05.20")
def test_count_trainable_counts_a_shared_one_once(kata, check):
    """Catches a walk through the layers that meets a shared parameter twice."""
    model = nn.Sequential(nn.Embedding(10, 4), nn.Linear(4, 10))
    model[1].weight = model[0].weight
    seen = {"the shared weight trains": kata.count_trainable(model)}
    model[0].requires_grad_(False)
    seen["the shared weight is frozen"] = kata.count_trainable(model)

    right = {"the shared weight trains": 50, "the shared weight is frozen": 10}
    call = "of Embedding(10, 4) and Linear(4, 10) with one weight"
    check.saw(kata.count_trainable, seen, call=call).gives(right)


# ---- freeze


X, Y = values(4, 3, shift=2) / 2, values(4, 2, shift=6)


def three_parts():
    """front, body and head; the body has layers at two depths."""
    model = nn.Sequential()
    model.add_module("front", nn.Linear(3, 4))
    model.add_module("body", nn.Sequential(nn.Tanh(), nn.Linear(4, 3), nn.Sequential(nn.Tanh(), nn.Linear(3, 4))))
    model.add_module("head", nn.Linear(4, 2))
    return numbered(model, scale=0.5)


def train(model, optimizer, steps, set_to_none):
    for _ in range(steps):
        loss = (model(X) - Y).square().mean()
        optimizer.zero_grad(set_to_none=set_to_none)
        loss.backward()
        optimizer.step()


def moved(model, before):
    """For each part, whether all of its parameters differ in a bit from before, some, or none."""
    parts = {}
    for name, now in state(model).items():
        parts.setdefault(name.partition(".")[0], []).append(not torch.equal(now, before[name]))
    return {part: "all" if all(found) else "some" if any(found) else "none" for part, found in parts.items()}


def switches(part):
    gradients = [p.grad for p in part.parameters()]
    held = {"None" if g is None else "numbers" if g.any() else "zeros" for g in gradients}
    names = [name for name, p in part.named_parameters() if p.requires_grad]
    return {"require a gradient": names, ".grad": sorted(held), "training mode": part.training}


FROZEN = {"require a gradient": [], ".grad": ["None"], "training mode": True}


def test_freeze_switches_off(kata, check):
    """Catches an attribute on the module, which is no switch, eval mode, and layers below the first level left out."""
    model = three_parts()
    (model(X) - Y).square().mean().backward()
    kata.freeze(model.body)
    check.saw(kata.freeze, switches(model.body), call="model.body after a backward and freeze(model.body)").gives(
        FROZEN
    )


@pytest.mark.parametrize("set_to_none", [True, False])
@pytest.mark.parametrize("steps", [0, 2])
def test_freeze_while_it_trains(kata, check, steps, set_to_none):
    """Catches gradients that are left behind: momentum and weight decay go on moving what has one, even of zeros."""
    model = three_parts()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=0.1)
    train(model, optimizer, steps, set_to_none)
    before = state(model)
    kata.freeze(model.body)
    seen = switches(model.body)
    train(model, optimizer, 3, set_to_none)

    right = {"have moved": {"front": "all", "body": "none", "head": "all"}, **FROZEN}
    call = f"{steps} steps of SGD, momentum 0.9, weight decay 0.1; freeze(model.body); 3 steps"
    if not set_to_none:
        call += " with zero_grad(set_to_none=False)"
    check.saw(kata.freeze, {"have moved": moved(model, before), **seen}, call=call).gives(right)


def test_freeze_changes_nothing_else(kata, check):
    """Catches new parameters in the places of the old, values that have changed, and too much that is frozen."""
    model = three_parts()
    (model(X) - Y).square().mean().backward()
    before, objects = state(model), dict(model.named_parameters())
    kata.freeze(model.body)
    now = dict(model.named_parameters())
    rest = [name for name in before if not name.startswith("body")]
    seen = {
        "the same objects": all(now.get(name) is objects[name] for name in objects),
        "the same values": all(name in now and torch.equal(now[name], before[name]) for name in before),
        "the rest requires a gradient": all(now[name].requires_grad for name in rest),
        "the rest has its .grad": all(now[name].grad is not None for name in rest),
    }
    check.saw(kata.freeze, seen, call="after a backward, freeze(model.body)").gives(dict.fromkeys(seen, True))


# ---- cast and copy_in


def memory(model):
    tensors = [*model.parameters(), *model.buffers()] if isinstance(model, nn.Module) else []
    return {tensor.data_ptr() for tensor in tensors}


KINDS = (torch.float64, torch.bfloat16, torch.float32)
DTYPES = pytest.mark.parametrize("dtype", KINDS, ids=str)


def with_buffers():
    """A model with integers and bools among its buffers, a frozen parameter, and a part in eval mode."""
    model = nn.Sequential(nn.Linear(3, 2), nn.Sequential(nn.BatchNorm1d(2), nn.Linear(2, 4, bias=False)))
    numbered(model)
    model.register_buffer("mask", torch.tensor([True, False]))
    model.register_buffer("scale", values(2), persistent=False)
    model[1][0].running_mean += 0.1
    model[1][0].num_batches_tracked += 7
    model[0].bias.requires_grad_(False)
    model[1].eval()
    return model


def kind(thing, model):
    """What came back."""
    return "the model" if thing is model else "another module" if isinstance(thing, nn.Module) else type(thing).__name__


def look_at(model):
    """The dtypes in it, and which of its tensors hold other numbers than those of with_buffers(), cast."""
    before, now = state(with_buffers()), state(model)
    dtypes = [sorted({str(t.dtype)[6:] for t in tensors}) for tensors in (model.parameters(), model.buffers())]
    other = [name for name in before if not torch.equal(now[name], before[name].to(now[name].dtype))]
    return {"parameters": dtypes[0], "buffers": dtypes[1], "other numbers": other}


def looks(dtype):
    name = str(dtype)[6:]
    return {"parameters": [name], "buffers": sorted(["bool", "int64", name]), "other numbers": []}


@DTYPES
def test_cast_in_place(kata, check, dtype):
    """Catches tensors that are cast and dropped, buffers left behind, integers cast along, and a copy."""
    model = with_buffers()
    seen = {"came back": kind(kata.cast(model, dtype), model), **look_at(model)}
    right = {"came back": "the model", **looks(dtype)}
    check.saw(kata.cast, seen, call=f"the model after cast(model, {dtype})").gives(right)


def test_cast_keeps_the_objects(kata, check):
    """Catches new parameters, which an optimizer made before does not hold."""
    model = with_buffers()
    objects = dict(model.named_parameters())
    kata.cast(model, torch.float64)
    now = dict(model.named_parameters())
    seen = {
        "the same objects": all(now.get(name) is objects[name] for name in objects),
        "require a gradient": [name for name, p in now.items() if p.requires_grad],
    }
    right = {"the same objects": True, "require a gradient": ["0.weight", "1.0.weight", "1.0.bias", "1.1.weight"]}
    check.saw(kata.cast, seen, call="the model's parameters after cast(model, torch.float64)").gives(right)


def test_copy_in_gives_a_copy(kata, check):
    """Catches the model itself, also where it has the dtype, another dtype than asked, and buffers left behind."""

    def look(model, dtype):
        copy = kata.copy_in(model, dtype)
        return {"came back": kind(copy, model), **(look_at(copy) if isinstance(copy, nn.Module) else {})}

    right = [{"came back": "another module", **looks(dtype)} for dtype in KINDS]
    check.each(named("copy_in", look), [(with_buffers(), dtype) for dtype in KINDS]).gives(right)


@DTYPES
def test_copy_in_leaves_the_model(kata, check, dtype):
    """Catches a model that was cast itself, also one that was cast back, which has lost digits by then."""
    model = with_buffers()
    copy = kata.copy_in(model, dtype)
    seen = {"came back": kind(copy, model), "memory shared": bool(memory(copy) & memory(model)), **look_at(model)}
    right = {"came back": "another module", "memory shared": False, **looks(torch.float32)}
    check.saw(kata.copy_in, seen, call=f"the model, in float32, after copy_in(model, {dtype})").gives(right)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_copy_in_stands_alone(kata, check, dtype):
    """Catches memory that is shared where the dtype does not change, and switches that are lost in the copy."""

    def look(model, dtype):
        twin = kata.copy_in(model, dtype)
        for tensor in [*model.parameters(), *model.buffers()]:
            tensor.data.zero_()
        return {
            "zeros in the copy": [name for name, t in state(twin).items() if not t.any()],
            "frozen": [name for name, p in twin.named_parameters() if not p.requires_grad],
            "in eval mode": [name for name, training in modes(twin).items() if not training],
        }

    right = {"zeros in the copy": [], "frozen": ["0.bias"], "in eval mode": ["1", "1.0", "1.1"]}
    call = "with all numbers of the model set to zero afterwards, copy_in"
    check(named(call, look), model=with_buffers(), dtype=dtype).gives(right)


# ---- tie


def to_tie(bias):
    return numbered(nn.Embedding(5, 3)), numbered(nn.Linear(3, 5, bias=bias), scale=-2.0)


@pytest.mark.fact("05.20")
@pytest.mark.parametrize("bias", [True, False])
def test_tie_makes_one_parameter(kata, check, bias):
    """Catches a copy of the numbers, a second Parameter over the same memory, and the output's weight for both."""
    embedding, output = to_tie(bias)
    before = {"the embedding's": state(embedding)["weight"], "the output's": state(output)["weight"]}
    shift = state(output).get("bias", torch.zeros(0))

    def whose(weight):
        return next((owner for owner, numbers in before.items() if torch.equal(weight, numbers)), "others")

    kata.tie(embedding, output)
    seen = {
        "one Parameter": output.weight is embedding.weight,
        "one memory": output.weight.data_ptr() == embedding.weight.data_ptr(),
        "numbers counted": sum(p.numel() for p in nn.ModuleList([embedding, output]).parameters()),
        "numbers": [whose(embedding.weight), whose(output.weight)],
        "bias kept": torch.equal(state(output).get("bias", torch.zeros(0)), shift),
    }
    right = {"one Parameter": True, "one memory": True, "numbers counted": 20 if bias else 15}
    right |= {"numbers": ["the embedding's", "the embedding's"], "bias kept": True}
    check.saw(kata.tie, seen, call=f"Embedding(5, 3) and Linear(3, 5, bias={bias})").gives(right)


def test_tie_adds_both_gradients(kata, check):
    """Catches weights that only have the same numbers: each would get the gradient of its own use alone."""
    embedding, output = to_tie(bias=True)
    ids, slope = torch.tensor([0, 2, 2, 4]), values(4, 5, shift=6)
    weight = embedding.weight.detach().clone()
    right = slope.T @ weight[ids]  # of the output's use
    for at, row in zip(ids.tolist(), slope @ weight, strict=True):
        right[at] += row  # of the embedding's

    kata.tie(embedding, output)
    (output(embedding(ids)) * slope).sum().backward()
    gradients = {"embedding.weight.grad": embedding.weight.grad, "output.weight.grad": output.weight.grad}
    seen = {name: "none" if gradient is None else gradient for name, gradient in gradients.items()}
    check.saw(kata.tie, seen, call="backward through both layers").gives(dict.fromkeys(seen, right))


def test_tie_refuses_other_shapes(kata, check):
    """Catches a weight that is taken over unseen: the error would come at the first batch, or not at all."""
    seen = {}
    for V, D, inputs, outputs in [(5, 4, 3, 5), (6, 3, 3, 5), (3, 5, 3, 5), (5, 3, 5, 3), (5, 3, 3, 5)]:
        pair = f"({V}, {D}), ({outputs}, {inputs})"
        embedding, output = nn.Embedding(V, D), nn.Linear(inputs, outputs)
        try:
            kata.tie(embedding, output)
            seen[pair] = "taken over" if output.weight is embedding.weight else "nothing"
        except ValueError as error:
            seen[pair] = "ValueError" + (": shape" if "shape" in str(error).lower() else "")

    right = dict.fromkeys(seen, "ValueError: shape") | {"(5, 3), (5, 3)": "taken over"}
    check.saw(kata.tie, seen, call="weights of these shapes").gives(right)


def test_tie_refuses_before_it_changes(kata, check):
    """Catches a check that comes too late: after the error the output would hold a weight that does not fit."""
    embedding, output = nn.Embedding(6, 3), nn.Linear(3, 5)
    weights = embedding.weight, output.weight
    try:
        kata.tie(embedding, output)
    except ValueError:
        seen = {"the embedding's": embedding.weight is weights[0], "the output's": output.weight is weights[1]}
    else:
        seen = {"the embedding's": "no error", "the output's": "no error"}

    call = "Embedding(6, 3) and Linear(3, 5); whether each still has its own weight after the error"
    check.saw(kata.tie, seen, call=call).gives({"the embedding's": True, "the output's": True})


# ---- seeded


def make():
    return nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))


def first_numbers(seed):
    torch.manual_seed(seed)
    return make()[0].weight.detach()


@pytest.mark.parametrize("seed", [7, 0, 12345])
def test_seeded_by_the_seed_alone(kata, check, seed):
    """Catches a seed that is fixed, comes too late, or goes to a generator that no one draws from."""
    right = [first_numbers(seed), first_numbers(seed)]

    torch.manual_seed(99)
    first = kata.seeded(make, seed)
    torch.rand(5)
    models = [first, kata.seeded(make, seed)]
    seen = [model[0].weight.detach() if isinstance(model, nn.Module) else "no module" for model in models]
    call = f"make Linear(2, 3) and Linear(3, 1), seed={seed}, twice, with other draws between; the first weights"
    check.saw(kata.seeded, seen, call=call).gives(right, exact=True)


def draws(count):
    """The next of the stream; no numbers where torch.seed() has chosen the seed, another in each run."""
    return torch.rand(count) if torch.initial_seed() < 2**32 else "others in each run"


class Unbuildable(Exception):
    """What make raises."""


def fail():
    torch.rand(2)
    raise Unbuildable("no such layer")


@pytest.mark.parametrize("drawn", [0, 4])
def test_seeded_leaves_the_stream(kata, check, drawn):
    """Catches a stream that goes on from the seed or starts anew, and one put back only where make does not raise."""
    torch.manual_seed(42)
    stream = torch.rand(drawn + 6)[drawn:]
    right = {"3 draws afterwards": stream[:3], "make raises": "Unbuildable", "3 draws after that": stream[3:]}

    torch.manual_seed(42)
    torch.rand(drawn)
    kata.seeded(make, 7)
    seen = {"3 draws afterwards": draws(3), "make raises": "nothing"}
    try:
        kata.seeded(fail, 7)
    except Unbuildable:
        seen["make raises"] = "Unbuildable"
    seen["3 draws after that"] = draws(3)
    call = f"torch.manual_seed(42), {drawn} draws, then seeded(make, 7) and once more with a make that raises"
    check.saw(kata.seeded, seen, call=call).gives(right, exact=True)


def test_seeded_calls_make_once(kata, check):
    """Catches a model that is made twice, which may take long and memory for both."""
    calls = []

    def counted():
        calls.append(1)
        return make()

    kata.seeded(counted, 7)
    check.saw(kata.seeded, len(calls), call="how often make is called").gives(1)
