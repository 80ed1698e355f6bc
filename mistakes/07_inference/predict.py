"""Wrong answers to katas/07_inference/predict.py."""

import torch

from torchkatas.bank import wrong

# ---- probabilities


@wrong(
    "probabilities-along-the-batch",
    replaces="probabilities",
    says="The softmax ran along the batch: each column sums to 1, and an example's answer depends on its neighbours. "
    "The classes of one example lie along dim=1.",
    fact="05.17",
)
def along_the_batch(logits):
    return torch.softmax(logits, dim=0)


@wrong(
    "probabilities-over-all",
    replaces="probabilities",
    says="The softmax ran over the whole batch, all of whose numbers together sum to 1. Each row is to, along dim=1.",
    fact="05.17",
)
def over_all(logits):
    return torch.softmax(logits.flatten(), dim=0).reshape(logits.shape)


@wrong(
    "probabilities-by-sigmoid",
    replaces="probabilities",
    says="A sigmoid looks at one logit alone, so that the rows do not sum to 1. Classes that exclude each other share "
    "a probability of 1: softmax.",
    fact="05.17",
)
def by_sigmoid(logits):
    return torch.sigmoid(logits)


@wrong(
    "probabilities-in-logs",
    replaces="probabilities",
    says="These are logarithms of probabilities, none of which is above 0. log_softmax belongs into a loss; its exp "
    "is the softmax.",
)
def in_logs(logits):
    return torch.log_softmax(logits, dim=1)


@wrong(
    "probabilities-overflow",
    replaces="probabilities",
    says="exp(1000) is inf, exp(-1000) is 0, and inf / inf and 0 / 0 are NaN. torch.softmax takes the row's maximum "
    "away first, which changes nothing else.",
)
def overflowing(logits):
    return logits.exp() / logits.exp().sum(dim=1, keepdim=True)


@wrong(
    "probabilities-divided-by-the-sum",
    replaces="probabilities",
    says="The logits were divided by their sum. They may be negative, and so would the shares be; it is their "
    "exponentials that are.",
    fact="05.17",
)
def divided_by_the_sum(logits):
    return logits / logits.sum(dim=1, keepdim=True)


@wrong(
    "probabilities-cast-to-float32",
    replaces="probabilities",
    says="The values came out as float32 for logits of float64. Nothing here needs a cast: softmax keeps the dtype.",
)
def cast_to_float32(logits):
    return torch.softmax(logits.float(), dim=1)


# ---- classes


@wrong(
    "classes-along-the-batch",
    replaces="classes",
    says="argmax ran along the batch: for each class the example that it suits best. The class of each example is "
    "asked, along dim=1.",
    fact="05.17",
)
def classes_along_the_batch(logits):
    return logits.argmax(dim=0)


@wrong(
    "classes-one-for-all",
    replaces="classes",
    says="Without a dim argmax flattens the batch and gives one number, the place of the largest of all. One class "
    "for each row: dim=1.",
    fact="05.17",
)
def one_for_all(logits):
    return logits.argmax()


@wrong(
    "classes-in-a-column",
    replaces="classes",
    says="The classes are right but stand in a column, (N, 1). Compared with labels of shape (N,) that broadcasts to "
    "N × N pairs: leave keepdim out.",
)
def in_a_column(logits):
    return logits.argmax(dim=1, keepdim=True)


@wrong(
    "classes-by-value",
    replaces="classes",
    says="That is the largest logit of each row, not its number: max over a dim gives both, .values and .indices.",
)
def by_value(logits):
    return logits.max(dim=1).values


@wrong(
    "classes-through-probabilities",
    replaces="classes",
    says="Probabilities are rounded: where two logits differ by very little they come out alike, and argmax takes the "
    "first. Softmax keeps the order, so take the largest logit.",
    fact="05.17",
)
def through_probabilities(logits):
    return torch.softmax(logits, dim=1).argmax(dim=1)


@wrong(
    "classes-squeezed",
    replaces="classes",
    says="For a batch of one the batch axis is gone: squeeze() drops every axis of length 1. One example is a batch "
    "too, and gets shape (1,).",
)
def squeezed(logits):
    return logits.argmax(dim=1, keepdim=True).squeeze()


# ---- yes_or_no


@wrong(
    "l12-logit-threshold",
    replaces="yes_or_no",
    says="The logits were compared with the threshold. They are no probabilities: a logit of 0.2 is a yes already, "
    "since sigmoid(0.2) = 0.55. Compare sigmoid(logits).",
    fact="05.17",
)
def logits_above(logits, threshold=0.5):
    return (logits.squeeze(1) > threshold).long()


@wrong(
    "yes-by-rounded-logits",
    replaces="yes_or_no",
    says="The logits were rounded, which gives numbers such as 2 or -3. It is the sigmoid that lies between 0 and 1.",
    fact="05.17",
)
def rounded_logits(logits, threshold=0.5):
    return logits.squeeze(1).round().long()


@wrong(
    "yes-at-one-half-always",
    replaces="yes_or_no",
    says="The threshold was not asked: the answers are those for 0.5. A logit above 0 is a probability above 0.5, and "
    "for other thresholds the bound is another.",
)
def at_one_half_always(logits, threshold=0.5):
    return (logits.squeeze(1) > 0).long()


@wrong(
    "yes-at-the-threshold-too",
    replaces="yes_or_no",
    says="A probability that equals the threshold, as sigmoid(0) equals 0.5, counts as a yes here: greater than, not "
    "equal.",
)
def at_the_threshold_too(logits, threshold=0.5):
    return (torch.sigmoid(logits.squeeze(1)) >= threshold).long()


@wrong(
    "yes-by-argmax",
    replaces="yes_or_no",
    says="The answer is 0 for every example: argmax over a single column knows no other number. One output unit is "
    "compared with a threshold.",
)
def by_argmax(logits, threshold=0.5):
    return logits.argmax(dim=1)


@wrong(
    "yes-by-softmax",
    replaces="yes_or_no",
    says="The answer is 1 for every example: a softmax over one class is always 1. One output unit takes a sigmoid.",
    fact="05.17",
)
def by_softmax(logits, threshold=0.5):
    return (torch.softmax(logits, dim=1)[:, 0] > threshold).long()


@wrong(
    "yes-by-two-sigmoids",
    replaces="yes_or_no",
    says="A sigmoid was taken of what a sigmoid had made: that lies between 0.5 and 0.73, whatever the logit is. The "
    "model gives raw logits here, of which one sigmoid makes probabilities.",
)
def by_two_sigmoids(logits, threshold=0.5):
    return (logits.squeeze(1).sigmoid().sigmoid() > threshold).long()


@wrong(
    "yes-in-a-column",
    replaces="yes_or_no",
    says="The answers are right but stand in a column, (N, 1). Compared with labels of shape (N,) that broadcasts to "
    "N × N pairs: drop the axis, squeeze(1).",
)
def yes_in_a_column(logits, threshold=0.5):
    return (torch.sigmoid(logits) > threshold).long()


@wrong(
    "yes-squeezed",
    replaces="yes_or_no",
    says="For a batch of one the batch axis is gone as well: squeeze() drops every axis of length 1. squeeze(1) drops "
    "the column alone.",
)
def yes_squeezed(logits, threshold=0.5):
    return (torch.sigmoid(logits).squeeze() > threshold).long()


@wrong(
    "yes-as-bools",
    replaces="yes_or_no",
    says="These are bools, True and False. Classes are numbers, 0 and 1 in int64: .long().",
)
def as_bools(logits, threshold=0.5):
    return torch.sigmoid(logits.squeeze(1)) > threshold


@wrong(
    "no-for-yes",
    replaces="yes_or_no",
    says="Yes and no have changed places: the more probable an answer is, the more it is a 1.",
)
def no_for_yes(logits, threshold=0.5):
    return (torch.sigmoid(logits.squeeze(1)) < threshold).long()


# ---- predict


def answer(logits):
    return torch.softmax(logits, dim=1), logits.argmax(dim=1)


@wrong(
    "e01-no-eval",
    replaces="predict",
    says="The model was asked in the mode it happened to be in, and with a graph: in training mode dropout drops at "
    "random, and batch norm uses this batch and learns from it. Prediction needs eval() and no_grad, both.",
    fact="05.14",
)
def no_eval(model, x):
    return answer(model(x))


@wrong(
    "e02-no-grad-is-eval",
    replaces="predict",
    says="no_grad was taken for eval mode. It builds no graph, and that is all: dropout goes on dropping, and batch "
    "norm uses the batch and moves its running statistics. eval() is needed as well.",
    fact="05.16",
)
def no_grad_is_eval(model, x):
    with torch.no_grad():
        return answer(model(x))


def with_modes_restored(model, ask):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        return ask()
    finally:
        for module, flag in flags:
            module.training = flag


@wrong(
    "e03-eval-is-no-grad",
    replaces="predict",
    says="eval() was taken for no_grad. It changes what dropout and batch norm do, and nothing about the graph: "
    "gradient mode was on, and the whole graph hangs on the answer. no_grad is needed as well.",
    fact="05.16",
)
def eval_is_no_grad(model, x):
    return with_modes_restored(model, lambda: answer(model(x)))


@wrong(
    "predict-detaches-afterwards",
    replaces="predict",
    says="The answer stands alone, but gradient mode was on while the model ran: a graph was built and then cut off, "
    "or the parameters were frozen for the time. Under no_grad none is begun, and no parameter has to be touched.",
    fact="05.16",
)
def detaches_afterwards(model, x):
    return with_modes_restored(model, lambda: tuple(part.detach() for part in answer(model(x))))


@wrong(
    "predict-evals-the-top-alone",
    replaces="predict",
    says="Only the flag of the model itself was turned off; dropout and batch norm inside ask their own. eval() turns "
    "off that of every module.",
    fact="05.14",
)
def evals_the_top_alone(model, x):
    before, model.training = model.training, False
    try:
        with torch.no_grad():
            return answer(model(x))
    finally:
        model.training = before


@wrong(
    "predict-evals-dropout-and-batch-norm",
    replaces="predict",
    says="Dropout and batch norm were in eval mode, the other modules in training mode. A module of your own may ask "
    "its flag too: eval() turns off that of every module.",
)
def evals_dropout_and_batch_norm(model, x):
    flags = [(module, module.training) for module in model.modules()]
    for module in model.modules():
        if isinstance(module, (torch.nn.Dropout, torch.nn.BatchNorm1d)):
            module.eval()
    try:
        with torch.no_grad():
            return answer(model(x))
    finally:
        for module, flag in flags:
            module.training = flag


@wrong(
    "predict-evals-if-the-top-trains",
    replaces="predict",
    says="The flag of the model itself decided whether eval() was called. It says nothing about the modules inside: "
    "some were in training mode and answered in it.",
    fact="05.14",
)
def evals_if_the_top_trains(model, x):
    if not model.training:
        with torch.no_grad():
            return answer(model(x))
    with torch.no_grad():
        return with_modes_restored(model, lambda: answer(model(x)))


@wrong(
    "predict-stays-in-eval",
    replaces="predict",
    says="The model is still in eval mode afterwards: whoever goes on to train it trains without dropout and with "
    "frozen statistics, and nothing says so. Put every mode back.",
)
def stays_in_eval(model, x):
    model.eval()
    with torch.no_grad():
        return answer(model(x))


@wrong(
    "predict-trains-everything-after",
    replaces="predict",
    says="train() put every module into training mode afterwards, those too that had been in eval mode, such as a "
    "frozen batch norm. Each module is to get the mode that it had.",
)
def trains_everything_after(model, x):
    model.eval()
    try:
        with torch.no_grad():
            return answer(model(x))
    finally:
        model.train()


@wrong(
    "predict-restores-the-mode-of-the-top",
    replaces="predict",
    says="train(was_training) gave every module the mode of the top one. Some had another: a frozen batch norm, "
    "dropout left on on purpose. Note the mode of each, and put each back.",
)
def restores_the_mode_of_the_top(model, x):
    before = model.training
    model.eval()
    try:
        with torch.no_grad():
            return answer(model(x))
    finally:
        model.train(before)


@wrong(
    "predict-restores-by-train",
    replaces="predict",
    says="train() was called again on the modules that had been in training mode. It sets all that lies below too, so "
    "that a frozen batch norm thawed. To put a flag back, assign it: module.training = was.",
    fact="05.14",
)
def restores_by_train(model, x):
    trained = [module for module in model.modules() if module.training]
    try:
        with torch.no_grad():
            return answer(model.eval()(x))
    finally:
        for module in trained:
            module.train()


@wrong(
    "predict-restores-unless-it-fails",
    replaces="predict",
    says="The model raised, and its modes were not put back: the lines behind the call were never reached. What must "
    "happen on every way out belongs into `finally`.",
)
def restores_unless_it_fails(model, x):
    flags = [(module, module.training) for module in model.modules()]
    model.eval()
    with torch.no_grad():
        found = answer(model(x))
    for module, flag in flags:
        module.training = flag
    return found


@wrong(
    "predict-swallows-the-error",
    replaces="predict",
    says="The model raised, and the caller was not told: `return` in a `finally`, or an except that ends there, "
    "swallows the error. It is to go on to the caller.",
)
def swallows_the_error(model, x):
    with torch.no_grad():
        try:
            return with_modes_restored(model, lambda: answer(model(x)))
        except Exception:
            return None


@wrong(
    "predict-leaves-gradient-mode-off",
    replaces="predict",
    says="Gradient mode stays off after the call, and all training that follows builds no graph. `with "
    "torch.no_grad():` puts it back on every way out.",
    fact="05.16",
)
def leaves_gradient_mode_off(model, x):
    torch.set_grad_enabled(False)
    return with_modes_restored(model, lambda: answer(model(x)))


@wrong(
    "predict-turns-gradient-mode-on",
    replaces="predict",
    says="Gradient mode is on after the call though the caller had it off. What is put back must be what was there "
    "before, as `with torch.no_grad():` does it.",
    fact="05.16",
)
def turns_gradient_mode_on(model, x):
    torch.set_grad_enabled(False)
    try:
        return with_modes_restored(model, lambda: answer(model(x)))
    finally:
        torch.set_grad_enabled(True)


@wrong(
    "predict-freezes-the-parameters",
    replaces="predict",
    says="No graph was built, since the parameters no longer require a gradient, and now they never will: this model "
    "learns nothing from here on. no_grad needs no switch on the parameters.",
    fact="05.16",
)
def freezes_the_parameters(model, x):
    model.requires_grad_(False)
    with torch.no_grad():
        return with_modes_restored(model, lambda: answer(model(x)))


@wrong(
    "predict-squeezes",
    replaces="predict",
    says="For a batch of one the batch axis is gone: squeeze() drops every axis of length 1. One example is a batch "
    "too.",
)
def squeezes(model, x):
    with torch.no_grad():
        logits = with_modes_restored(model, lambda: model(x)).squeeze()
        return torch.softmax(logits, dim=-1), logits.argmax(dim=-1)


@wrong(
    "predict-along-the-batch",
    replaces="predict",
    says="Softmax and argmax ran along the batch. The classes of one example lie along dim=1.",
    fact="05.17",
)
def predict_along_the_batch(model, x):
    with torch.no_grad():
        logits = with_modes_restored(model, lambda: model(x))
        return torch.softmax(logits, dim=0), logits.argmax(dim=0)


@wrong(
    "predict-gives-logits",
    replaces="predict",
    says="The first tensor holds the raw logits: a model returns those, and probabilities are made of them by softmax.",
    fact="05.17",
)
def gives_logits(model, x):
    with torch.no_grad():
        logits = with_modes_restored(model, lambda: model(x))
        return logits, logits.argmax(dim=1)


@wrong(
    "predict-softmax-twice",
    replaces="predict",
    says="Softmax was applied twice: the probabilities of probabilities lie close together, though they still sum to "
    "1 and their order is the same.",
    fact="05.17",
)
def softmax_twice(model, x):
    with torch.no_grad():
        p = with_modes_restored(model, lambda: model(x)).softmax(dim=1)
        return answer(p)
