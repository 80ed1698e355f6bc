"""The specification of outside_the_graph.py."""

import numpy as np
import pytest
import torch
from torch import nn

BY_HAND = {"sgd_step": ("optim",)}

# constant and snapshot take a leaf and the result of an operation, with the values that they are to give
VALUES = {"leaf": [[0.5, -2.0, 3.0], [1.25, 0.0, -7.0]], "interior": [[-1.0, 4.0, -6.0], [-2.5, 0.0, 14.0]]}


def leaf(values, dtype=torch.float32):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def tensor_of(kind, dtype=torch.float32):
    w = leaf(VALUES["leaf"], dtype)
    return w if kind == "leaf" else w * -2


def run(check, function, **inputs):
    """What a call gives, where something else than that is judged; an error is judged at once."""
    seen = check(function, **inputs)
    try:
        return seen.value
    except Exception:
        return seen.gives(None)


# ---- constant


@pytest.mark.fact("02.16")
@pytest.mark.parametrize("kind", VALUES)
def test_constant_is_a_view_without_a_graph(kata, check, kind):
    """Catches a copy, and a result that is still part of the graph."""
    x = tensor_of(kind)
    check(kata.constant, x=x).gives(torch.tensor(VALUES[kind]), exact=True, graph=False, shares=x)


@pytest.mark.fact("02.16")
def test_constant_stops_the_gradient(kata, check):
    """Catches a factor through which the gradient flows: x * constant(x) has the slope x, x * x has 2x."""
    x = leaf([0.5, -3.0, 2.0])
    y = x * 2
    still = run(check, kata.constant, x=y)
    (y * still + 0 * x).sum().backward()  # the last term leads to x whatever has become of y
    call = "x.grad of (y * constant(y)).sum(), y = 2x, x = [0.5, -3., 2.]"
    check.saw(kata.constant, x.grad, call=call).gives(torch.tensor([2.0, -12.0, 8.0]), exact=True)


# ---- snapshot


@pytest.mark.fact("02.16")
@pytest.mark.parametrize("kind", VALUES)
def test_snapshot_has_memory_of_its_own_and_no_graph(kata, check, kind):
    """Catches copy.deepcopy, which refuses the result of an operation, and a clone that is still part of the graph."""
    x = tensor_of(kind)
    check(kata.snapshot, x=x).gives(torch.tensor(VALUES[kind]), exact=True, graph=False, apart=x)


def test_snapshot_stays_as_it_was(kata, check):
    """Catches a view: the best weights would go on changing with the training."""
    w = leaf(VALUES["leaf"], torch.float64)
    kept = run(check, kata.snapshot, x=w)
    with torch.no_grad():
        w += 1000
    call = "the snapshot after w += 1000"
    check.saw(kata.snapshot, kept, call=call).gives(torch.tensor(VALUES["leaf"], dtype=torch.float64), exact=True)


# ---- to_numpy


@pytest.mark.fact("02.16")
@pytest.mark.parametrize("kind", VALUES)
def test_to_numpy_of_a_tensor_that_requires_a_gradient(kata, check, kind):
    """Catches .numpy() on a tensor of a graph, which it refuses."""
    seen = {"array": run(check, kata.to_numpy, x=tensor_of(kind))}
    call = f"x is float32 and requires a gradient, {VALUES[kind]}"
    check.saw(kata.to_numpy, seen, call=call).gives({"array": np.array(VALUES[kind], np.float32)}, exact=True)


@pytest.mark.parametrize("dtype", ["bool", "int32", "int64", "float16", "float64"])
def test_to_numpy_keeps_the_dtype(kata, check, dtype):
    """Catches float32 for everything: 0.1 and 2**60 + 1 would be rounded."""
    values = {"bool": [True, False], "int32": [-7, 2**30 + 1], "int64": [2**60 + 1, -3]}.get(dtype, [0.1, -65504.0])
    x = torch.tensor(values, dtype=getattr(torch, dtype))
    seen = {"array": run(check, kata.to_numpy, x=x)}
    check.saw(kata.to_numpy, seen, call=f"x of dtype {dtype}").gives({"array": np.array(values, dtype)}, exact=True)


@pytest.mark.parametrize("kind", VALUES)
def test_to_numpy_leaves_x_in_its_graph(kata, check, kind):
    """Catches detach_(), which takes the caller's own tensor out of its graph."""
    x = tensor_of(kind)
    run(check, kata.to_numpy, x=x)
    call = "x.requires_grad and x.is_leaf afterwards"
    check.saw(kata.to_numpy, [x.requires_grad, x.is_leaf], call=call).gives([True, kind == "leaf"])


@pytest.mark.parametrize("values", [[[131072.0, -0.0078125, 3.5]], -2.25], ids=["batch", "scalar"])
def test_to_numpy_of_bfloat16(kata, check, values):
    """Catches bfloat16 handed to NumPy, which has no such dtype, or squeezed into float16, which ends at 65504."""
    seen = {"array": run(check, kata.to_numpy, x=leaf(values, torch.bfloat16))}
    call = f"x is bfloat16 and requires a gradient, {values}"
    check.saw(kata.to_numpy, seen, call=call).gives({"array": np.array(values, np.float32)}, exact=True)


# ---- predict


class Model(nn.Module):
    """tanh(x @ w); remembers of each call whether gradient mode was on, and whether it was in train mode."""

    def __init__(self, trained=True):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[0.5, -1.0], [0.25, 2.0], [-1.5, 0.75]]), requires_grad=trained)
        self.recorded, self.modes = [], []

    def forward(self, x):
        self.recorded.append(torch.is_grad_enabled())
        self.modes.append(self.training)
        return torch.tanh(x @ self.w)


X = np.array([[0.5, 1.0, -0.25], [-2.0, 0.75, 0.125]], np.float32)
Y = np.tanh(X @ np.array([[0.5, -1.0], [0.25, 2.0], [-1.5, 0.75]], np.float32))


@pytest.mark.fact("05.16")
@pytest.mark.parametrize("n", [2, 1])
def test_predict_gives_the_output_without_a_graph(kata, check, n):
    """Catches an output that is still part of a graph."""
    x = torch.from_numpy(X[:n].copy())
    check(kata.predict, model=Model(), x=x).gives(torch.from_numpy(Y[:n].copy()), graph=False)


@pytest.mark.fact("05.16")
@pytest.mark.parametrize("trained", [True, False])
def test_predict_records_nothing(kata, check, trained):
    """Catches a graph that is built and then cut off: it costs its memory all the same. eval() does not prevent it."""
    model, x = Model(trained), torch.from_numpy(X.copy()).requires_grad_()
    out = run(check, kata.predict, model=model, x=x)
    seen = {"gradient mode in the model": model.recorded, "train mode": model.training, "graph": out.requires_grad}
    right = {"gradient mode in the model": [False], "train mode": True, "graph": False}
    check.saw(kata.predict, seen, call="a model in train mode, x requires a gradient").gives(right)
    seen = {"the weights require a gradient": model.w.requires_grad, "x requires a gradient": x.requires_grad}
    right = {"the weights require a gradient": trained, "x requires a gradient": True}
    check.saw(kata.predict, seen, call="afterwards").gives(right)


@pytest.mark.parametrize("training", [True, False])
def test_predict_leaves_the_mode_of_the_model(kata, check, training):
    """Catches eval() and train(), which are the caller's to call, also where the one undoes the other."""
    model = Model().train(training)
    run(check, kata.predict, model=model, x=torch.from_numpy(X.copy()))
    seen = {"train mode in the call": model.modes, "train mode afterwards": model.training}
    right = {"train mode in the call": [training], "train mode afterwards": training}
    check.saw(kata.predict, seen, call=f"a model in {'train' if training else 'eval'} mode").gives(right)


class Refuses(nn.Module):
    """A model that takes no batch."""

    def forward(self, x):
        raise ValueError("a batch of another width")


def test_predict_restores_gradient_mode(kata, check):
    """Catches a mode that stays off, one that is turned on unasked, and one that is put back where no error comes."""
    seen = {}
    for before in (True, False):
        with torch.set_grad_enabled(before):
            kata.predict(Model(), torch.from_numpy(X.copy()))
            seen[f"{before} before"] = torch.is_grad_enabled()
    try:
        kata.predict(Refuses(), torch.from_numpy(X.copy()))
        seen["True before, and the model raises"] = "its error did not come"
    except ValueError:
        seen["True before, and the model raises"] = torch.is_grad_enabled()
    right = {"True before": True, "False before": False, "True before, and the model raises": True}
    check.saw(kata.predict, seen, call="torch.is_grad_enabled() afterwards").gives(right)


# ---- cache_features


@pytest.mark.fact("05.16")
def test_cache_features_gives_all_of_them(kata, check):
    """Catches a last batch alone, and features that are still part of the encoder's graph."""
    batches = [X + 1, X[1:] / 2, X - 0.5]
    right = np.concatenate([np.tanh(batch @ Model().w.detach().numpy()) for batch in batches])
    given = [torch.from_numpy(batch) for batch in batches]
    check(kata.cache_features, encoder=Model(), batches=given).gives(torch.from_numpy(right), graph=False)


def test_cache_features_leaves_the_encoder(kata, check):
    """Catches an encoder that is frozen for good, and features that are to be trained themselves."""
    encoder = Model()
    features = run(check, kata.cache_features, encoder=encoder, batches=[torch.from_numpy(X.copy())])
    seen = {"the weights require a gradient": encoder.w.requires_grad}
    right = {"the weights require a gradient": True}
    if isinstance(features, torch.Tensor):
        seen |= {"the features require one": features.requires_grad, "they are a leaf": features.is_leaf}
    right |= {"the features require one": False, "they are a leaf": True}
    check.saw(kata.cache_features, seen, call="afterwards").gives(right)


def two_steps_of_a_head(features):
    """The gradients of a head in two steps of training on the features."""
    head, gradients = leaf([1.0, -0.5]), []
    for _ in range(2):
        head.grad = None
        ((features @ head) ** 2).sum().backward()
        gradients.append(head.grad)
        with torch.no_grad():
            head -= 0.25
    return torch.stack(gradients)


@pytest.mark.fact("05.16")
def test_cache_features_for_a_head_that_trains(kata, check):
    """Catches features made in inference_mode, which no graph may save, and a graph that is freed by the first step."""
    batches = [torch.from_numpy(X[:1].copy()), torch.from_numpy(X[1:].copy())]
    features = run(check, kata.cache_features, encoder=Model(), batches=batches)
    right = [2 * Y.T @ (Y @ np.array(head, np.float32)) for head in ([1.0, -0.5], [0.75, -0.75])]
    check(two_steps_of_a_head, features=features).gives(torch.from_numpy(np.stack(right)))


# ---- chunk_gradients


def decay(w, chunk, h):
    """h <- w * h + x for each x of a chunk."""
    for x in chunk:
        h = w * h + x
    return h


def test_chunk_gradients_of_a_decay(kata, check):
    """Catches a graph that reaches back into the chunk before, a state that starts anew, and gradients that add up."""
    w, h = torch.tensor([0.5, -1.5]), torch.tensor([2.0, -1.0])
    chunks = [[[1.0, 3.0], [-2.0, 0.5]], [[4.0, -1.0]], [[0.5, 2.0], [1.0, -3.0], [2.0, 1.0]]]
    chunks = [torch.tensor(chunk) for chunk in chunks]
    right, state = [], h
    for chunk in chunks:
        slope = torch.zeros(2)  # of the state, which is a constant where the chunk begins
        for x in chunk:
            state, slope = w * state + x, state + w * slope
        right.append(2 * state * slope)
    found = run(check, kata.chunk_gradients, cell=decay, w=w, chunks=chunks, h=h)
    call = "h <- w * h + x for each row x of a chunk; chunks of 2, 1 and 3 rows"
    check.saw(kata.chunk_gradients, found, call=call).gives(right)


def test_chunk_gradients_leaves_w_and_h_alone(kata, check):
    """Catches the caller's own w made a leaf that requires a gradient."""
    w, h = torch.tensor([0.5, -1.5]), torch.tensor([2.0, -1.0])
    run(check, kata.chunk_gradients, cell=decay, w=w, chunks=[torch.tensor([[1.0, 3.0]])], h=h)
    seen = {"w": w.detach(), "h": h.detach()}
    seen |= {"w requires a gradient": w.requires_grad, "h requires a gradient": h.requires_grad}
    right = {"w": torch.tensor([0.5, -1.5]), "h": torch.tensor([2.0, -1.0])}
    right |= {"w requires a gradient": False, "h requires a gradient": False}
    check.saw(kata.chunk_gradients, seen, call="the caller's w and h after the call").gives(right, exact=True)


# ---- set_row


@pytest.mark.parametrize("row", [0, 2])
def test_set_row_in_place(kata, check, row):
    """Catches an assignment that torch refuses, one that reaches a copy alone, and a leaf that is none afterwards."""
    w = leaf([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    w.grad = torch.tensor([[7.0, 8.0], [-1.0, -2.0], [9.0, 10.0]])
    run(check, kata.set_row, w=w, row=row, values=torch.tensor([0.5, -0.25]))
    seen = {"w": w.detach(), "leaf": w.is_leaf, "requires_grad": w.requires_grad, "w.grad": w.grad}
    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    rows[row] = [0.5, -0.25]
    grad = torch.tensor([[7.0, 8.0], [-1.0, -2.0], [9.0, 10.0]])
    right = {"w": torch.tensor(rows), "leaf": True, "requires_grad": True, "w.grad": grad}
    call = f"w = [[1., 2.], [3., 4.], [5., 6.]], row = {row}, values = [0.5, -0.25]"
    check.saw(kata.set_row, seen, call=call).gives(right, exact=True)


def test_set_row_leaves_gradient_mode(kata, check):
    """Catches a mode that is turned off for the assignment and stays off."""

    def set_row(w, row, values):
        kata.set_row(w, row, values)
        return torch.is_grad_enabled()

    set_row.__name__ = "torch.is_grad_enabled() after set_row"
    given = {"w": leaf([[1.0, 2.0], [3.0, 4.0]]), "row": 1, "values": torch.tensor([0.5, -0.25])}
    given["w"].grad = torch.tensor([[7.0, 8.0], [-1.0, -2.0]])
    check(set_row, **given).gives(True, changes=["w"])


# ---- sgd_step


def test_sgd_step_leaves_gradient_mode(kata, check):
    """Catches a mode that is turned off for the step and stays off."""

    def sgd_step(params, lr):
        for p in params:
            p.grad = torch.full(p.shape, 2.0)
        kata.sgd_step(params, lr)
        return torch.is_grad_enabled()

    sgd_step.__name__ = "torch.is_grad_enabled() after sgd_step"
    check(sgd_step, params=[leaf([1.0, -2.0])], lr=0.5).gives(True, changes=["params"])


@pytest.mark.parametrize("lr", [0.5, 3.0])
def test_sgd_step_over_several_steps(kata, check, lr):
    """Catches a step that never reaches the leaves, one that stops at a .grad of None, and one that turns uphill."""
    params = [leaf([[1.0, -2.0, 0.5]]), leaf([4.0, 3.0]), leaf(-1.5)]
    gradients = [
        [torch.tensor([[0.5, 1.0, -4.0]]), None, torch.tensor(2.0)],
        [torch.tensor([[-2.0, 0.25, 8.0]]), torch.tensor([16.0, -0.5]), None],
        [torch.tensor([[1.0, 1.5, 0.125]]), torch.tensor([2.0, -4.0]), torch.tensor(-0.75)],
    ]
    right = [p.detach().clone() for p in params]
    for step in gradients:
        for p, gradient in zip(params, step, strict=True):
            p.grad = None if gradient is None else gradient.clone()
        run(check, kata.sgd_step, params=list(params), lr=lr)
        right = [r if g is None else r - lr * g for r, g in zip(right, step, strict=True)]
    call = f"three steps of [w, v, b], lr={lr}, v.grad is None in the first and b.grad in the second"
    check.saw(kata.sgd_step, [p.detach() for p in params], call=call).gives(right)


def test_sgd_step_in_the_same_leaves(kata, check):
    """Catches new tensors in the place of the old, leaves that lost their gradient, and a .grad that was changed."""
    params = [leaf([[1.0, -2.0, 0.5]]), leaf([4.0, 3.0])]
    for p in params:
        p.grad = torch.full(p.shape, 2.0)
    given = list(params)
    run(check, kata.sgd_step, params=given, lr=0.25)
    call = "w = [[1., -2., 0.5]] and b = [4., 3.] after one step of lr=0.25, all gradients are 2"
    seen = {"same objects": [a is b for a, b in zip(given, params, strict=True)], "leaves": [p.is_leaf for p in params]}
    seen["require a gradient"] = [p.requires_grad for p in params]
    right = {key: [True, True] for key in seen}
    check.saw(kata.sgd_step, seen, call=call).gives(right)
    values = [torch.tensor([[0.5, -2.5, 0.0]]), torch.tensor([3.5, 2.5])]
    right = {"[w, b]": values, "gradients": [torch.full((1, 3), 2.0), torch.full((2,), 2.0)]}
    seen = {"[w, b]": [p.detach() for p in params], "gradients": [p.grad for p in params]}
    check.saw(kata.sgd_step, seen, call=call).gives(right)
