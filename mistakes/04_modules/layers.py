"""Wrong answers to katas/04_modules/layers.py."""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import wrong

# ---- Affine


def between(bound, *shape):
    return torch.empty(shape).uniform_(-bound, bound)


@wrong(
    "m04-plain-tensor-param",
    replaces="Affine",
    says="That tensor is no parameter of the module: a plain tensor as an attribute is not registered, even if it "
    "requires a gradient, so it is neither trained nor saved. Wrap it in nn.Parameter.",
    fact="05.7",
)
class PlainTensors(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = between(bound, outputs, inputs).requires_grad_()
        self.bias = between(bound, outputs).requires_grad_() if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "weight-lies-on-its-side",
    replaces="Affine",
    says="The weight has the shape (inputs, outputs). torch keeps it as (outputs, inputs), one row for each output, "
    "and multiplies with its transpose.",
)
class OnItsSide(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, inputs, outputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight
        return y if self.bias is None else y + self.bias


@wrong(
    "weight-not-transposed",
    replaces="Affine",
    says="The weight is stored as (outputs, inputs), so x, whose rows have as many values as there are inputs, meets "
    "the wrong axis of it: multiply with weight.T.",
)
class NotTransposed(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight
        return y if self.bias is None else y + self.bias


@wrong(
    "weight-from-the-left",
    replaces="Affine",
    says="The weight stands on the left, weight @ x. That is right for a single example, but in a batch the examples "
    "are rows, and the columns of x do not fit the rows of the weight: it is x @ weight.T.",
)
class FromTheLeft(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = self.weight @ x
        return y if self.bias is None else y + self.bias


@wrong(
    "weight-for-matrices-alone",
    replaces="Affine",
    says="torch.mm multiplies two matrices and nothing else; x may have any number of axes. @ takes the last one and "
    "leaves those in front.",
)
class ForMatricesAlone(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = torch.mm(x, self.weight.T)
        return y if self.bias is None else y + self.bias


@wrong(
    "bias-not-added",
    replaces="Affine",
    says="The layer has a bias, but its result is x @ weight.T alone.",
)
class BiasNotAdded(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        return x @ self.weight.T


@wrong(
    "bias-always-there",
    replaces="Affine",
    says="There is a bias where bias=False asks for none.",
)
class BiasAlwaysThere(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs))

    def forward(self, x):
        return x @ self.weight.T + self.bias


@wrong(
    "bias-asked-for-its-truth",
    replaces="Affine",
    says="A tensor of several numbers has no truth value. Whether there is a bias is the question whether it is None: "
    "`if self.bias is not None`.",
)
class AskedForItsTruth(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        if self.bias:
            y = y + self.bias
        return y


@wrong(
    "bias-of-two-axes",
    replaces="Affine",
    says="The bias has the shape (1, outputs). It broadcasts to the same result, but nn.Linear's has the one axis "
    "(outputs,), and a file of saved weights only fits the shape that it was written with.",
)
class OfTwoAxes(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, 1, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "parameter-filled-on-the-record",
    replaces="Affine",
    says="A parameter requires a gradient as soon as it is made, and autograd refuses to have such a leaf "
    "overwritten. Draw first and wrap the finished tensor, nn.Parameter(torch.empty(...).uniform_(...)), or fill it "
    "under no_grad.",
)
class FilledOnTheRecord(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(outputs, inputs)).uniform_(-bound, bound)
        self.bias = nn.Parameter(torch.empty(outputs)).uniform_(-bound, bound) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "affine-weight-out-of-the-graph",
    replaces="Affine",
    says="The weight gets no gradient: forward uses its .data, or detaches it. Multiply with the parameter itself.",
)
class OutOfTheGraph(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.data.T
        return y if self.bias is None else y + self.bias


@wrong(
    "affine-cuts-off-x",
    replaces="Affine",
    says="The parameters get their gradients, but x gets none: it was cut off the graph, by .data or detach(). In a "
    "network all layers in front of this one would stand still.",
)
class AffineCutsOffX(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x.detach() @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "m16-constant-init",
    replaces="Affine",
    says="All numbers of the weight start with one value. Then every output is the same, gets the same gradient and "
    "stays the same as the others, however long it trains. Draw each number at random.",
)
class ConstantWeight(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.full((outputs, inputs), 0.1))
        self.bias = nn.Parameter(between(inputs**-0.5, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "weight-of-rows-alike",
    replaces="Affine",
    says="All rows of the weight start alike: one was drawn and repeated. A row is what one output makes of x, so "
    "every output is the same but for its bias, gets the same gradient and stays like the others. Draw each number on "
    "its own.",
)
class OfRowsAlike(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, inputs).repeat(outputs, 1))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "bias-starts-at-zero",
    replaces="Affine",
    says="All numbers of the bias start with one value, zero as a rule. Many do that, and it trains; but nn.Linear "
    "draws the bias too, from the same range as the weight, and so does this layer.",
)
class BiasStartsAtZero(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(between(inputs**-0.5, outputs, inputs))
        self.bias = nn.Parameter(torch.zeros(outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-of-unscaled-normals",
    replaces="Affine",
    says="The numbers spread far too wide. randn draws with a deviation of 1 for any number of inputs, and a sum over "
    "many of them then grows from layer to layer. The range is -1 / sqrt(inputs) to 1 / sqrt(inputs), and uniform.",
)
class UnscaledNormals(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs))
        self.bias = nn.Parameter(torch.randn(outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-of-scaled-normals",
    replaces="Affine",
    says="The scale fits, but the numbers are drawn from a normal distribution, which has no bound; asked is a uniform "
    "one between -1 / sqrt(inputs) and 1 / sqrt(inputs).",
)
class ScaledNormals(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.randn(outputs) / inputs**0.5) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-bound-by-outputs",
    replaces="Affine",
    says="The range is 1 / sqrt(outputs). An output is a sum over the inputs, so it is their number that the range has "
    "to make up for.",
)
class BoundByOutputs(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = outputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-bound-without-root",
    replaces="Affine",
    says="The range is 1 / inputs, without the root: so small that the layer's outputs, and the gradients behind it, "
    "begin near nothing.",
)
class BoundWithoutRoot(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = 1 / inputs
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-by-plain-kaiming",
    replaces="Affine",
    says="The range is sqrt(6 / inputs), which is kaiming_uniform_ with its default a=0. nn.Linear calls it with "
    "a=sqrt(5), and that makes 1 / sqrt(inputs) of it.",
)
class PlainKaiming(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(nn.init.kaiming_uniform_(torch.empty(outputs, inputs)))
        self.bias = nn.Parameter(between(inputs**-0.5, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-by-xavier",
    replaces="Affine",
    says="The range is sqrt(6 / (inputs + outputs)), Xavier's. nn.Linear looks at the inputs alone: 1 / sqrt(inputs).",
)
class ByXavier(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(outputs, inputs)))
        self.bias = nn.Parameter(between(inputs**-0.5, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "start-above-zero",
    replaces="Affine",
    says="All numbers start above zero: rand draws from 0 to 1. The range lies around zero, from -1 / sqrt(inputs) to "
    "1 / sqrt(inputs).",
)
class AboveZero(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(outputs, inputs) / inputs**0.5)
        self.bias = nn.Parameter(torch.rand(outputs) / inputs**0.5) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "layer-seeds-the-stream",
    replaces="Affine",
    says="Two layers made one after the other start with the same numbers: the layer seeds the random stream itself. "
    "Seeding is for whoever builds the model, once.",
)
class SeedsTheStream(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        torch.manual_seed(0)
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "layer-derived-from-linear",
    replaces="Affine",
    says="The class is derived from nn.Linear, which does all of the work; this kata asks you to write it by hand, on "
    "nn.Module alone.",
)
class DerivedFromLinear(nn.Linear):
    pass


@wrong(
    "layer-borrows-its-parameters",
    replaces="Affine",
    says="The parameters were made by an nn.Linear; this kata asks you to make them yourself, with nn.Parameter and a "
    "draw from the range.",
)
class BorrowsItsParameters(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        linear = nn.Linear(inputs, outputs, bias)
        self.weight, self.bias = linear.weight, linear.bias

    def forward(self, x):
        y = x @ self.weight.T
        return y if self.bias is None else y + self.bias


@wrong(
    "layer-calls-linear",
    replaces="Affine",
    says="F.linear does the work here; this kata asks you to write it by hand, with @ and +.",
)
class CallsLinear(nn.Module):
    def __init__(self, inputs, outputs, bias=True):
        super().__init__()
        bound = inputs**-0.5
        self.weight = nn.Parameter(between(bound, outputs, inputs))
        self.bias = nn.Parameter(between(bound, outputs)) if bias else None

    def forward(self, x):
        return F.linear(x, self.weight, self.bias)


# ---- Stack


@wrong(
    "m03-plain-list-only",
    replaces="Stack",
    says="The module has no parameters: its layers lie in a plain list, where they are not registered, so an optimizer "
    "gets nothing, and nothing is saved or cast. An nn.ModuleList is a list that registers them.",
    fact="05.7",
)
class PlainList(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = [nn.Linear(width, width) for _ in range(depth)]

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "m07-list-multiply",
    replaces="Stack",
    says="There is one layer only, which stands at every place: a list times n repeats the same object. Make a new "
    "layer at each turn of a loop.",
    fact="05.7",
)
class ListTimesDepth(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width)] * depth)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-of-copies",
    replaces="Stack",
    says="All layers start with the same weights, as copies of one layer do. Make each with nn.Linear, which draws its "
    "own.",
)
class OfCopies(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layer = nn.Linear(width, width)
        self.layers = nn.ModuleList(copy.deepcopy(layer) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-calls-the-modulelist",
    replaces="Stack",
    says="An nn.ModuleList cannot be called: it only keeps modules and has no forward, for it does not know in which "
    "order they are meant. Go through it in a loop.",
)
class CallsTheModuleList(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "stack-counts-its-relus",
    replaces="Stack",
    says="The ReLUs lie in `layers` too and take every second number, so that the weights are called layers.0, "
    "layers.2 and so on. A file of saved weights knows them by their names: keep the linear layers alone in there.",
)
class CountsItsReLUs(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.Sequential(*(layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.ReLU())))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "stack-with-a-layer-too-many",
    replaces="Stack",
    says="There is one layer more than depth says: range(n) already has n turns, from 0 to n - 1.",
)
class WithALayerTooMany(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth + 1))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-without-biases",
    replaces="Stack",
    says="The layers have no bias; asked is nn.Linear(width, width) as it is made by default, with one.",
)
class WithoutBiases(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-under-other-names",
    replaces="Stack",
    says="The module has no attribute `layers`, so the names of its parameters do not begin with `layers.`, and a "
    "file of saved weights knows them by their names. Assign an nn.ModuleList to self.layers, and put the layers in "
    "there.",
)
class UnderOtherNames(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.depth = depth
        for i in range(depth):
            setattr(self, f"layer{i}", nn.Linear(width, width))

    def forward(self, x):
        for i in range(self.depth):
            x = torch.relu(getattr(self, f"layer{i}")(x))
        return x


@wrong(
    "stack-without-relus",
    replaces="Stack",
    says="There is no ReLU behind the layers; without one, all of them together are a single linear layer.",
)
class WithoutReLUs(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@wrong(
    "stack-without-the-last-relu",
    replaces="Stack",
    says="The ReLU behind the last layer is missing: here one follows each layer, as in the middle of a network.",
)
class WithoutTheLastReLU(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x) if i == len(self.layers) - 1 else torch.relu(layer(x))
        return x


@wrong(
    "stack-with-one-relu",
    replaces="Stack",
    says="There is a ReLU at the very end alone; those between the layers are missing. It belongs into the loop.",
)
class WithOneReLU(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return torch.relu(x) if len(self.layers) else x


@wrong(
    "stack-of-side-by-side-layers",
    replaces="Stack",
    says="Only the last layer had a say: each was given the first x, not what the layer before had made of it.",
)
class SideBySide(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        y = x
        for layer in self.layers:
            y = torch.relu(layer(x))
        return y


@wrong(
    "stack-backwards",
    replaces="Stack",
    says="The layers are used from the last to the first; they lie in `layers` in the order in which they are used.",
)
class Backwards(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in reversed(self.layers):
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-ends-in-the-loop",
    replaces="Stack",
    says="Only the first layer was used. Does forward return at the first turn of its loop? The return belongs behind "
    "it.",
)
class EndsInTheLoop(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            return torch.relu(layer(x))
        return x


@wrong(
    "stack-adds-the-input",
    replaces="Stack",
    says="Each round adds what the layer makes to what came into it, as in a residual network. Here a round gives "
    "relu(layer(x)) alone.",
)
class AddsTheInput(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = x + torch.relu(layer(x))
        return x


@wrong(
    "stack-learns-in-the-last-layer-alone",
    replaces="Stack",
    says="The results are right, but only the last layer gets gradients: between the layers, and in front of the "
    "first, x was cut off the graph, by .data, detach() or no_grad.",
)
class LearnsInTheLastLayerAlone(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x.detach()))
        return x


@wrong(
    "stack-cuts-off-x",
    replaces="Stack",
    says="All layers get their gradients, but x gets none: it was cut off the graph before the first of them, by "
    ".data or detach(). Whatever stands in front of this stack could not learn.",
)
class StackCutsOffX(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        x = x.detach()
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x


@wrong(
    "stack-bends-off-the-record",
    replaces="Stack",
    says="The results are right, but the backward pass knows nothing of the ReLUs: they were done off the record, on "
    ".data or under no_grad. So a gradient goes back through units that are off, and the layers get wrong ones.",
)
class StackBendsOffTheRecord(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            x.data.clamp_(min=0)
        return x


# ---- Heads


@wrong(
    "heads-in-a-plain-dict",
    replaces="Heads",
    says="The module has no parameters: in a plain dict layers are not registered. An nn.ModuleDict is a dict that "
    "registers them.",
    fact="05.7",
)
class InAPlainDict(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = {task: nn.Linear(inputs, classes) for task, classes in tasks.items()}

    def forward(self, x, task):
        return self.heads[task](x)


@wrong(
    "heads-under-numbers",
    replaces="Heads",
    says="The heads are called 0, 1, 2: a list knows places only, and after a task is added in front, a saved file "
    "would fill the wrong ones. An nn.ModuleDict keeps them by name.",
)
class UnderNumbers(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.tasks = list(tasks)
        self.heads = nn.ModuleList(nn.Linear(inputs, classes) for classes in tasks.values())

    def forward(self, x, task):
        return self.heads[self.tasks.index(task)](x)


@wrong(
    "heads-at-the-top",
    replaces="Heads",
    says="The module has no attribute `heads`, so the names of its parameters lack the `heads.` in front. Assign an "
    "nn.ModuleDict to self.heads: a task that is an attribute of the module itself could overwrite another one.",
)
class AtTheTop(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        for task, classes in tasks.items():
            setattr(self, task, nn.Linear(inputs, classes))

    def forward(self, x, task):
        return getattr(self, task)(x)


@wrong(
    "heads-of-exchanged-sizes",
    replaces="Heads",
    says="The sizes of the heads have changed places: nn.Linear takes the number of its inputs first, here the "
    "features, and that of its outputs second, here the task's classes.",
)
class OfExchangedSizes(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(classes, inputs) for task, classes in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](x)


@wrong(
    "heads-without-biases",
    replaces="Heads",
    says="The heads have no bias; asked is nn.Linear(inputs, classes) as it is made by default, with one.",
)
class WithoutABias(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes, bias=False) for task, classes in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](x)


@wrong(
    "heads-of-one-size",
    replaces="Heads",
    says="All heads are as wide as the largest, so a task with fewer classes gets logits for some that it does not "
    "have. Each head has as many outputs as its own task has classes.",
)
class OfOneSize(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        most = max(tasks.values())
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, most) for task in tasks})

    def forward(self, x, task):
        return self.heads[task](x)


@wrong(
    "heads-first-for-all",
    replaces="Heads",
    says="This is the first head's answer, whichever task is asked for.",
)
class FirstForAll(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        if task not in self.heads:
            raise KeyError(task)
        return next(iter(self.heads.values()))(x)


@wrong(
    "heads-all-at-once",
    replaces="Heads",
    says="These are the logits of all heads, one behind the other; asked are those of one task.",
)
class AllAtOnce(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        if task not in self.heads:
            raise KeyError(task)
        return torch.cat([head(x) for head in self.heads.values()], dim=1)


@wrong(
    "heads-give-probabilities",
    replaces="Heads",
    says="These are probabilities: softmax has been applied. A head returns logits, as its linear layer gives them.",
)
class GiveProbabilities(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](x).softmax(dim=1)


@wrong(
    "heads-unknown-task-answered",
    replaces="Heads",
    says="A task that does not exist got an answer: a slip of the pen in a name would never show. Let the lookup fail "
    "with its KeyError.",
)
class UnknownTaskAnswered(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        return self.heads[task if task in self.heads else "size"](x)


@wrong(
    "heads-unknown-task-silent",
    replaces="Heads",
    says="For a task that does not exist, None came back, and the error will show far from here. Let the lookup fail "
    "with its KeyError.",
)
class UnknownTaskSilent(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        if task in self.heads:
            return self.heads[task](x)
        return None


@wrong(
    "heads-all-run",
    replaces="Heads",
    says="All heads were run, and the answers of all but one thrown away: with many tasks that is most of the work. "
    "Look up the one head first, then call it.",
)
class AllRun(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        answers = {name: head(x) for name, head in self.heads.items()}
        return answers[task]


@wrong(
    "heads-all-on-the-graph",
    replaces="Heads",
    says="The logits are right, but the other heads hang on their graph and get gradients of zeros, by which an "
    "optimizer with weight decay or momentum moves them. Call the one head that is asked for, and no other.",
)
class AllOnTheGraph(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        answers = torch.cat([head(x) for head in self.heads.values()], dim=1)
        sizes = [head.out_features for head in self.heads.values()]
        if task not in self.heads:
            raise KeyError(task)
        return answers.split(sizes, dim=1)[list(self.heads).index(task)]


@wrong(
    "heads-cut-off-x",
    replaces="Heads",
    says="The head gets its gradients, but x gets none: it was cut off the graph, by .data or detach(). The layers "
    "that all tasks share, in front of the heads, would learn nothing.",
)
class CutOffX(nn.Module):
    def __init__(self, inputs, tasks):
        super().__init__()
        self.heads = nn.ModuleDict({task: nn.Linear(inputs, classes) for task, classes in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](x.detach())


# ---- Standardize


@wrong(
    "p11-plain-tensor-state",
    replaces="Standardize",
    says="mean and std do not belong to the module: plain tensors as attributes are not registered, so they are "
    "missing in the state dict and stay behind when the module is cast or moved. Use register_buffer.",
)
class PlainState(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = mean, std

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "statistics-as-parameters",
    replaces="Standardize",
    says="mean and std are parameters, so an optimizer would train them. They were measured and stay as they are: "
    "buffers.",
)
class StatisticsAsParameters(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean, self.std = nn.Parameter(mean), nn.Parameter(std)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "statistics-as-frozen-parameters",
    replaces="Standardize",
    says="mean and std are parameters that are frozen: they are counted among the parameters, and whoever unfreezes "
    "the model trains them. What is never trained is a buffer.",
)
class StatisticsAsFrozenParameters(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = nn.Parameter(mean, requires_grad=False)
        self.std = nn.Parameter(std, requires_grad=False)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "statistics-not-persistent",
    replaces="Standardize",
    says="The buffers are not persistent: they are cast and moved with the module, but not saved, and a new model "
    "could not know them.",
)
class StatisticsNotPersistent(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean, persistent=False)
        self.register_buffer("std", std, persistent=False)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "statistics-of-the-caller",
    replaces="Standardize",
    says="The layer holds the caller's own tensors. Whatever happens to them reaches the layer, and what is loaded "
    "into the layer overwrites them: a tensor is registered as it is, not copied. Hand in mean.clone() and "
    "std.clone().",
)
class StatisticsOfTheCaller(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("std", std)

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "statistics-beside-the-buffers",
    replaces="Standardize",
    says="The layer goes on computing with the numbers that it was made with, not with those that were loaded into its "
    "buffers: forward has to use self.mean and self.std.",
)
class StatisticsBesideTheBuffers(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())
        self.numbers = mean.clone(), std.clone()

    def forward(self, x):
        mean, std = self.numbers
        return (x - mean) / std


@wrong(
    "standardized-by-a-cached-scale",
    replaces="Standardize",
    says="A loaded mean counts, but the loaded std does not: something was computed from std when the layer was made, "
    "and is not computed anew. Divide by self.std in forward.",
)
class StandardizedByACachedScale(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())
        self.scale = 1 / self.std

    def forward(self, x):
        return (x - self.mean) * self.scale


@wrong(
    "statistics-under-other-names",
    replaces="Standardize",
    says="The layer keeps nothing under the names `mean` and `std`. A file of saved statistics is loaded by name, and "
    "whoever asks for layer.mean finds nothing: register the buffers under the names of the contract.",
)
class StatisticsUnderOtherNames(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mu", mean.clone())
        self.register_buffer("sigma", std.clone())

    def forward(self, x):
        return (x - self.mu) / self.sigma


@wrong(
    "statistics-of-two-axes",
    replaces="Standardize",
    says="The buffers have another shape than the tensors that were handed in, (1, D) as a rule. They broadcast to "
    "the same result, but a file with statistics of shape (D,) cannot be loaded into them. Keep them as they came; x "
    "of shape (N, D) meets (D,) by broadcasting.",
)
class StatisticsOfTwoAxes(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.unsqueeze(0).clone())
        self.register_buffer("std", std.unsqueeze(0).clone())

    def forward(self, x):
        return (x - self.mean) / self.std


@wrong(
    "standardized-by-the-batch",
    replaces="Standardize",
    says="The batch was standardized by its own mean and std: each example would depend on the others beside it, and a "
    "single one has no std. Use the numbers that were handed in.",
)
class StandardizedByTheBatch(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        spread = (x - x.mean(dim=0)).square().sum(dim=0) / (len(x) - 1)
        return (x - x.mean(dim=0)) / spread.sqrt()


@wrong(
    "standardized-by-a-product",
    replaces="Standardize",
    says="The difference was multiplied by std; dividing by it gives every feature the same scale.",
)
class StandardizedByAProduct(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return (x - self.mean) * self.std


@wrong(
    "standardized-by-each-other",
    replaces="Standardize",
    says="mean and std have changed places: this is (x - std) / mean.",
)
class StandardizedByEachOther(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return (x - self.std) / self.mean


@wrong(
    "standardized-by-the-variance",
    replaces="Standardize",
    says="The difference was divided by std², the variance; that leaves the result in one over the unit of x. Divide "
    "by std as it is.",
)
class StandardizedByTheVariance(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return (x - self.mean) / self.std**2


@wrong(
    "standardized-in-the-wrong-order",
    replaces="Standardize",
    says="This is x / std - mean: the mean has the unit of x, so it is subtracted first. Mind the brackets.",
)
class StandardizedInTheWrongOrder(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return x / self.std - self.mean


@wrong(
    "standardized-without-brackets",
    replaces="Standardize",
    says="This is x - (mean / std): a division goes before a difference, so that x itself was not divided. Mind the "
    "brackets: (x - mean) / std.",
)
class StandardizedWithoutBrackets(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return x - self.mean / self.std


@wrong(
    "standardized-by-more-than-std",
    replaces="Standardize",
    says="A small std did not divide as it is: a constant was added to it, or kept it above a limit. Every std is "
    "positive, so nothing needs protection, and a feature with a small std does not come to the scale of the "
    "others.",
)
class StandardizedByMoreThanStd(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return (x - self.mean) / (self.std + 1e-5)


@wrong(
    "standardized-in-place",
    replaces="Standardize",
    says="The result is right, but the caller's x was changed on the way: -= and /= write into the tensor that was "
    "handed in. x - mean makes a new one.",
)
class StandardizedInPlace(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        x -= self.mean
        x /= self.std
        return x


@wrong(
    "standardized-off-the-graph",
    replaces="Standardize",
    says="The result is right, but no gradient comes back to x: it was cut off the graph, by .data, detach() or "
    "no_grad. What is not trained are mean and std, and as buffers they require no gradient anyway.",
)
class StandardizedOffTheGraph(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean.clone())
        self.register_buffer("std", std.clone())

    def forward(self, x):
        return ((x - self.mean) / self.std).detach()


# ---- RunningMean


@wrong(
    "running-mean-unregistered",
    replaces="RunningMean",
    says="The mean does not belong to the module: a plain tensor as an attribute is not saved, and stays behind when "
    "the module is cast or moved. Register it as a buffer.",
)
class Unregistered(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.mean = torch.zeros(features)

    def forward(self, x):
        if self.training:
            self.mean = self.mean + self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-as-parameter",
    replaces="RunningMean",
    says="The mean is a parameter: an optimizer would move it too, by its gradient. It follows the data alone, so it "
    "is a buffer.",
)
class AsParameter(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.mean = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean.data += self.momentum * (x.detach().mean(dim=0) - self.mean.data)
        return x - self.mean


@wrong(
    "running-mean-as-frozen-parameter",
    replaces="RunningMean",
    says="The mean is a parameter that is frozen: it is counted among the parameters, and whoever unfreezes the model "
    "trains it. What follows the data alone is a buffer.",
)
class AsFrozenParameter(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.mean = nn.Parameter(torch.zeros(features), requires_grad=False)

    def forward(self, x):
        if self.training:
            self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-under-another-name",
    replaces="RunningMean",
    says="The layer keeps nothing under the name `mean`. A saved mean is loaded by name, and whoever asks for "
    "layer.mean finds nothing: register the buffer under the name of the contract.",
)
class UnderAnotherName(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("running_mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.running_mean += self.momentum * (x.detach().mean(dim=0) - self.running_mean)
        return x - self.running_mean


@wrong(
    "running-mean-never-moves",
    replaces="RunningMean",
    says="In training mode the mean does not move from its zeros: a new value, where one is computed, does not reach "
    "the buffer. Assign it to self.mean, or write into it.",
)
class NeverMoves(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        return x - self.mean


@wrong(
    "running-mean-moves-in-eval",
    replaces="RunningMean",
    says="The mean goes on moving in eval mode, so that an answer depends on what was asked before it. Ask "
    "self.training first.",
)
class MovesInEval(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-modes-exchanged",
    replaces="RunningMean",
    says="The modes have changed places: the mean moves in eval mode and stands still in training. self.training is "
    "True while the model trains.",
)
class ModesExchanged(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if not self.training:
            self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-idle-in-eval",
    replaces="RunningMean",
    says="In eval mode nothing is subtracted. The mean does not move then, but it is still taken off.",
)
class IdleInEval(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if not self.training:
            return x
        self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-shares-exchanged",
    replaces="RunningMean",
    says="The shares have changed places: momentum is the share of the new batch, 1 - momentum that of the old mean. "
    "(torch's batch norm counts so; the momentum of an optimizer is the share of the old.)",
)
class SharesExchanged(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = self.momentum * self.mean + (1 - self.momentum) * x.detach().mean(dim=0)
        return x - self.mean


@wrong(
    "running-mean-sums-up",
    replaces="RunningMean",
    says="The share of the new batch is added, but the old mean keeps its full weight, so the mean grows from call to "
    "call. It is to lose as large a share as the batch gets.",
)
class SumsUp(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean += self.momentum * x.detach().mean(dim=0)
        return x - self.mean


@wrong(
    "running-mean-of-a-full-batch",
    replaces="RunningMean",
    says="The old mean loses its share, but the new batch is added whole: its mean is to be multiplied with momentum, "
    "or the running mean grows to 1 / momentum times what it follows.",
)
class OfAFullBatch(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = (1 - self.momentum) * self.mean + x.detach().mean(dim=0)
        return x - self.mean


@wrong(
    "running-mean-of-fixed-momentum",
    replaces="RunningMean",
    says="The share of the new batch is always 0.1. That is only the default: the layer may be made with another "
    "momentum.",
)
class OfFixedMomentum(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * x.detach().mean(dim=0)
        return x - self.mean


@wrong(
    "running-mean-of-all-batches",
    replaces="RunningMean",
    says="This is the mean over all batches up to now, so each new one counts less. Here the newest counts momentum, "
    "however many came before, and the older ones fade.",
)
class OfAllBatches(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))
        self.calls = 0

    def forward(self, x):
        if self.training:
            self.calls += 1
            self.mean += (x.detach().mean(dim=0) - self.mean) / self.calls
        return x - self.mean


@wrong(
    "running-mean-of-sums",
    replaces="RunningMean",
    says="The sum over the examples was taken for their mean, so large batches pull the mean far out. Divide by their "
    "number, or use mean(dim=0).",
)
class OfSums(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean += self.momentum * (x.detach().sum(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-of-each-example",
    replaces="RunningMean",
    says="The mean was taken along dim=1, over the features of each example. Asked is each feature's mean over the "
    "examples, dim=0.",
)
class OfEachExample(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = (1 - self.momentum) * self.mean + self.momentum * x.detach().mean(dim=1)
        return x - self.mean


@wrong(
    "running-mean-of-all-numbers",
    replaces="RunningMean",
    says="All features got one and the same mean, that over all numbers of the batch. Each has its own: the mean over "
    "the examples, dim=0.",
)
class OfAllNumbers(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean += self.momentum * (x.detach().mean() - self.mean)
        return x - self.mean


@wrong(
    "running-mean-one-call-late",
    replaces="RunningMean",
    says="The mean from before the call was subtracted: the mean moves first, and then it is taken off.",
)
class OneCallLate(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        y = x - self.mean
        if self.training:
            self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return y


@wrong(
    "running-mean-of-the-batch-subtracted",
    replaces="RunningMean",
    says="In training the mean of the batch itself was subtracted, as batch norm does it. Here it is the running mean "
    "in both modes.",
)
class OfTheBatchSubtracted(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if not self.training:
            return x - self.mean
        batch = x.detach().mean(dim=0)
        self.mean += self.momentum * (batch - self.mean)
        return x - batch


@wrong(
    "running-mean-keeps-the-graph",
    replaces="RunningMean",
    says="A graph hangs on the mean: it was updated with x itself, so it drags the graphs of all batches along, memory "
    "grows, and the next backward() walks into what is freed. Update with x.detach(), or under no_grad.",
)
class KeepsTheGraph(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean = (1 - self.momentum) * self.mean + self.momentum * x.mean(dim=0)
        return x - self.mean


@wrong(
    "running-mean-passes-a-gradient",
    replaces="RunningMean",
    says="The gradient also went through the mean that was subtracted; it counts as a constant. Detach x before the "
    "mean is taken, not only what is stored.",
)
class PassesAGradient(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if not self.training:
            return x - self.mean
        mean = (1 - self.momentum) * self.mean + self.momentum * x.mean(dim=0)
        self.mean = mean.detach()
        return x - mean


@wrong(
    "running-mean-cuts-off-x",
    replaces="RunningMean",
    says="The result has no graph, so no gradient goes back to the layers in front of this one: only the mean's update "
    "is to stay outside of the graph, not the difference.",
)
class CutsOffX(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    @torch.no_grad()
    def forward(self, x):
        if self.training:
            self.mean += self.momentum * (x.mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-cuts-off-x-in-eval",
    replaces="RunningMean",
    says="In eval mode the result has no graph, so no gradient goes back to x. eval() says nothing about gradients: "
    "whoever wants none calls the model under no_grad.",
)
class CutsOffXInEval(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if not self.training:
            return (x - self.mean).detach()
        self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean


@wrong(
    "running-mean-keeps-its-momentum",
    replaces="RunningMean",
    says="The momentum is a buffer too: it stands in the state dict, and loading a model would overwrite the one that "
    "this layer was made with. It is a setting, not a state: keep it as a plain number.",
)
class KeepsItsMomentum(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.register_buffer("momentum", torch.tensor(momentum))
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        if self.training:
            self.mean += self.momentum * (x.detach().mean(dim=0) - self.mean)
        return x - self.mean
