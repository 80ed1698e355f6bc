"""Other right answers to katas/07_inference/predict.py."""

import contextlib
import copy

import torch
import torch.nn.functional as F

from torchkatas.bank import right


@right(replaces="probabilities")
def functional(logits):
    return F.softmax(logits, dim=-1)


@right(replaces="probabilities")
def by_hand(logits):
    powers = (logits - logits.amax(dim=1, keepdim=True)).exp()
    return powers / powers.sum(dim=1, keepdim=True)


@right(replaces="probabilities")
def exp_of_log_softmax(logits):
    return torch.nn.LogSoftmax(dim=1)(logits).exp()


@right(replaces="probabilities")
def less_the_log_sum(logits):
    return (logits - logits.logsumexp(dim=1, keepdim=True)).exp()


@right(replaces="classes")
def indices_of_max(logits):
    return logits.max(dim=1)[1]


@right(replaces="classes")
def sorted_rows(logits):
    return logits.topk(1, dim=-1).indices[:, 0]


@right(replaces="classes")
def row_after_row(logits):
    return torch.tensor([int(row.argmax()) for row in logits])


@right(replaces="yes_or_no")
def bound_for_logits(logits, threshold=0.5):
    bound = torch.logit(torch.tensor(threshold))
    return (logits > bound).flatten().long()


@right(replaces="yes_or_no")
def chosen_by_where(logits, threshold=0.5):
    return torch.where(logits[:, 0].sigmoid() > threshold, 1, 0)


@right(replaces="yes_or_no")
def as_ints(logits, threshold=0.5):
    return torch.gt(F.sigmoid(logits), threshold).to(torch.int64).view(-1)


@right(replaces="predict")
def a_copy_is_asked(model, x):
    with torch.inference_mode():
        logits = copy.deepcopy(model).eval()(x)
    return logits.softmax(1), logits.argmax(1)


@right(replaces="predict")
@torch.no_grad()
def decorated(model, x):
    training = {name for name, module in model.named_modules() if module.training}
    try:
        logits = model.eval()(x)
        return F.softmax(logits, dim=1), torch.max(logits, dim=1).indices
    finally:
        for name, module in model.named_modules():
            module.training = name in training


@contextlib.contextmanager
def evaluating(model):
    modules = list(model.modules())
    flags = [module.training for module in modules]
    model.train(False)
    try:
        yield model
    finally:
        for module, flag in zip(modules, flags, strict=True):
            module.training = flag


@right(replaces="predict")
def by_a_context_manager(model, x):
    with evaluating(model), torch.no_grad():
        logits = model(x)
        return [logits.softmax(dim=-1), logits.argmax(dim=-1)]


@right(replaces="predict")
def each_by_its_own_train(model, x):
    flags = [(module, module.training) for module in model.modules()]
    try:
        with torch.no_grad():
            logits = model.eval()(x)
    finally:
        for module, flag in flags:  # from the top down: what one sets below itself, the next sets right
            module.train(flag)
    return logits.softmax(dim=1), logits.argmax(dim=1)


@right(replaces="predict")
def gradient_mode_put_back(model, x):
    before = {module: module.training for module in model.modules()}
    grad = torch.is_grad_enabled()
    try:
        torch.set_grad_enabled(False)
        p = torch.softmax(model.eval()(x), dim=1)
        return p, model(x).argmax(dim=1)
    finally:
        torch.set_grad_enabled(grad)
        for module in reversed(before):
            module.training = before[module]
