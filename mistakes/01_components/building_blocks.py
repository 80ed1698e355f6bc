"""Wrong answers to katas/01_components/building_blocks.py."""

import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

from torchkatas.bank import wrong

# ---- two_layers


@wrong(
    "no-relu",
    replaces="two_layers",
    says="The ReLU is missing: two linear layers in a row are one linear layer, however many weights they have.",
    fact="01.6",
)
def no_relu(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.Linear(hidden, outputs))


@wrong(
    "relu-at-the-end",
    replaces="two_layers",
    says="A ReLU follows the last layer too: no output can be negative then, and where it cuts, no gradient flows.",
)
def relu_at_the_end(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs), nn.ReLU())


@wrong(
    "layers-not-returned",
    replaces="two_layers",
    says="Nothing came back: the Sequential is built and then forgotten. Return it.",
)
def layers_not_returned(inputs, hidden, outputs):
    nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


@wrong(
    "out-before-in",
    replaces="two_layers",
    says="The sizes are exchanged: nn.Linear is told first how many values come in, then how many go out. "
    "(Only its weight is kept the other way round, as (out, in).)",
)
def out_before_in(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(hidden, inputs), nn.ReLU(), nn.Linear(outputs, hidden))


@wrong(
    "bias-left-out",
    replaces="two_layers",
    says="The layers have no bias: then every input of zeros gives zeros, whatever was learnt.",
)
def bias_left_out(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden, bias=False), nn.ReLU(), nn.Linear(hidden, outputs, bias=False))


@wrong(
    "layers-in-a-list",
    replaces="two_layers",
    says="A list holds the layers but does not connect them, and has no parameters(); nn.Sequential does both.",
    fact="01.6",
)
def layers_in_a_list(inputs, hidden, outputs):
    return [nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, outputs)]


@wrong(
    "sigmoid-between",
    replaces="two_layers",
    says="There is a Sigmoid between the layers, where a ReLU is asked: it squeezes all values into 0 to 1.",
)
def sigmoid_between(inputs, hidden, outputs):
    return nn.Sequential(nn.Linear(inputs, hidden), nn.Sigmoid(), nn.Linear(hidden, outputs))


# ---- Line


@wrong(
    "plain-tensors",
    replaces="Line",
    says="The module has no parameters: a plain tensor as an attribute is not registered, even if it requires a "
    "gradient, so no optimizer gets to see it. Wrap it in nn.Parameter.",
    fact="01.6",
)
class PlainTensors(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a = torch.tensor(a, requires_grad=True)
        self.b = torch.tensor(b, requires_grad=True)

    def forward(self, x):
        return self.a * x + self.b


@wrong(
    "parameter-of-a-number",
    replaces="Line",
    says="nn.Parameter wraps a tensor, not a Python number: make torch.tensor(a) first.",
)
class ParameterOfANumber(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a = nn.Parameter(a)
        self.b = nn.Parameter(b)

    def forward(self, x):
        return self.a * x + self.b


@wrong(
    "no-super-init",
    replaces="Line",
    says="nn.Module.__init__ has not run yet, and it makes the place where parameters are kept: "
    "call super().__init__() before the first of them is assigned.",
)
class NoSuperInit(nn.Module):
    def __init__(self, a, b):
        self.a = nn.Parameter(torch.tensor(a))
        self.b = nn.Parameter(torch.tensor(b))

    def forward(self, x):
        return self.a * x + self.b


@wrong(
    "a-and-b-exchanged",
    replaces="Line",
    says="a and b have changed places: a is the slope, which x is multiplied by, b is what is added.",
)
class Exchanged(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor(a)), nn.Parameter(torch.tensor(b))

    def forward(self, x):
        return self.b * x + self.a


@wrong(
    "parameters-of-shape-one",
    replaces="Line",
    says="The parameters are vectors of one value, shape (1,): the brackets around the number made an axis; "
    "of a scalar x the module then makes a vector.",
)
class ShapeOne(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor([a])), nn.Parameter(torch.tensor([b]))

    def forward(self, x):
        return self.a * x + self.b


@wrong(
    "numbers-in-forward",
    replaces="Line",
    says="forward computes with the parameters' numbers, taken out by .item(), .data or .detach(), so no graph leads "
    "back to the parameters and nothing can be learnt. Use the parameters themselves.",
)
class NumbersInForward(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor(a)), nn.Parameter(torch.tensor(b))

    def forward(self, x):
        return self.a.item() * x + self.b.item()


@wrong(
    "new-parameters-in-forward",
    replaces="Line",
    says="The values are right, but the module's own parameters get no gradient: forward computes with others that it "
    "makes on each call. Make them once, in __init__, and use self.a and self.b.",
)
class NewParametersInForward(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor(a)), nn.Parameter(torch.tensor(b))

    def forward(self, x):
        return nn.Parameter(self.a.detach()) * x + nn.Parameter(self.b.detach())


@wrong(
    "forward-by-another-name",
    replaces="Line",
    says="The module cannot be called: calling it runs its method forward, and it has none of that name.",
)
class ForwardByAnotherName(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = nn.Parameter(torch.tensor(a)), nn.Parameter(torch.tensor(b))

    def predict(self, x):
        return self.a * x + self.b


# ---- Pairs


@wrong(
    "length-of-a-row",
    replaces="Pairs",
    says="That is how many values one example has, D; the length of a dataset is the number of its examples, N.",
)
class LengthOfARow(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return self.x.shape[1]

    def __getitem__(self, i):
        return self.x[i], self.y[i]


@wrong(
    "without-the-label",
    replaces="Pairs",
    says="Only x[i] comes back; an example is the pair of it and its label, y[i].",
)
class WithoutTheLabel(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i]


@wrong(
    "label-first",
    replaces="Pairs",
    says="The pair is the wrong way round: x[i] comes first, then y[i].",
)
class LabelFirst(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.y[i], self.x[i]


@wrong(
    "everything-at-once",
    replaces="Pairs",
    says="Each index gives the whole of x and y; dataset[i] is one example alone. "
    "Putting several into a batch is the loader's work.",
)
class EverythingAtOnce(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x, self.y


@wrong(
    "label-as-number",
    replaces="Pairs",
    says="The label is a Python number, taken out of its tensor; both halves of the pair are to be tensors.",
)
class LabelAsNumber(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i].item()


@wrong(
    "length-unknown",
    replaces="Pairs",
    says="The dataset has no length: len(), and the loader with it, ask for the method __len__.",
    fact="01.6",
)
class LengthUnknown(Dataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __getitem__(self, i):
        return self.x[i], self.y[i]


# ---- in_batches


@wrong(
    "shuffled",
    replaces="in_batches",
    says="The examples do not come in the order of the dataset: the loader shuffles them, which is for training.",
)
def shuffled(dataset, size):
    return DataLoader(dataset, batch_size=size, shuffle=True)


@wrong(
    "rest-dropped",
    replaces="in_batches",
    says="Examples are missing at the end: drop_last leaves out a last batch that is not full.",
)
def rest_dropped(dataset, size):
    return DataLoader(dataset, batch_size=size, drop_last=True)


@wrong(
    "batches-of-one",
    replaces="in_batches",
    says="Each batch has a single example: the loader was not told a batch_size, and 1 is what it takes then.",
)
def batches_of_one(dataset, size):
    return DataLoader(dataset)


@wrong(
    "used-up",
    replaces="in_batches",
    says="It can be run through only once: an iterator over the loader came back, and at its end that is used up. "
    "Each epoch needs a new one, so return the loader itself.",
)
def used_up(dataset, size):
    return iter(DataLoader(dataset, batch_size=size))


@wrong(
    "list-of-batches",
    replaces="in_batches",
    says="This is the list of all batches, made at once and held in memory; return the DataLoader, "
    "which makes each batch when it is asked for.",
)
def list_of_batches(dataset, size):
    return list(DataLoader(dataset, batch_size=size))


# ---- one_step


@wrong(
    "loss-made-of-the-batch",
    replaces="one_step",
    says="nn.MSELoss is a class: make the loss first, then call it with predictions and targets: "
    "nn.MSELoss()(model(x), y). The first parentheses only take its options.",
)
def loss_made_of_the_batch(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = nn.MSELoss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), nn.MSELoss(model(x), y).item()


@wrong(
    "nothing-moved",
    replaces="one_step",
    says="No parameter moved. backward() only fills .grad; the optimizer's step() moves the parameters, and it has to "
    "come after backward(), with no zero_grad() in between.",
    fact="01.6",
)
def nothing_moved(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    return before.item(), F.mse_loss(model(x), y).item()


@wrong(
    "loss-not-measured-anew",
    replaces="one_step",
    says="The model did change, but the second loss is the first one again: a loss is a number of the moment it was "
    "computed. Run the model once more after the step.",
)
def loss_not_measured_anew(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    loss = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item(), loss.item()


@wrong(
    "grads-not-cleared",
    replaces="one_step",
    says="The step followed the gradients of an earlier batch too: backward() adds to what .grad still holds. "
    "Clear it first, by optimizer.zero_grad().",
)
def grads_not_cleared(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    before.backward()
    optimizer.step()
    return before.item(), F.mse_loss(model(x), y).item()


@wrong(
    "summed-error",
    replaces="one_step",
    says="The squared errors are summed up, not averaged: loss and step grow with the batch. "
    "MSELoss takes the mean over all values unless told otherwise.",
)
def summed_error(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y, reduction="sum")
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), F.mse_loss(model(x), y, reduction="sum").item()


@wrong(
    "step-by-adam",
    replaces="one_step",
    says="Adam's first step moves each parameter by about lr, however large its gradient is; "
    "plain gradient descent, SGD, moves it by lr times the gradient.",
)
def step_by_adam(model, x, y, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), F.mse_loss(model(x), y).item()


@wrong(
    "losses-exchanged",
    replaces="one_step",
    says="The two losses have changed places: the one before the step comes first, and it is the larger one.",
)
def losses_exchanged(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return F.mse_loss(model(x), y).item(), before.item()


@wrong(
    "losses-as-tensors",
    replaces="one_step",
    says="The losses are still tensors, and with them their graphs stay in memory; .item() takes the numbers out.",
)
def losses_as_tensors(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before, F.mse_loss(model(x), y)


@wrong(
    "copy-learns",
    replaces="one_step",
    says="The losses are right, but a copy of the model was trained: the model that was handed in is as it was.",
)
def copy_learns(model, x, y, lr):
    model = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), F.mse_loss(model(x), y).item()


@wrong(
    "lr-not-passed-on",
    replaces="one_step",
    says="The step has another length than lr says: the optimizer was not told lr and took its own, 0.001.",
)
def lr_not_passed_on(model, x, y, lr):
    optimizer = torch.optim.SGD(model.parameters())
    before = F.mse_loss(model(x), y)
    optimizer.zero_grad()
    before.backward()
    optimizer.step()
    return before.item(), F.mse_loss(model(x), y).item()
