"""What a spec observes of training: order, gradients at each step, modes, state, graph."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from torchkatas.observe import ALIKE, Graphs, Trace, compared, graph_size, modes, state


@pytest.fixture
def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.5), nn.Linear(3, 1))


X = torch.tensor([[1.0, -2.0], [0.5, 3.0], [-1.0, 0.25]])


def test_a_trace_tells_the_order(model):
    """Catches a step before backward, and gradients that were cleared in between."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with Trace(model, optimizer) as trace:
        loss = model(X).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for parameter in model.parameters():
            parameter.grad.zero_()
        model.zero_grad()
        optimizer.step()

    assert trace.events == ["forward", "zero_grad", "backward", "step", "zero_grad", "step"]
    assert set(trace.gradients[1].values()) == {None}
    assert trace.gradients[0]["3.bias"].item() == 3.0


def test_two_passes_are_two_events(model):
    """Catches a backward that ran twice, seen as one because no parameter was reached anew."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with Trace(model, optimizer) as trace:
        loss = model(X).sum()
        loss.backward(retain_graph=True)
        loss.backward()

    assert trace.events == ["forward", "backward", "backward"]


def test_a_trace_tells_every_mode_at_each_forward(model):
    """Catches a submodule that stayed in eval mode."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model[2].eval()
    with Trace(model, optimizer) as trace:
        model(X)
        model.eval()
        model(X)

    assert trace.modes[0] == {"": True, "0": True, "1": True, "2": False, "3": True}
    assert set(trace.modes[1].values()) == {False}
    assert modes(model) == trace.modes[1]


def test_nothing_is_traced_afterwards(model):
    """Catches hooks and wrappers that stay on the learner's model."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with Trace(model, optimizer) as trace:
        pass
    model(X).sum().backward()
    optimizer.step()

    assert trace.events == []
    assert "zero_grad" not in vars(model)
    assert "zero_grad" not in vars(optimizer)


def test_state_is_a_copy_of_all(model):
    """Catches an alias that changes with the model, and a buffer left out, such as one that no file keeps."""
    model.register_buffer("hidden", torch.zeros(1), persistent=False)
    before = state(model)
    model(X)

    assert set(before) == {name for name, _ in [*model.named_parameters(), *model.named_buffers()]}
    assert compared(state(model), before)["different"] == ["1.running_mean", "1.running_var", "1.num_batches_tracked"]
    assert compared(before, before) == ALIKE


def test_states_are_compared_by_name_and_bit():
    """Catches a key that is missing, one too many, another dtype, and a value that is merely close."""
    right = {"w": torch.ones(2), "b": torch.zeros(1), "n": torch.tensor(3)}
    got = {"w": torch.ones(2) + 1e-6, "n": torch.tensor(3.0), "extra": torch.ones(1)}

    assert compared(got, right) == {"missing": ["b"], "too many": ["extra"], "different": ["w", "n"]}
    assert compared(None, right) == {"it is of type": "NoneType"}


def test_a_graph_is_counted_wherever_it_hangs():
    """Catches a loss history of tensors: the graph of every step lives on in it."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    square = w * w

    assert graph_size([1.0, {"a": (w, w.detach())}]) == 0
    assert graph_size(square) == 2  # the product, and where the gradient of w is added up
    assert graph_size((square, w)) == 2
    assert graph_size({"losses": [square.sum(), square.mean()]}) == 4


def test_graphs_are_counted_as_long_as_they_live():
    """Catches a graph that still hangs on a total after its backward pass."""
    w, graphs = torch.tensor([1.0, 2.0], requires_grad=True), Graphs()
    total = graphs.tie(3 * w).sum()
    total.backward()
    loss = graphs.tie(w * w).sum()

    assert torch.equal(w.grad, torch.tensor([3.0, 3.0]))
    assert len(graphs) == 2
    total = loss.item()
    assert len(graphs) == 1
    del loss
    assert (len(graphs), total) == (0, 5.0)
