"""Wrong answers to katas/04_modules/parameters.py."""

import copy

import torch
from torch import nn

from torchkatas.bank import wrong

# ---- count_trainable


@wrong(
    "trainable-frozen-counted",
    replaces="count_trainable",
    says="Frozen parameters are counted too; those that train are the ones whose requires_grad is True.",
    fact="05.20",
)
def frozen_counted(model):
    return sum(p.numel() for p in model.parameters())


@wrong(
    "trainable-frozen-alone",
    replaces="count_trainable",
    says="This is the number of the frozen ones: requires_grad is True where a parameter trains.",
    fact="05.20",
)
def frozen_alone(model):
    return sum(p.numel() for p in model.parameters() if not p.requires_grad)


@wrong(
    "trainable-tensors-counted",
    replaces="count_trainable",
    says="This is the number of parameter tensors that train; asked is how many numbers they hold. Add up their "
    "numel().",
    fact="05.20",
)
def tensors_counted(model):
    return sum(p.requires_grad for p in model.parameters())


@wrong(
    "trainable-whole-layers",
    replaces="count_trainable",
    says="A layer was counted as a whole, or left out as a whole. Each parameter has a switch of its own: a layer may "
    "have a frozen weight and a bias that trains.",
    fact="05.20",
)
def whole_layers(model):
    layers = [list(module.parameters(recurse=False)) for module in model.modules()]
    return sum(p.numel() for layer in layers if layer and layer[0].requires_grad for p in layer)


@wrong(
    "trainable-shared-counted-twice",
    replaces="count_trainable",
    says="A parameter that two layers share is counted at each of them. It is one tensor; model.parameters() gives it "
    "once.",
    fact="05.20",
)
def trainable_shared_counted_twice(model):
    layers = model.modules()
    return sum(p.numel() for layer in layers for p in layer.parameters(recurse=False) if p.requires_grad)


# ---- freeze


@wrong(
    "m13-freeze-module-attr",
    replaces="freeze",
    says="Nothing is frozen: all parameters of the part still require a gradient. The switch sits on each parameter "
    "that is there: on a module an attribute of that name is just an attribute; what detach() gives is another tensor, "
    "also under the loop's name; and the part's own parameters, recurse=False, are none.",
)
def module_attribute(part):
    part.requires_grad = False


@wrong(
    "m15-frozen-still-moves",
    replaces="freeze",
    says="The parameters require no gradient any more, but each still holds the .grad of the last backward. While a "
    ".grad is there, be it of zeros, an optimizer that has the parameter goes on moving it: by that gradient, by "
    "momentum, by weight decay. It passes over None.",
)
def grads_left_behind(part):
    for p in part.parameters():
        p.requires_grad_(False)


@wrong(
    "freeze-leaves-zeros",
    replaces="freeze",
    says="The gradients were filled with zeros, not removed: an optimizer with momentum or weight decay moves a "
    "parameter for a gradient of zeros too. It passes over None alone.",
)
def leaves_zeros(part):
    for p in part.parameters():
        p.requires_grad_(False)
        if p.grad is not None:
            p.grad.zero_()


@wrong(
    "freeze-by-eval",
    replaces="freeze",
    says="eval() freezes nothing: it switches dropout and batch norm to their other behaviour, and all parameters "
    "train on. And the mode was not to be touched.",
)
def by_eval(part):
    part.eval()


@wrong(
    "freeze-by-switch-and-eval",
    replaces="freeze",
    says="The parameters require no gradient any more, but two things are left: each still holds the .grad of the last "
    "backward, by which an optimizer goes on moving it, and the part is in eval mode. Freezing is about gradients; the "
    "mode of dropout and batch norm is for the caller to choose.",
)
def by_switch_and_eval(part):
    part.eval()
    part.requires_grad_(False)


@wrong(
    "freeze-touches-the-mode",
    replaces="freeze",
    says="The parameters are frozen, but the part is in eval mode now: that is about dropout and batch norm, and was "
    "not to be touched.",
)
def touches_the_mode(part):
    part.eval()
    for p in part.parameters():
        p.requires_grad_(False)
        p.grad = None


@wrong(
    "freeze-drops-grads-alone",
    replaces="freeze",
    says="The gradients of now are gone, but the parameters still require one: the next backward fills .grad again.",
)
def drops_grads_alone(part):
    for p in part.parameters():
        p.grad = None


@wrong(
    "freeze-first-level-alone",
    replaces="freeze",
    says="Layers that lie deeper in the part were left out: what belongs to a module is everything below it. "
    "parameters() goes through all levels.",
)
def first_level_alone(part):
    for module in [part, *part.children()]:
        for p in module.parameters(recurse=False):
            p.requires_grad_(False)
            p.grad = None


@wrong(
    "freeze-weights-alone",
    replaces="freeze",
    says="The biases still train: all parameters of the part are to be frozen.",
)
def weights_alone(part):
    for module in part.modules():
        if isinstance(module, nn.Linear):
            module.weight.requires_grad_(False)
            module.weight.grad = None


@wrong(
    "freeze-by-new-parameters",
    replaces="freeze",
    says="The parameters were replaced by new ones. Whoever held the old ones, such as an optimizer, goes on with "
    "tensors that the model no longer uses.",
)
def by_new_parameters(part):
    for module in part.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(p.detach().clone(), requires_grad=False))


@wrong(
    "freeze-cuts-the-gradient",
    replaces="freeze",
    says="What stands in front of the part no longer learns as it should: the output of the part was cut off the "
    "graph. Only its parameters are to stand still, the gradient passes through.",
)
def cuts_the_gradient(part):
    for p in part.parameters():
        p.requires_grad_(False)
        p.grad = None
    part.register_forward_hook(lambda module, args, output: output.detach())


@wrong(
    "freeze-asks-every-child-for-a-weight",
    replaces="freeze",
    says="Not every layer has a weight: Tanh has no parameters at all, and others may have any names. parameters() "
    "gives what there is, at all levels.",
)
def asks_every_child_for_a_weight(part):
    for layer in part.children():
        layer.weight.requires_grad_(False)
        layer.weight.grad = None


# ---- cast


@wrong(
    "cast-result-dropped",
    replaces="cast",
    says="Nothing has changed. On a tensor, .to() returns a new one and leaves the old as it is; on a module it "
    "changes the module.",
)
def result_dropped(model, dtype):
    for p in model.parameters():
        p = p.to(dtype)
    return model


@wrong(
    "cast-without-buffers",
    replaces="cast",
    says="The buffers were left behind: the running statistics of batch norm, for one. Parameters and buffers of two "
    "dtypes do not go together.",
)
def without_buffers(model, dtype):
    for p in model.parameters():
        p.data = p.data.to(dtype)
    return model


@wrong(
    "cast-integers-too",
    replaces="cast",
    says="Buffers of integers or bools were cast as well: a counter or a mask is no floating-point number. .to(dtype) "
    "of a module leaves them out.",
)
def integers_too(model, dtype):
    for tensor in [*model.parameters(), *model.buffers()]:
        tensor.data = tensor.data.to(dtype)
    return model


@wrong(
    "cast-always-to-double",
    replaces="cast",
    says="The model is float64, whichever dtype was asked for.",
)
def always_to_double(model, dtype):
    return model.double()


@wrong(
    "cast-of-a-copy",
    replaces="cast",
    says="The model itself is as it was: a copy was cast. A module's .to() works in place.",
)
def of_a_copy(model, dtype):
    return copy.deepcopy(model).to(dtype)


@wrong(
    "cast-into-new-parameters",
    replaces="cast",
    says="The parameters are new objects, so an optimizer that was made before moves tensors which the model no longer "
    "has. .to() of a module puts the new numbers into the parameters that are there.",
)
def into_new_parameters(model, dtype):
    for module in model.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(p.detach().to(dtype), requires_grad=p.requires_grad))
    return model.to(dtype)


@wrong(
    "cast-into-new-parameters-that-train",
    replaces="cast",
    says="The parameters are new objects, which all require a gradient: what was frozen trains again, and an optimizer "
    "that was made before moves tensors which the model no longer has. .to() of a module puts the new numbers "
    "into the parameters that are there.",
)
def into_new_parameters_that_train(model, dtype):
    for module in model.modules():
        for name, p in list(module.named_parameters(recurse=False)):
            setattr(module, name, nn.Parameter(p.detach().to(dtype)))
    return model.to(dtype)


@wrong(
    "cast-returns-nothing",
    replaces="cast",
    says="The model is cast, but what came back is not the model: return it, so that calls can be chained.",
)
def returns_nothing(model, dtype):
    model.to(dtype)


@wrong(
    "cast-always-to-half",
    replaces="cast",
    says="The model is float16, whichever dtype was asked for.",
)
def always_to_half(model, dtype):
    return model.half()


@wrong(
    "cast-into-the-tensors-that-are-there",
    replaces="cast",
    says="The dtypes are those of before, though the numbers went through the new one: load_state_dict, like copy_, "
    "copies into the tensors that are there and brings each number back to their dtype. .to() of the model changes the "
    "dtype itself.",
)
def into_the_tensors_that_are_there(model, dtype):
    model.load_state_dict({name: t.to(dtype) for name, t in model.state_dict().items()})
    return model


# ---- copy_in


@wrong(
    "copy-in-casts-the-model",
    replaces="copy_in",
    says="No copy came back but the model, which was cast itself: unlike a tensor's, a module's .to() works in place "
    "and returns the same module.",
)
def casts_the_model(model, dtype):
    return model.to(dtype)


@wrong(
    "copy-in-copies-after-the-cast",
    replaces="copy_in",
    says="A copy came back, but the model was cast too, before it was copied. Copy first, then cast the copy.",
)
def copies_after_the_cast(model, dtype):
    return copy.deepcopy(model.to(dtype))


@wrong(
    "copy-in-returns-nothing",
    replaces="copy_in",
    says="None came back: a `return` is missing, for the copy.",
)
def copy_returns_nothing(model, dtype):
    twin = copy.deepcopy(model)
    twin.to(dtype)


@wrong(
    "copy-in-casts-there-and-back",
    replaces="copy_in",
    says="The model was cast, copied and cast back. Where dtype is shorter, its numbers have been rounded on the way, "
    "and no cast brings the digits back. Copy first.",
)
def casts_there_and_back(model, dtype):
    before = next(model.parameters()).dtype
    twin = copy.deepcopy(model.to(dtype))
    model.to(before)
    return twin


@wrong(
    "copy-in-is-shallow",
    replaces="copy_in",
    says="The new module holds the same parameters and buffers as the model: copy.copy() copies the outside alone. "
    "deepcopy() copies what is inside as well.",
)
def is_shallow(model, dtype):
    return copy.copy(model).to(dtype)


@wrong(
    "copy-in-without-a-cast",
    replaces="copy_in",
    says="The copy has the dtype of the model, not the one that was asked for.",
)
def without_a_cast(model, dtype):
    return copy.deepcopy(model)


@wrong(
    "copy-in-without-buffers",
    replaces="copy_in",
    says="The buffers of the copy were not cast: the running statistics of batch norm, for one. Parameters and buffers "
    "of two dtypes do not go together; .to() of the copy casts both.",
)
def copy_without_buffers(model, dtype):
    twin = copy.deepcopy(model)
    for p in twin.parameters():
        p.data = p.data.to(dtype)
    return twin


@wrong(
    "copy-in-eval-mode",
    replaces="copy_in",
    says="The copy is in eval mode everywhere, though parts of the model are in training mode; the mode is to come "
    "along.",
)
def in_eval_mode(model, dtype):
    return copy.deepcopy(model).to(dtype).eval()


@wrong(
    "copy-in-trains-everything",
    replaces="copy_in",
    says="Parameters that are frozen in the model require a gradient in the copy: the switch of each is to come along.",
)
def trains_everything(model, dtype):
    return copy.deepcopy(model).to(dtype).requires_grad_(True)


@wrong(
    "copy-in-training-mode",
    replaces="copy_in",
    says="The copy is in training mode everywhere, though parts of the model are in eval mode; the mode is to come "
    "along.",
)
def in_training_mode(model, dtype):
    return copy.deepcopy(model).to(dtype).train()


@wrong(
    "copy-in-shares-what-fits",
    replaces="copy_in",
    says="Where the dtype stays the same, model and copy share their memory: .to() then returns the very same tensor. "
    "A copy asks for memory of its own.",
)
def shares_what_fits(model, dtype):
    twin = copy.deepcopy(model).to(dtype)
    pairs = [
        *zip(model.parameters(), twin.parameters(), strict=True),
        *zip(model.buffers(), twin.buffers(), strict=True),
    ]
    for given, own in pairs:
        own.data = given.data.to(own.dtype)
    return twin


@wrong(
    "copy-in-none-where-it-fits",
    replaces="copy_in",
    says="Where the model has the dtype already, no copy came back but the model itself. A copy is due there too: "
    "whoever changes it must not change the model.",
)
def none_where_it_fits(model, dtype):
    if next(model.parameters()).dtype == dtype:
        return model
    return copy.deepcopy(model).to(dtype)


# ---- tie


@wrong(
    "tie-copies-the-numbers",
    replaces="tie",
    says="The two weights have the same numbers, but each has memory of its own: from the first step on they go their "
    "own ways. Both layers have to hold the same Parameter.",
    fact="05.20",
)
def copies_the_numbers(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    with torch.no_grad():
        output.weight.copy_(embedding.weight)


@wrong(
    "tie-shares-memory-alone",
    replaces="tie",
    says="The memory is shared, but there are two Parameters over it: counted twice, each with the gradient of its own "
    "use, and moved twice by an optimizer. Assign the Parameter itself, neither its .data nor a new nn.Parameter.",
    fact="05.20",
)
def shares_memory_alone(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    output.weight.data = embedding.weight.data


@wrong(
    "tie-the-other-way-round",
    replaces="tie",
    says="They share the output's weight; asked is that of the embedding.",
)
def the_other_way_round(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    embedding.weight = output.weight


@wrong(
    "tie-drops-the-bias",
    replaces="tie",
    says="The weight is shared, but the output's bias is no longer what it was.",
)
def drops_the_bias(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    output.weight = embedding.weight
    if output.bias is not None:
        nn.init.zeros_(output.bias)


@wrong(
    "tie-removes-the-bias",
    replaces="tie",
    says="The weight is shared, but the output has lost its bias. Only the weight is to be tied: a bias stays as it "
    "is.",
)
def removes_the_bias(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    output.weight, output.bias = embedding.weight, None


@wrong(
    "tie-unseen",
    replaces="tie",
    says="A weight of another shape was taken over without a word: the error would come with the first batch, or "
    "never, where the layer just has other sizes than it says. Compare the shapes first.",
)
def unseen(embedding, output):
    output.weight = embedding.weight


@wrong(
    "tie-asks-too-late",
    replaces="tie",
    says="The shapes were compared after the weight had been taken over: the error came, but the layers are changed. "
    "Look first.",
)
def asks_too_late(embedding, output):
    before = output.weight.shape
    output.weight = embedding.weight
    if embedding.weight.shape != before:
        raise ValueError("the shapes differ")


@wrong(
    "tie-compares-sizes",
    replaces="tie",
    says="Two weights with as many numbers were taken as fitting; (3, 5) is no (5, 3). Compare the shapes.",
)
def compares_sizes(embedding, output):
    if embedding.weight.numel() != output.weight.numel():
        raise ValueError("the shapes differ")
    output.weight = embedding.weight


@wrong(
    "tie-compares-with-the-transpose",
    replaces="tie",
    says="The embedding's weight was compared with the transpose of the output's: what fits was refused, and what does "
    "not was taken over. A Linear from D to V keeps its weight as (V, D), which is the embedding's shape as it is.",
)
def compares_with_the_transpose(embedding, output):
    if embedding.weight.shape != output.weight.T.shape:
        raise ValueError("the shapes differ")
    output.weight = embedding.weight


@wrong(
    "tie-a-name-alone",
    replaces="tie",
    says="Nothing was tied: a name of the function was given to another tensor, and the layers still hold their own. "
    "Assign to the attribute of the layer, output.weight.",
)
def a_name_alone(embedding, output):
    weight = output.weight
    if embedding.weight.shape != weight.shape:
        raise ValueError("the shapes differ")
    weight = embedding.weight


@wrong(
    "tie-transposes",
    replaces="tie",
    says="The embedding's weight was transposed. What .T gives is no Parameter, so that torch refuses to put it in a "
    "Parameter's place, and a Linear from D to V keeps its weight as (V, D): the Parameter fits as it is.",
)
def transposes(embedding, output):
    if embedding.weight.shape != output.weight.shape:
        raise ValueError("the shapes differ")
    output.weight = embedding.weight.T


# ---- seeded


@wrong(
    "seeded-stream-left-at-the-seed",
    replaces="seeded",
    says="The global random stream goes on from the seed: every draw after the call, a shuffle or a dropout, is "
    "decided by it too. Remember the state before and put it back.",
)
def stream_left_at_the_seed(make, seed):
    torch.manual_seed(seed)
    return make()


@wrong(
    "seeded-stream-rewound",
    replaces="seeded",
    says="The stream starts again from its own first draw: manual_seed(initial_seed()) rewinds it. To go on where it "
    "was takes its state, not its seed.",
)
def stream_rewound(make, seed):
    before = torch.initial_seed()
    try:
        torch.manual_seed(seed)
        return make()
    finally:
        torch.manual_seed(before)


@wrong(
    "seeded-outside-of-the-fork",
    replaces="seeded",
    says="The stream was put back, but to where the seed had set it: it was seeded before its state was remembered, so "
    "that every draw after the call is decided by the seed. First remember (fork_rng does), then seed.",
)
def outside_of_the_fork(make, seed):
    torch.manual_seed(seed)
    with torch.random.fork_rng(devices=[]):
        return make()


@wrong(
    "seeded-generator-unused",
    replaces="seeded",
    says="The seed has no effect: layers draw from the global stream when they are made, and at that moment it was not "
    "seeded. A generator that make knows nothing of does not help, nor a state that is put back before.",
)
def generator_unused(make, seed):
    torch.Generator().manual_seed(seed)
    return make()


@wrong(
    "seeded-too-late",
    replaces="seeded",
    says="The seed has no effect, though the stream is put back: it comes after the model, or not at all. The numbers "
    "are drawn while make() runs, so the stream has to be seeded before that.",
)
def too_late(make, seed):
    with torch.random.fork_rng(devices=[]):
        model = make()
        torch.manual_seed(seed)
        return model


@wrong(
    "seeded-always-by-zero",
    replaces="seeded",
    says="The model is always the one of seed 0, whichever seed is given.",
)
def always_by_zero(make, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return make()


@wrong(
    "seeded-stream-lost-on-error",
    replaces="seeded",
    says="Where make raises, the stream is not put back: the line that does so is never reached. It belongs into a "
    "`finally`, or use fork_rng.",
)
def stream_lost_on_error(make, seed):
    before = torch.get_rng_state()
    torch.manual_seed(seed)
    model = make()
    torch.set_rng_state(before)
    return model


@wrong(
    "seeded-returns-nothing",
    replaces="seeded",
    says="No model came back: a `return` is missing.",
)
def seeded_returns_nothing(make, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        make()


@wrong(
    "seeded-makes-two",
    replaces="seeded",
    says="make was called more than once; a model may be large, and making it may take long.",
)
def makes_two(make, seed):
    with torch.random.fork_rng(devices=[]):
        make()
        torch.manual_seed(seed)
        return make()


@wrong(
    "seeded-after-it-was-made",
    replaces="seeded",
    says="The stream was seeded after the model was made, and left there: the model does not depend on the seed, and "
    "every draw after the call does. Seed before make(), and put the stream back after it.",
)
def after_it_was_made(make, seed):
    model = make()
    torch.manual_seed(seed)
    return model


@wrong(
    "seeded-error-swallowed",
    replaces="seeded",
    says="The error of make did not reach the caller, who goes on without a model: an `except` took it, or a `return` "
    "in a `finally`. To put the stream back takes a `finally` alone, which lets the error pass.",
)
def error_swallowed(make, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            return make()
        except Exception:
            return None


@wrong(
    "seeded-anew-afterwards",
    replaces="seeded",
    says="After the call the stream goes on from a fresh random seed, which is another one in each run: torch.seed() "
    "does not bring back where the stream was. Remember its state before, and put that back.",
)
def anew_afterwards(make, seed):
    torch.manual_seed(seed)
    model = make()
    torch.seed()
    return model
