"""The specification of state.py."""

import functools
import os
import pickle
import re
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from torch import nn

from torchkatas.observe import ALIKE, compared, graph_size

WEIGHTS = Path("weights.pt")


@contextmanager
def working_in(folder):
    """Files are named as learners name them, and errors that quote them read the same in each folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


def draw(*shape, seed=0):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed))


def learnt(model, seed):
    """The model, with numbers of its own in all parameters and float buffers."""
    stream = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            if tensor.is_floating_point():
                tensor.copy_(torch.rand(tensor.shape, generator=stream) + 0.25)
    return model


class Net(nn.Module):
    """Layers, a frozen scale, a buffer that is kept, one that is not, a plain tensor; seven rows seen so far."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(1.0), requires_grad=False)
        self.register_buffer("mean", torch.zeros(3))
        self.register_buffer("mask", torch.ones(4, 4), persistent=False)
        self.offset = torch.zeros(2)
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5))
        self.head = nn.Linear(4, 2, bias=False)
        self.body[1].num_batches_tracked.fill_(7)

    def forward(self, x):
        return self.head(self.body(x - self.mean)) * self.scale + self.offset


class Tied(nn.Module):
    """A language model in small: what reads the tokens also writes them."""

    def __init__(self):
        super().__init__()
        self.read = nn.Embedding(5, 3)
        self.write = nn.Linear(3, 5)
        self.write.weight = self.read.weight


NET = {
    "scale": (),
    "mean": (3,),
    "body.0.weight": (4, 3),
    "body.0.bias": (4,),
    "body.1.weight": (4,),
    "body.1.bias": (4,),
    "body.1.running_mean": (4,),
    "body.1.running_var": (4,),
    "body.1.num_batches_tracked": (),
    "head.weight": (2, 4),
}


def state_of(model):
    """A copy of the state dict, put together by hand."""
    named = {**dict(model.named_parameters()), **dict(model.named_buffers())}
    return {name: named[name].detach().clone() for name in NET}


def in_file(path):
    """What torch.load(path, weights_only=True) gives; where it gives nothing, why, in words."""
    if not path.is_file():
        return "there is no file"
    try:
        return torch.load(path, weights_only=True)
    except pickle.UnpicklingError as error:
        asks = re.search(r"GLOBAL ([\w.]+)", str(error))
        return f"refused: it asks for {asks[1] if asks else 'code'}"


# ---- contents


@pytest.mark.fact("05.18")
def test_contents_of_a_table_of_models(kata, check):
    """Catches buffers left out, those that are not persistent, frozen or shared parameters passed over."""
    norm = {"1.weight": (2,), "1.bias": (2,), "1.running_mean": (2,), "1.running_var": (2,)}
    rows = {
        nn.Linear(3, 2): {"weight": (2, 3), "bias": (2,)},
        nn.Dropout(0.5): {},
        nn.Sequential(nn.Linear(3, 2, bias=False), nn.BatchNorm1d(2)): {
            "0.weight": (2, 3),
            **norm,
            "1.num_batches_tracked": (),
        },
        Tied(): {"read.weight": (5, 3), "write.weight": (5, 3), "write.bias": (5,)},
        nn.Linear(3, 2).requires_grad_(False): {"weight": (2, 3), "bias": (2,)},
        Net(): NET,
    }
    check.each(kata.contents, list(rows)).gives(list(rows.values()))


# ---- save


@pytest.mark.fact("05.18")
@pytest.mark.parametrize("mode", ["train", "eval"])
def test_save_writes_the_state_dict(kata, check, tmp_path, mode):
    """Catches a pickled model, which torch.load refuses, and a file without the running statistics."""
    model = learnt(Net(), seed=1).train(mode == "train")
    before = state_of(model)
    with working_in(tmp_path):
        check(kata.save, model=model, path=WEIGHTS).value  # noqa: B018
        kept = in_file(WEIGHTS)
    seen = {
        "the file": kept if isinstance(kept, str) else compared(kept, before),
        "the model afterwards": compared(state_of(model), before),
        "its mode": "train" if model.training else "eval",
    }
    right = {"the file": ALIKE, "the model afterwards": ALIKE, "its mode": mode}
    check.saw(kata.save, seen, call="torch.load(path, weights_only=True) beside the state dict").gives(right)


# ---- restore


def kept(folder, seed):
    """A file of the state of a model, and the model, in eval mode."""
    model = learnt(Net(), seed).eval()
    torch.save(state_of(model), folder / WEIGHTS)
    return model


def looked_at(model, inputs):
    """What is seen of a restored model; of something else, what it is."""
    if not isinstance(model, nn.Module):
        return {"returned": type(model).__name__}
    seen = {"returned": type(model).__name__, "eval mode": not any(m.training for m in model.modules())}
    torch.manual_seed(3)  # of a dropout that is still on
    with torch.no_grad():
        return {**seen, "predictions": [model(x) for x in inputs]}


def looking(restore):
    """The function, with what is seen of its model in place of the model."""

    @functools.wraps(restore)
    def call(build, path):
        return looked_at(restore(build, path), [draw(2, 3)])

    return call


@pytest.mark.fact("05.19")
def test_restore_predicts_to_the_bit(kata, check, tmp_path):
    """Catches the report of keys handed on for the model, and a model that is new or still in train mode."""
    model, inputs = kept(tmp_path, seed=2), [draw(3, 3), draw(2, 3, seed=1)]
    right = looked_at(model, inputs)
    with working_in(tmp_path):
        back = check(kata.restore, build=Net, path=WEIGHTS).value
    seen = looked_at(back, inputs)
    check.saw(kata.restore, seen, call="a model with dropout and batch norm").gives(right, exact=True)


@pytest.mark.fact("05.19")
def test_restore_takes_all_of_the_state(kata, check, tmp_path):
    """Catches buffers that stay as they were in the new model, and one that is not built anew by `build`."""
    right, built = state_of(kept(tmp_path, seed=4)), []

    def build():
        built.append(learnt(Net(), seed=5))
        return built[-1]

    with working_in(tmp_path):
        back = check(kata.restore, build=build, path=WEIGHTS).value
    seen = {"models built": len(built), "state": compared(state_of(back) if isinstance(back, Net) else back, right)}
    check.saw(kata.restore, seen, call="the model's state beside the file").gives({"models built": 1, "state": ALIKE})


@pytest.mark.fact("05.19")
@pytest.mark.parametrize("case", ["lacks head.weight", "has head.bias"])
def test_restore_refuses_another_architecture(kata, check, tmp_path, case):
    """Catches strict=False, which leaves the head as it was built and says nothing."""
    state = state_of(learnt(Net(), seed=6))
    if case == "lacks head.weight":
        del state["head.weight"]
    else:
        state["head.bias"] = draw(2)
    torch.save(state, tmp_path / WEIGHTS)
    with working_in(tmp_path):
        check(looking(kata.restore), build=Net, path=WEIGHTS).raises(RuntimeError, case.split()[1])


def test_restore_without_a_file(kata, check, tmp_path):
    """Catches a new, untrained model handed out where the file is not there."""
    with working_in(tmp_path):
        check(looking(kata.restore), build=Net, path=WEIGHTS).raises(FileNotFoundError)


class Code:
    """Unpickling this makes a folder."""

    def __reduce__(self):
        return os.mkdir, ("the-code-ran",)


@pytest.mark.fact("05.19")
def test_restore_runs_no_code(kata, check, tmp_path):
    """Catches weights_only=False: the file's code runs before anything could look at it."""
    torch.save({**state_of(learnt(Net(), seed=7)), "note": Code()}, tmp_path / WEIGHTS)
    with working_in(tmp_path):
        called = check(looking(kata.restore), build=Net, path=WEIGHTS)
        ran = {"the code ran": Path("the-code-ran").exists()}
    check.saw(kata.restore, ran, call="a file that makes a folder when it is read").gives({"the code ran": False})
    called.raises(pickle.UnpicklingError)


# ---- remember


@pytest.mark.fact("05.18")
def test_remember_stays_when_training_goes_on(kata, check):
    """Catches the state dict itself, whose tensors are the model's, and names put together by hand, too many or few."""
    seen, graphs = {}, {}
    for kind in (Net, Tied):
        model = learnt(kind(), seed=8)
        right = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        best = check(kata.remember, model=model).value
        learnt(model, seed=9)
        for tensor in model.buffers():
            tensor.add_(1)
        seen[kind.__name__], graphs[kind.__name__] = compared(best, right), graph_size(best)

    call = "the kept state beside the one that it was, after more training; Tied has one weight under two names"
    check.saw(kata.remember, seen, call=call).gives({"Net": ALIKE, "Tied": ALIKE})
    check.saw(kata.remember, graphs, call="graph nodes on the kept state").gives({"Net": 0, "Tied": 0})


def test_remember_leaves_the_model(kata, check):
    """Catches a state that is taken out of the model, or out of its graph, to be kept."""
    model = learnt(Net(), seed=10)
    before, trained = state_of(model), [name for name, p in model.named_parameters() if p.requires_grad]
    check(kata.remember, model=model).value  # noqa: B018
    seen = {
        "state": compared(state_of(model), before),
        "trained": [name for name, p in model.named_parameters() if p.requires_grad],
    }
    check.saw(kata.remember, seen, call="the model afterwards").gives({"state": ALIKE, "trained": trained})


# ---- save_rows


@pytest.mark.parametrize(("n", "trained"), [(4, False), (1, False), (2, True)])
def test_save_rows_writes_them_alone(kata, check, tmp_path, n, trained):
    """Catches the table's whole memory, which torch.save writes for a view of it, however small the view."""
    table = draw(5000, 3, seed=11).requires_grad_(trained)
    right = {"rows": table[:n].detach().clone(), "numbers in the file": n * 3}
    with working_in(tmp_path):
        check(kata.save_rows, table=table, n=n, path=WEIGHTS).value  # noqa: B018
        rows = in_file(WEIGHTS)
    seen = {"rows": rows, "numbers in the file": 0}
    if isinstance(rows, torch.Tensor):
        seen["numbers in the file"] = rows.untyped_storage().nbytes() // rows.element_size()
    check.saw(kata.save_rows, seen, call=f"a table of shape (5000, 3), n={n}").gives(right, exact=True)
