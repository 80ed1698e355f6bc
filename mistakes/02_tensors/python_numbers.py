"""Wrong answers to katas/02_tensors/python_numbers.py."""

import numpy as np
import torch
from torch import Tensor

from torchkatas.bank import wrong


@wrong(
    "mean-kept-as-tensor",
    replaces="mean_loss",
    says="A tensor came back, and with it the graph of every step stays alive; take the numbers out with item().",
    fact="02.15",
)
def mean_kept_as_tensor(losses):
    return sum(losses) / len(losses)


@wrong(
    "mean-detached",
    replaces="mean_loss",
    says="The graph is gone, but this is a tensor still: detach() leaves a tensor, item() gives the Python number.",
    fact="02.15",
)
def mean_detached(losses):
    return (sum(losses) / len(losses)).detach()


@wrong(
    "mean-by-numpy",
    replaces="mean_loss",
    says="np.mean returns a NumPy number; a Python float is asked, which float() or a plain division gives.",
)
def mean_by_numpy(losses):
    return np.mean([loss.item() for loss in losses])


@wrong(
    "sum-of-losses",
    replaces="mean_loss",
    says="This is the sum of the losses; the mean divides it by their number.",
)
def sum_of_losses(losses):
    return sum(loss.item() for loss in losses)


@wrong(
    "last-loss",
    replaces="mean_loss",
    says="This is the last loss alone; every step of the epoch counts.",
)
def last_loss(losses):
    return losses[-1].item()


@wrong(
    "losses-cut-to-ints",
    replaces="mean_loss",
    says="What stands behind the point was lost on the way: int() and .long() cut it off each loss, // off the mean.",
)
def losses_cut_to_ints(losses):
    return sum(int(loss.item()) for loss in losses) / len(losses)


@wrong(
    "list-of-tensors",
    replaces="as_numbers",
    says="list() walks along the first axis and yields tensors, not numbers (shape () has no axis to walk); "
    "tolist() goes all the way down.",
    fact="02.15",
)
def list_of_tensors(x):
    return list(x)


@wrong(
    "flat-list",
    replaces="as_numbers",
    says="The nesting is lost: the list is to have a level for each axis, and none for shape ().",
)
def flat_list(x):
    return x.flatten().tolist()


@wrong(
    "numpy-of-a-graph",
    replaces="as_numbers",
    says="numpy() refuses a tensor that requires a gradient, since a change of the array would go past the graph; "
    "tolist() copies and needs no detach().",
    fact="02.16",
)
def numpy_of_a_graph(x):
    return x.numpy().tolist()


@wrong(
    "item-for-all",
    replaces="as_numbers",
    says="item() is for a tensor of one element: it refuses more, and makes a bare number of shape (1,), not a list.",
    fact="02.15",
)
def item_for_all(x):
    return x.item()


@wrong(
    "items-along-one-axis",
    replaces="as_numbers",
    says="item() on what lies along the first axis works for a vector alone: in shape () there is no axis to walk, "
    "and in a matrix each step yields a whole row.",
    fact="02.15",
)
def items_along_one_axis(x):
    return [entry.item() for entry in x]


@wrong(
    "no-bare-number",
    replaces="as_numbers",
    says="Shape () has no first axis to walk along: its content is a bare number, as tolist() on the whole gives.",
)
def no_bare_number(x):
    return [part.tolist() for part in x]


@wrong(
    "all-made-floats",
    replaces="as_numbers",
    says="Everything became a float: integers and bools are to stay what they are, "
    "and past 2 ** 53 a float misses integers.",
)
def all_made_floats(x):
    return x.double().tolist()


@wrong(
    "penalty-out-of-the-graph",
    replaces="squared_norm",
    says="The number is right, but it stands alone: item(), detach(), .data and torch.tensor(...) leave the graph on "
    "the way, and no gradient comes back to the weights.",
    fact="02.16",
)
def penalty_out_of_the_graph(weights):
    return torch.tensor(sum(weight.square().sum().item() for weight in weights))


@wrong(
    "penalty-as-number",
    replaces="squared_norm",
    says="A Python number came back: it has no graph, so nothing could be learnt from it; keep the sum a tensor.",
    fact="02.16",
)
def penalty_as_number(weights):
    return sum(weight.square().sum().item() for weight in weights)


@wrong(
    "penalty-made-a-leaf",
    replaces="squared_norm",
    says="requires_grad=True on the finished number makes a new leaf: torch.tensor copies the value alone, so no "
    "gradient comes back to the weights. Keep every step a tensor.",
    fact="02.16",
)
def penalty_made_a_leaf(weights):
    return torch.tensor(sum(weight.square().sum().item() for weight in weights), requires_grad=True)


@wrong(
    "squares-copied-into-a-leaf",
    replaces="squared_norm",
    says="No gradient comes back to any weight: the path ends at a tensor that was built from values in between, as "
    "torch.tensor([...], requires_grad=True) is. torch.stack joins tensors within the graph.",
    fact="02.16",
)
def squares_copied_into_a_leaf(weights):
    return torch.tensor([weight.square().sum().item() for weight in weights], requires_grad=True).sum()


@wrong(
    "last-weight-alone-in-the-graph",
    replaces="squared_norm",
    says="The gradient reaches the last weight alone: the others left the graph while they were summed up.",
    fact="02.16",
)
def last_weight_alone_in_the_graph(weights):
    total = torch.tensor(0.0)
    for weight in weights:
        total = total.detach() + weight.square().sum()
    return total


@wrong(
    "sum-without-squares",
    replaces="squared_norm",
    says="The numbers were summed as they are, so that negative ones cancel; square each one first.",
)
def sum_without_squares(weights):
    return sum(weight.sum() for weight in weights)


@wrong(
    "square-of-sums",
    replaces="squared_norm",
    says="Each weight was summed up and then squared; the squares come first, number by number.",
)
def square_of_sums(weights):
    return sum(weight.sum() ** 2 for weight in weights)


@wrong(
    "sum-of-norms",
    replaces="squared_norm",
    says="These are the norms, roots of the sums of squares; asked are the sums without a root.",
)
def sum_of_norms(weights):
    return sum(weight.norm() for weight in weights)


@wrong(
    "mean-of-squares",
    replaces="squared_norm",
    says="Within each weight the squares were averaged; all squares are to be summed.",
)
def mean_of_squares(weights):
    return sum(weight.square().mean() for weight in weights)


@wrong(
    "first-weight-alone",
    replaces="squared_norm",
    says="Only the first weight of the list was counted.",
)
def first_weight_alone(weights):
    return weights[0].square().sum()


@wrong(
    "b03-acc-broadcast",
    replaces="accuracy",
    says="(N, 1) == (N,) broadcasts to N * N comparisons, whose hits were then divided by N: the share can pass 1. "
    "Give both the same shape.",
)
def hits_among_all_pairs(predicted, labels):
    return (predicted == labels).sum().item() / len(labels)


@wrong(
    "mean-over-all-pairs",
    replaces="accuracy",
    says="(N, 1) == (N,) broadcasts to N * N comparisons, and this is their mean: each prediction met every label. "
    "Give both the same shape.",
)
def mean_over_all_pairs(predicted, labels):
    return (predicted == labels).float().mean().item()


@wrong(
    "hits-counted",
    replaces="accuracy",
    says="This is how many are right; the share divides by the number of examples.",
)
def hits_counted(predicted, labels):
    return float((predicted.flatten() == labels).sum().item())


@wrong(
    "hits-counted-in-an-int",
    replaces="accuracy",
    says="This is how many are right, an int; the share is that divided by the number of examples.",
)
def hits_counted_in_an_int(predicted, labels):
    return (predicted.flatten() == labels).sum().item()


@wrong(
    "pairs-counted",
    replaces="accuracy",
    says="This counts hits, and among all pairs: (N, 1) == (N,) broadcasts to N * N. Give both the same shape, and "
    "divide by the number of examples.",
)
def pairs_counted(predicted, labels):
    return (predicted == labels).sum().item()


@wrong(
    "mean-of-bools",
    replaces="accuracy",
    says="A comparison gives bools, and mean() refuses them: turn them into floats first, True is then 1 and False 0.",
)
def mean_of_bools(predicted, labels):
    return (predicted.flatten() == labels).mean().item()


@wrong(
    "column-of-labels-always",
    replaces="accuracy",
    says="The labels became a column in every case; against predictions of shape (N,) that broadcasts to all pairs. "
    "Bring both to one shape, whichever comes.",
)
def column_of_labels_always(predicted, labels):
    return (predicted == labels.unsqueeze(1)).float().mean().item()


@wrong(
    "share-as-tensor",
    replaces="accuracy",
    says="A tensor came back; item() takes the Python number out of it.",
    fact="02.15",
)
def share_as_tensor(predicted, labels):
    return (predicted.flatten() == labels).float().mean()


@wrong(
    "share-of-errors",
    replaces="accuracy",
    says="This is the share of the wrong ones; accuracy counts the right ones.",
)
def share_of_errors(predicted, labels):
    return (predicted.flatten() != labels).float().mean().item()


@wrong(
    "share-in-whole-numbers",
    replaces="accuracy",
    says="Every share below 1 came out as 0: // and a cast to int drop what stands behind the point, "
    "and torch.equal asks for all at once.",
)
def share_in_whole_numbers(predicted, labels):
    return float((predicted.flatten() == labels).sum().item() // len(labels))


@wrong(
    "k04-float-order",
    replaces="close_enough",
    says="The two were compared for equality, but (a + b) + c and a + (b + c) differ in the last bits of a float; "
    "allow for a rounding error.",
)
def compared_for_equality(one, other):
    return torch.equal(one, other)


@wrong(
    "equal-by-broadcasting",
    replaces="close_enough",
    says="The two were compared for equality, which rounding breaks, and == broadcasts: "
    "compare the shapes first, then allow for a rounding error.",
)
def equal_by_broadcasting(one, other):
    return bool((one == other).all())


@wrong(
    "close-by-broadcasting",
    replaces="close_enough",
    says="The shapes were not compared, and allclose broadcasts (like == and -): a row is then close to a table of "
    "such rows, and shapes that do not fit are an error in place of False.",
)
def close_by_broadcasting(one, other):
    return torch.allclose(one, other, rtol=1e-5, atol=1e-6)


@wrong(
    "close-by-defaults",
    replaces="close_enough",
    says="allclose broadcasts, so the shapes are to be compared first, and its own absolute bound is 1e-8: "
    "next to zero that is too small for a rounding error.",
)
def close_by_defaults(one, other):
    return torch.allclose(one, other)


@wrong(
    "close-without-abs",
    replaces="close_enough",
    says="The difference kept its sign, so whatever lies far below passes for close; take its absolute value.",
)
def close_without_abs(one, other):
    return one.shape == other.shape and bool((one - other <= 1e-6 + 1e-5 * other.abs()).all())


@wrong(
    "close-anywhere",
    replaces="close_enough",
    says="One place that is close was enough; every place has to be.",
)
def close_anywhere(one, other):
    return one.shape == other.shape and bool(torch.isclose(one, other, rtol=1e-5, atol=1e-6).any())


@wrong(
    "close-on-average",
    replaces="close_enough",
    says="Sums or means were compared, in which differences of opposite sign cancel; compare place by place.",
)
def close_on_average(one, other):
    return one.shape == other.shape and bool((one.mean() - other.mean()).abs() <= 1e-6 + 1e-5 * other.mean().abs())


@wrong(
    "absolute-bound-alone",
    replaces="close_enough",
    says="The bound is the same for large and small numbers, but a float32 near 3 million can only step by 0.25: "
    "the bound grows with the size of the number.",
)
def absolute_bound_alone(one, other):
    return one.shape == other.shape and bool(((one - other).abs() <= 1e-5).all())


@wrong(
    "relative-bound-alone",
    replaces="close_enough",
    says="Next to zero the bound is too small: 1e-7 and -2e-7 may both be rounding errors of 0. The absolute part, "
    "1e-6, is missing (allclose's own default is 1e-8).",
)
def relative_bound_alone(one, other):
    return one.shape == other.shape and bool(((one - other).abs() <= 1e-5 * other.abs()).all())


@wrong(
    "input-without-gradient",
    replaces="keeps_graph",
    says="The operation got an input that requires no gradient, so its result requires none; give it one that does.",
    fact="02.16",
)
def input_without_gradient(operation, x):
    return getattr(operation(x), "requires_grad", False)


@wrong(
    "callers-input-switched-on",
    replaces="keeps_graph",
    says="requires_grad_() works in place: the caller's x requires a gradient now. Switch it on in a copy.",
)
def callers_input_switched_on(operation, x):
    result = operation(x.requires_grad_())
    return isinstance(result, Tensor) and result.requires_grad


@wrong(
    "number-asked-for-its-graph",
    replaces="keeps_graph",
    says="A Python number or list has no requires_grad: item() and tolist() leave the graph with the tensor.",
    fact="02.15",
)
def number_asked_for_its_graph(operation, x):
    return operation(x.clone().requires_grad_()).requires_grad


@wrong(
    "any-tensor-counts",
    replaces="keeps_graph",
    says="Not every tensor is part of a graph: those of detach(), comparisons, integer casts and no_grad are not.",
    fact="02.16",
)
def any_tensor_counts(operation, x):
    return isinstance(operation(x.clone().requires_grad_()), Tensor)


@wrong(
    "float-dtype-counts",
    replaces="keeps_graph",
    says="A float dtype is needed for a gradient but does not bring one: detach(), no_grad and a rebuilt tensor "
    "are floats without a graph.",
    fact="02.16",
)
def float_dtype_counts(operation, x):
    result = operation(x.clone().requires_grad_())
    return isinstance(result, Tensor) and result.is_floating_point()


@wrong(
    "leaf-taken-for-outside",
    replaces="keeps_graph",
    says="grad_fn and is_leaf tell what an operation made; an input that comes back as it is requires its gradient "
    "and was made by none.",
)
def leaf_taken_for_outside(operation, x):
    result = operation(x.clone().requires_grad_())
    return isinstance(result, Tensor) and result.grad_fn is not None


@wrong(
    "refusal-swallowed",
    replaces="keeps_graph",
    says="The operation refused its input (numpy() does, for a tensor that requires a gradient), and that was answered "
    "like a result; let the RuntimeError pass.",
    fact="02.16",
)
def refusal_swallowed(operation, x):
    try:
        result = operation(x.clone().requires_grad_())
    except RuntimeError:
        return False
    return isinstance(result, Tensor) and result.requires_grad
