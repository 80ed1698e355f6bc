"""Wrong answers to katas/04_modules/network.py."""

import math
from itertools import pairwise

import torch
from torch import nn

from torchkatas.bank import wrong

# ---- count_parameters


@wrong(
    "m11-count-tensors",
    replaces="count_parameters",
    says="This is the number of parameter tensors, a weight or a bias each; asked is how many numbers they hold. Add "
    "up the numel() of each.",
    fact="05.20",
)
def count_tensors(model):
    return len(list(model.parameters()))


@wrong(
    "parameters-by-rows",
    replaces="count_parameters",
    says="Only the rows are counted: len() of a tensor is the size of its first axis. numel() counts all its numbers.",
    fact="05.20",
)
def by_rows(model):
    return sum(len(p) for p in model.parameters())


@wrong(
    "parameters-without-vectors",
    replaces="count_parameters",
    says="Parameters of one axis are missing: biases, and the scale of a norm. They are trained like the matrices, and "
    "count.",
    fact="05.20",
)
def without_vectors(model):
    return sum(p.numel() for p in model.parameters() if p.ndim > 1)


@wrong(
    "parameters-of-the-state-dict",
    replaces="count_parameters",
    says="Buffers are counted too, such as batch norm's running statistics. They stand in the state dict, but are no "
    "parameters; and a shared parameter stands there under each of its names.",
    fact="05.20",
)
def of_the_state_dict(model):
    return sum(value.numel() for value in model.state_dict().values())


@wrong(
    "parameters-of-the-top-level",
    replaces="count_parameters",
    says="Only the module's own parameters are counted, not those of the modules inside it. parameters() goes through "
    "all levels by itself.",
    fact="05.20",
)
def of_the_top_level(model):
    return sum(p.numel() for p in model.parameters(recurse=False))


@wrong(
    "parameters-at-every-level",
    replaces="count_parameters",
    says="Parameters of nested modules are counted again at each level above: modules() goes through all levels, and "
    "so does parameters() of each. One of the two is enough.",
    fact="05.20",
)
def at_every_level(model):
    return sum(p.numel() for module in model.modules() for p in module.parameters())


@wrong(
    "parameters-shared-counted-twice",
    replaces="count_parameters",
    says="A parameter that two layers share is counted at each of them. It is one tensor; model.parameters() gives it "
    "once.",
    fact="05.20",
)
def shared_counted_twice(model):
    return sum(p.numel() for module in model.modules() for p in module.parameters(recurse=False))


@wrong(
    "parameters-that-train-alone",
    replaces="count_parameters",
    says="Frozen parameters are left out. They do not train, but they are parameters of the model all the same.",
    fact="05.20",
)
def that_train_alone(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


@wrong(
    "parameters-of-the-children-alone",
    replaces="count_parameters",
    says="Only the modules inside the model are counted, not what the model itself holds: a layer such as nn.Linear "
    "has no children, and its weight and bias are its own. model.parameters() gives both, at all levels.",
    fact="05.20",
)
def of_the_children_alone(model):
    layers = [child for child in model.children() if isinstance(child, nn.Linear)]
    return sum(p.numel() for layer in layers for p in (layer.weight, layer.bias))


# ---- Net


@wrong(
    "m01-super-init",
    replaces="Net",
    says="nn.Module.__init__ has not run yet, and it makes the place where layers are registered: call "
    "super().__init__() before the first of them is assigned.",
    fact="05.7",
)
class WithoutSuperInit(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-super-without-brackets",
    replaces="Net",
    says="super without brackets is Python's own class of that name, which knows nothing of your module. super() with "
    "them is your module as its base class sees it: super().__init__().",
    fact="05.7",
)
class SuperWithoutBrackets(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super.__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-layers-without-self",
    replaces="Net",
    says="forward uses an attribute of self that was never assigned. A name without `self.` in front is a variable of "
    "__init__ alone, and gone when that ends: assign each layer to self, under the very name that forward uses.",
    fact="05.7",
)
class LayersWithoutSelf(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        first = nn.Linear(inputs, hidden)  # noqa: F841
        second = nn.Linear(hidden, outputs)  # noqa: F841

    def forward(self, x):
        return self.second(self.first(x).relu())


@wrong(
    "m05-missing-forward",
    replaces="Net",
    says="The module has no method forward, and calling a module runs that one: look at its name, and whether its def "
    "stands in the class, as far to the left as that of __init__.",
    fact="05.7",
)
class MissingForward(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

        def forward(self, x):
            return self.layers(x)


@wrong(
    "net-layers-in-a-plain-list",
    replaces="Net",
    says="The module has no parameters, though it keeps its numbers from call to call: layers in a plain list or dict "
    "are not registered, nor are plain tensors. Assign each layer to an attribute, or use nn.Sequential or "
    "nn.ModuleList.",
    fact="05.7",
)
class LayersInAPlainList(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = [nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)]

    def forward(self, x):
        return self.layers[1](self.layers[0](x).relu())


@wrong(
    "net-layers-made-in-forward",
    replaces="Net",
    says="The same batch gives other logits at each call: the layers are made anew in forward, with new random "
    "weights, so nothing can be learnt. Make them in __init__.",
    fact="05.7",
)
class LayersMadeInForward(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.sizes = inputs, hidden, outputs

    def forward(self, x):
        inputs, hidden, outputs = self.sizes
        return nn.Linear(hidden, outputs)(nn.Linear(inputs, hidden)(x).relu())


@wrong(
    "net-of-fixed-sizes",
    replaces="Net",
    says="Sizes are fixed to 50, 30 and 3; these are only the defaults, the caller may give others.",
)
class OfFixedSizes(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(50, 30), nn.ReLU(), nn.Linear(30, 3))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-sizes-exchanged",
    replaces="Net",
    says="The first layer does not fit the batch: its sizes have changed places. nn.Linear takes the number of its "
    "inputs first and that of its outputs second, so the layers are (inputs, hidden) and (hidden, outputs).",
    fact="05.9",
)
class SizesExchanged(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.first, self.second = nn.Linear(hidden, inputs), nn.Linear(outputs, hidden)

    def forward(self, x):
        return self.second(self.first(x).relu())


@wrong(
    "net-without-biases",
    replaces="Net",
    says="The layers have no bias, so a batch of zeros always gives the logits 0, and there are 33 parameters too few "
    "in the example of the map.",
    fact="05.9",
)
class WithoutBiases(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, hidden, bias=False), nn.ReLU(), nn.Linear(hidden, outputs, bias=False)
        )

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-with-a-layer-too-many",
    replaces="Net",
    says="There is a layer too many, from hidden to hidden values: Linear, ReLU, Linear is all.",
    fact="05.9",
)
class WithALayerTooMany(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, outputs)
        )

    def forward(self, x):
        return self.layers(x)


@wrong(
    "m09-no-activation",
    replaces="Net",
    says="Nothing bends between the two layers, and two linear layers in a row can be multiplied out into one: however "
    "long it trains, this is a linear model. Put the ReLU between them.",
    fact="05.9",
)
class NoActivation(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.second(self.first(x))


@wrong(
    "net-makes-a-relu-of-its-values",
    replaces="Net",
    says="The second layer was given a ReLU, the module, not numbers: nn.ReLU(h) makes a module and takes h for its "
    "setting `inplace`. Make it first and call it then, nn.ReLU()(h), or use torch.relu(h).",
    fact="05.9",
)
class MakesAReLUOfItsValues(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.second(nn.ReLU(self.first(x)))


@wrong(
    "net-bends-at-the-end",
    replaces="Net",
    says="A ReLU follows the last layer: negative logits have become 0, so the network can no longer say that a class "
    "is unlikely, and no gradient goes back through these.",
    fact="05.8",
)
class BendsAtTheEnd(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-bends-at-the-end-alone",
    replaces="Net",
    says="The ReLU stands at the end, where it cuts off negative logits, and there is none between the layers. It "
    "belongs behind the first layer.",
    fact="05.8",
)
class BendsAtTheEndAlone(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.Linear(hidden, outputs), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-gives-probabilities",
    replaces="Net",
    says="These are probabilities: softmax has been applied. cross_entropy applies it itself, and would do so a second "
    "time; the model returns the raw logits.",
    fact="05.8",
)
class GivesProbabilities(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return torch.softmax(self.layers(x), dim=1)


@wrong(
    "net-gives-probabilities-along-the-batch",
    replaces="Net",
    says="A softmax has been applied, and along the batch, dim=0: each logit was measured by those of the other "
    "examples. The model returns the raw logits; the loss does the rest.",
    fact="05.8",
)
class GivesProbabilitiesAlongTheBatch(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return torch.softmax(self.layers(x), dim=0)


@wrong(
    "net-gives-log-probabilities",
    replaces="Net",
    says="These are log-probabilities: log_softmax has been applied. The model returns what the last layer gives, as "
    "it is; the loss does the rest.",
    fact="05.8",
)
class GivesLogProbabilities(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return torch.log_softmax(self.layers(x), dim=1)


@wrong(
    "net-gives-sigmoids",
    replaces="Net",
    says="A sigmoid has been applied to the logits. The losses for logits apply it themselves; the model returns what "
    "the last layer gives, as it is.",
    fact="05.8",
)
class GivesSigmoids(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs), nn.Sigmoid())

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-gives-classes",
    replaces="Net",
    says="These are class numbers: argmax has been applied, and no gradient comes back through it. The model returns "
    "the logits; whoever predicts takes the argmax.",
    fact="05.8",
)
class GivesClasses(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x).argmax(dim=1)


@wrong(
    "net-squeezes-between",
    replaces="Net",
    says="There is a sigmoid between the layers, where a ReLU is asked.",
    fact="05.9",
)
class SqueezesBetween(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.Sigmoid(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-drops-out",
    replaces="Net",
    says="The parameters are right, but the same batch gives other logits at each call: something random stands in the "
    "network, such as a dropout. Linear, ReLU, Linear is all that is asked.",
    fact="05.9",
)
class DropsOut(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-leaves-the-graph",
    replaces="Net",
    says="The logits are right, but no graph hangs on them, so no parameter will ever get a gradient: forward runs "
    "under no_grad, or detaches.",
)
class LeavesTheGraph(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    @torch.no_grad()
    def forward(self, x):
        return self.layers(x)


@wrong(
    "net-cuts-off-its-first-layer",
    replaces="Net",
    says="The logits are right, but the first layer gets no gradient: what it gives was cut off the graph on its way "
    "to the second, by .data, detach() or no_grad. So the second layer alone would learn, on features that stay "
    "random.",
    fact="05.7",
)
class CutsOffItsFirstLayer(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x):
        return self.second(self.first(x).relu().detach())


@wrong(
    "net-cuts-off-x",
    replaces="Net",
    says="The parameters get their gradients, but x gets none: it was cut off the graph, by .data or detach(), before "
    "the first layer. Whatever stands in front of this network could not learn.",
)
class CutsOffX(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))

    def forward(self, x):
        return self.layers(x.detach())


@wrong(
    "net-bends-off-the-record",
    replaces="Net",
    says="The logits are right, but the backward pass knows nothing of the ReLU: it was done off the record, on .data "
    "or under no_grad. So a gradient goes back through units that are off, and the first layer is moved by a wrong "
    "one.",
    fact="05.7",
)
class BendsOffTheRecord(nn.Module):
    def __init__(self, inputs=50, hidden=30, outputs=3):
        super().__init__()
        self.first, self.second = nn.Linear(inputs, hidden), nn.Linear(hidden, outputs)

    def forward(self, x):
        h = self.first(x)
        h.data.clamp_(min=0)
        return self.second(h)


# ---- count_by_formula


@wrong(
    "formula-without-biases",
    replaces="count_by_formula",
    says="Only the weights are counted. Each layer also has a bias for each of its outputs.",
    fact="05.20",
)
def without_biases(sizes):
    return sum(a * b for a, b in pairwise(sizes))


@wrong(
    "formula-bias-for-each-input",
    replaces="count_by_formula",
    says="The biases are counted by the inputs of each layer; a layer has one bias for each of its outputs.",
    fact="05.20",
)
def bias_for_each_input(sizes):
    return sum(a * b + a for a, b in pairwise(sizes))


@wrong(
    "formula-bias-for-the-inputs-too",
    replaces="count_by_formula",
    says="Biases are counted for every size in the list. The first is that of the inputs, which come from outside and "
    "have no bias.",
    fact="05.20",
)
def bias_for_the_inputs_too(sizes):
    return sum(a * b for a, b in pairwise(sizes)) + sum(sizes)


@wrong(
    "formula-one-bias-a-layer",
    replaces="count_by_formula",
    says="Each layer is counted with a single bias; it has one for each of its outputs.",
    fact="05.20",
)
def one_bias_a_layer(sizes):
    return sum(a * b + 1 for a, b in pairwise(sizes))


@wrong(
    "formula-unpacks-three-sizes",
    replaces="count_by_formula",
    says="This fits a list of three sizes alone. It may have any length from two on, and the network has a layer less "
    "than that.",
)
def unpacks_three_sizes(sizes):
    inputs, hidden, outputs = sizes
    return inputs * hidden + hidden + hidden * outputs + outputs


@wrong(
    "formula-of-two-layers-alone",
    replaces="count_by_formula",
    says="Only the first two layers are counted, and both have to be there. The list may have any length from two on, "
    "and the network has a layer less than that.",
)
def of_two_layers_alone(sizes):
    return sizes[0] * sizes[1] + sizes[1] + sizes[1] * sizes[2] + sizes[2]


@wrong(
    "formula-multiplies-all-sizes",
    replaces="count_by_formula",
    says="All sizes are multiplied with one another: that is the number of ways from an input to an output. Each layer "
    "has weights between its own two sizes, and the layers add up.",
    fact="05.20",
)
def multiplies_all_sizes(sizes):
    return math.prod(sizes) + sum(sizes[1:])


@wrong(
    "formula-last-layer-missing",
    replaces="count_by_formula",
    says="The last layer is missing: a list of n sizes has n - 1 layers, one between each two that are neighbours.",
    fact="05.20",
)
def last_layer_missing(sizes):
    return sum((sizes[i] + 1) * sizes[i + 1] for i in range(len(sizes) - 2))


@wrong(
    "formula-goes-one-too-far",
    replaces="count_by_formula",
    says="The list ended before the loop did: behind the last size there is none to pair it with. A list of n sizes "
    "has n - 1 layers, one between each two that are neighbours, so the loop has n - 1 turns.",
)
def goes_one_too_far(sizes):
    return sum(sizes[i] * sizes[i + 1] + sizes[i + 1] for i in range(len(sizes)))


@wrong(
    "formula-by-building",
    replaces="count_by_formula",
    says="The layers are built to be counted, and torch cannot make one of this size, on no device. Multiply and add "
    "the sizes, without any tensor.",
)
def by_building(sizes):
    layers = [nn.Linear(a, b) for a, b in pairwise(sizes)]
    return sum(p.numel() for layer in layers for p in layer.parameters())


@wrong(
    "formula-cut-at-64-bits",
    replaces="count_by_formula",
    says="The number was cut to 64 bits: tensors and NumPy arrays of integers overflow in silence. Python's own ints "
    "have no limit.",
)
def cut_at_64_bits(sizes):
    sizes = torch.tensor(sizes)
    return int(((sizes[:-1] + 1) * sizes[1:]).sum())


@wrong(
    "formula-by-floats",
    replaces="count_by_formula",
    says="The number was rounded on its way: a float holds some 16 digits, and the count has 20. Multiply and add "
    "Python's ints, and nothing else; they have no limit.",
)
def by_floats(sizes):
    return int(sum((inputs + 1.0) * outputs for inputs, outputs in pairwise(sizes)))
