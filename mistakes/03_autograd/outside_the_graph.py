"""Wrong answers to katas/03_autograd/outside_the_graph.py."""

import copy

import numpy as np
import torch

from torchkatas.bank import wrong

# ---- constant


@wrong(
    "constant-still-in-the-graph",
    replaces="constant",
    says="The result is still part of the graph, and the gradient flows through it. A new name, a view, or a no_grad "
    "block around them changes nothing about a tensor that exists; detach() gives one without a graph.",
    fact="02.16",
)
def still_in_the_graph(x):
    return x.view_as(x)


@wrong(
    "constant-by-clone",
    replaces="constant",
    says="This is a copy with memory of its own, and the gradient flows back through it: clone() is recorded in the "
    "graph like every operation. Only detach() leaves it.",
    fact="02.16",
)
def by_clone(x):
    return x.clone()


@wrong(
    "constant-copied",
    replaces="constant",
    says="The graph is left, but the values were copied: a change of x would not be seen here. detach() alone shares "
    "the memory.",
)
def copied(x):
    return x.detach().clone()


@wrong(
    "constant-detaches-the-callers",
    replaces="constant",
    says="x itself was taken out of its graph, in place: whatever the caller computes from it from now on brings no "
    "gradient. detach(), without an underscore, makes a second tensor and leaves x where it is.",
)
def detaches_the_callers(x):
    return x.detach_()


@wrong(
    "constant-freezes-the-callers",
    replaces="constant",
    says="requires_grad is a switch of the caller's own tensor: turned off on a leaf it stops the caller's training, "
    "and on the result of an operation it cannot be turned off. A constant is a second tensor over the same memory.",
)
def freezes_the_callers(x):
    return x.requires_grad_(False)


# ---- snapshot


@wrong(
    "a27-deepcopy-nonleaf",
    replaces="snapshot",
    says="copy.deepcopy copies a leaf together with its requires_grad, and refuses what an operation made: a graph "
    "cannot be copied. To keep the values alone takes detach() and clone().",
    fact="02.16",
)
def deepcopied(x):
    return copy.deepcopy(x)


@wrong(
    "snapshot-in-the-same-memory",
    replaces="snapshot",
    says="That is a view: it shares x's memory, and every later change of x in place changes it too. A snapshot needs "
    "a copy, clone().",
)
def in_the_same_memory(x):
    return x.detach()


@wrong(
    "snapshot-in-the-graph",
    replaces="snapshot",
    says="The copy is still part of the graph, since clone() is recorded like any operation; kept over many steps it "
    "keeps all their graphs alive. detach() leaves the graph.",
    fact="02.16",
)
def in_the_graph(x):
    return x.clone()


@wrong(
    "snapshot-through-a-list",
    replaces="snapshot",
    says="The dtype was lost: every value came out as float32. That is what float() makes, and the default dtype, in "
    "which torch.empty and the way through a list end; clone() keeps the tensor's own.",
)
def through_a_list(x):
    return torch.tensor(x.tolist())


@wrong(
    "snapshot-switched-off",
    replaces="snapshot",
    says="requires_grad can be switched off on a leaf alone, and a clone of what requires a gradient is the result of "
    "an operation. detach() leaves the graph; nothing has to be switched.",
)
def snapshot_switched_off(x):
    copy = x.clone()
    copy.requires_grad = False
    return copy


# ---- to_numpy


@wrong(
    "numpy-with-a-graph",
    replaces="to_numpy",
    says="numpy() refuses a tensor that requires a gradient, since the array would lose the graph in silence. Leave "
    "it by detach() first.",
    fact="02.16",
)
def with_a_graph(x):
    return (x.float() if x.dtype == torch.bfloat16 else x).numpy()


@wrong(
    "d11-bf16-numpy",
    replaces="to_numpy",
    says="NumPy has no bfloat16, and numpy() refuses it. float() brings it to float32, which holds each of its values "
    "exactly.",
)
def numpy_of_bfloat16(x):
    return x.detach().numpy()


@wrong(
    "numpy-always-float32",
    replaces="to_numpy",
    says="This came out as float32, where NumPy has the tensor's own dtype: float64 values and large integers are "
    "rounded, and a mask is no mask any more. Only bfloat16 needs a cast.",
)
def always_float32(x):
    return x.detach().float().numpy()


@wrong(
    "numpy-bf16-as-half",
    replaces="to_numpy",
    says="float16 is as small as bfloat16 but has another range: it ends at 65504, and what is larger becomes inf. "
    "float32 holds every bfloat16.",
)
def bfloat16_as_half(x):
    x = x.detach()
    return (x.half() if x.dtype == torch.bfloat16 else x).numpy()


@wrong(
    "numpy-through-a-list",
    replaces="to_numpy",
    says="The tensor's dtype was lost: the array is float64, or int64 where it holds integers. That is what NumPy "
    "makes of Python numbers, as tolist() gives them, and what double() makes. numpy() keeps the dtype, and float32 "
    "holds every bfloat16.",
)
def through_tolist(x):
    return np.array(x.tolist())


@wrong(
    "numpy-takes-x-out-of-its-graph",
    replaces="to_numpy",
    says="The array is right, but x itself has left its graph: detach_(), with the underscore, and "
    "requires_grad_(False) change the caller's tensor, and what is computed from it brings no gradient any more. "
    "detach() makes a second one.",
)
def numpy_takes_x_out_of_its_graph(x):
    x = x.detach_()
    return (x.float() if x.dtype == torch.bfloat16 else x).numpy()


# ---- predict


@wrong(
    "predicts-with-a-graph",
    replaces="predict",
    says="The model ran with gradient mode on, and its whole graph hangs on the output. no_grad() works as a with "
    "block or a decorator; a bare call has no effect.",
    fact="05.16",
)
def with_a_whole_graph(model, x):
    torch.no_grad()
    return model(x)


@wrong(
    "predicts-then-cuts",
    replaces="predict",
    says="The output stands alone, but the model ran with gradient mode on: a graph was recorded, with all it saves, "
    "and then cut off. Under no_grad none is built.",
    fact="05.16",
)
def then_cuts(model, x):
    return model(x).detach()


@wrong(
    "predicts-from-a-detached-input",
    replaces="predict",
    says="Only the input left the graph. The model's weights require a gradient too, and the model ran with gradient "
    "mode on: what they touch is recorded.",
    fact="05.16",
)
def from_a_detached_input(model, x):
    return model(x.detach())


@wrong(
    "predicts-in-eval-for-no-grad",
    replaces="predict",
    says="eval() changes what dropout and batch norm do, and nothing about the graph: gradient mode was still on. It "
    "is no_grad() that records nothing, and it leaves the model's mode alone.",
    fact="05.16",
)
def eval_for_no_grad(model, x):
    model.eval()
    return model(x)


@wrong(
    "predicts-and-leaves-mode-off",
    replaces="predict",
    says="Gradient mode stays off after the call, and all training that follows records no graph. A with block puts "
    "back what was before.",
)
def leaves_mode_off(model, x):
    torch.set_grad_enabled(False)
    return model(x)


@wrong(
    "predicts-and-turns-mode-on",
    replaces="predict",
    says="Gradient mode is on after the call even where the caller had it off, inside a no_grad block of its own. "
    "What is put back must be what was there before.",
)
def turns_mode_on(model, x):
    torch.set_grad_enabled(False)
    try:
        return model(x)
    finally:
        torch.set_grad_enabled(True)


@wrong(
    "predicts-and-an-error-leaves-mode-off",
    replaces="predict",
    says="When the model raises, the line that puts gradient mode back is never reached, and it stays off. A with "
    "block, or finally, is left on every way.",
)
def an_error_leaves_mode_off(model, x):
    before = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    out = model(x)
    torch.set_grad_enabled(before)
    return out


@wrong(
    "predicts-in-eval-for-good",
    replaces="predict",
    says="The model is in eval mode afterwards, where it was in train mode: eval() is another switch, for dropout and "
    "batch norm, and here it is the caller's.",
)
def predicts_in_eval_for_good(model, x):
    model.eval()
    with torch.no_grad():
        return model(x)


@wrong(
    "predicts-in-eval-and-back-to-train",
    replaces="predict",
    says="The model was put into eval mode for the call and into train mode after it, whatever it was in before. The "
    "mode is the caller's: leave it alone.",
)
def predicts_in_eval_and_back_to_train(model, x):
    model.eval()
    with torch.no_grad():
        out = model(x)
    model.train()
    return out


@wrong(
    "predicts-and-freezes-the-weights",
    replaces="predict",
    says="The model's weights no longer require a gradient: they were switched off for the call, and no training will "
    "move them. no_grad needs no switch on them.",
)
def predicts_and_freezes_the_weights(model, x):
    model.requires_grad_(False)
    with torch.no_grad():
        return model(x)


@wrong(
    "predicts-and-freezes-x",
    replaces="predict",
    says="The caller's x no longer requires a gradient: it was switched off for the call. no_grad needs no switch on "
    "the tensor.",
)
def predicts_and_freezes_x(model, x):
    x.requires_grad_(False)
    with torch.no_grad():
        return model(x)


@wrong(
    "predicts-twice",
    replaces="predict",
    says="The model ran twice: that takes twice the time, and with batch norm in train mode the batch counts twice.",
)
def predicts_twice(model, x):
    with torch.no_grad():
        model(x)
        return model(x)


@wrong(
    "predicts-and-swallows-the-error",
    replaces="predict",
    says="The model's error was caught and not passed on: the caller goes on without a prediction and is told "
    "nothing. A with block needs no except, and finally passes the error on.",
)
def predicts_and_swallows_the_error(model, x):
    try:
        with torch.no_grad():
            return model(x)
    except ValueError:
        return None


# ---- cache_features


@wrong(
    "a25-inference-mode-leak",
    replaces="cache_features",
    says="What is made in inference_mode can never be saved by a graph, so that no head can train on it. no_grad "
    "makes ordinary constants; a clone made outside the block is one too.",
    fact="05.16",
)
def made_in_inference_mode(encoder, batches):
    with torch.inference_mode():
        return torch.cat([encoder(batch) for batch in batches])


@wrong(
    "features-with-the-encoders-graph",
    replaces="cache_features",
    says="The features require a gradient: they still hang on the encoder's graph. The first step of the head frees "
    "it, and the second step has no graph to walk. Compute them under no_grad.",
    fact="05.16",
)
def with_the_encoders_graph(encoder, batches):
    return torch.cat([encoder(batch) for batch in batches])


@wrong(
    "features-of-the-last-batch",
    replaces="cache_features",
    says="Only the last batch's features came back: each batch replaced the one before, where all of them belong in "
    "one tensor.",
)
def of_the_last_batch(encoder, batches):
    with torch.no_grad():
        for batch in batches:
            features = encoder(batch)
    return features


@wrong(
    "features-stacked",
    replaces="cache_features",
    says="stack makes a new axis and needs batches of one size; cat joins them along the batch axis, whatever their "
    "sizes.",
)
def stacked(encoder, batches):
    with torch.no_grad():
        return torch.stack([encoder(batch) for batch in batches])


@wrong(
    "features-in-a-list",
    replaces="cache_features",
    says="This is a list with the features of each batch; one tensor of all of them is asked, joined along the batch "
    "axis.",
)
def features_in_a_list(encoder, batches):
    with torch.no_grad():
        return [encoder(batch) for batch in batches]


@wrong(
    "features-that-would-be-trained",
    replaces="cache_features",
    says="The features were made a leaf that requires a gradient: they are constants of the head's training, and only "
    "the head's weights require one.",
)
def features_that_would_be_trained(encoder, batches):
    with torch.no_grad():
        return torch.cat([encoder(batch) for batch in batches]).requires_grad_()


@wrong(
    "features-switched-off",
    replaces="cache_features",
    says="requires_grad can be switched off on a leaf alone, and the features are the result of the encoder's "
    "operations. Compute them under no_grad, or detach them.",
)
def features_switched_off(encoder, batches):
    return torch.cat([encoder(batch) for batch in batches]).requires_grad_(False)


@wrong(
    "features-of-an-encoder-frozen-for-good",
    replaces="cache_features",
    says="The features are right, but the encoder's weights no longer require a gradient: whoever trains it later "
    "trains nothing. no_grad needs no switch on them.",
)
def features_of_an_encoder_frozen_for_good(encoder, batches):
    encoder.requires_grad_(False)
    return torch.cat([encoder(batch) for batch in batches])


# ---- chunk_gradients


@wrong(
    "a05-rnn-hidden",
    replaces="chunk_gradients",
    says="The state came with its graph, so that the second chunk's walk back entered the first chunk's part, which "
    "was freed already. Carry on h.detach(): its value without its history.",
)
def state_with_its_graph(cell, w, chunks, h):
    w = w.clone().requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h)
        gradients.append(torch.autograd.grad(h.square().sum(), w)[0])
    return gradients


@wrong(
    "chunks-with-all-history",
    replaces="chunk_gradients",
    says="From the second chunk on the gradient reaches back through the whole history, which grows with every chunk: "
    "the graph was retained where the state was to be detached.",
)
def all_history(cell, w, chunks, h):
    w = w.clone().requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h)
        gradients.append(torch.autograd.grad(h.square().sum(), w, retain_graph=True)[0])
    return gradients


@wrong(
    "chunks-without-a-state",
    replaces="chunk_gradients",
    says="Each chunk started from the first state: the value of h is to be carried on, and only its graph to be "
    "dropped.",
)
def without_a_state(cell, w, chunks, h):
    w = w.clone().requires_grad_()
    return [torch.autograd.grad(cell(w, chunk, h).square().sum(), w)[0] for chunk in chunks]


@wrong(
    "chunks-add-up",
    replaces="chunk_gradients",
    says="These are running sums: .grad was not cleared between the chunks, and every backward() adds to it, or the "
    "losses themselves were added up.",
)
def chunks_add_up(cell, w, chunks, h):
    w = w.clone().requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        h.square().sum().backward()
        gradients.append(w.grad.clone())
    return gradients


@wrong(
    "chunks-detached-too-early",
    replaces="chunk_gradients",
    says="The loss has no graph: nothing in it requires a gradient, or the state was detached before the loss was "
    "made of it. Make the loss first, and detach what goes on to the next chunk.",
)
def detached_too_early(cell, w, chunks, h):
    w = w.clone().requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h).detach()
        gradients.append(torch.autograd.grad(h.square().sum(), w)[0])
    return gradients


@wrong(
    "chunks-on-the-callers-tensor",
    replaces="chunk_gradients",
    says="The caller's own w requires a gradient from now on. Mark a leaf of your own: w.clone().requires_grad_(), "
    "where the copy comes first, since a clone of what is marked is no leaf.",
)
def on_the_callers_tensor(cell, w, chunks, h):
    w.requires_grad_()
    gradients = []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        gradients.append(torch.autograd.grad(h.square().sum(), w)[0])
    return gradients


@wrong(
    "chunks-in-one-tensor",
    replaces="chunk_gradients",
    says="Every entry is the last chunk's gradient: w.grad was zeroed in place and filled again, so that the list "
    "holds one tensor many times. Keep a clone, or take it from autograd.grad.",
)
def chunks_in_one_tensor(cell, w, chunks, h):
    w, out = w.clone().requires_grad_(), []
    for chunk in chunks:
        if w.grad is not None:
            w.grad.zero_()
        h = cell(w, chunk, h.detach())
        h.square().sum().backward()
        out.append(w.grad)
    return out


@wrong(
    "chunks-by-mean",
    replaces="chunk_gradients",
    says="Each gradient is divided by the size of the state: that belongs to the mean of the squares; the loss is "
    "their sum.",
)
def chunks_by_mean(cell, w, chunks, h):
    w, out = w.clone().requires_grad_(), []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        out.append(torch.autograd.grad(h.square().mean(), w)[0])
    return out


@wrong(
    "chunks-without-squares",
    replaces="chunk_gradients",
    says="These are the gradients of the sum of the state itself: the loss is the sum of its squares.",
)
def chunks_without_squares(cell, w, chunks, h):
    w, out = w.clone().requires_grad_(), []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        out.append(torch.autograd.grad(h.sum(), w)[0])
    return out


@wrong(
    "chunks-square-of-the-sum",
    replaces="chunk_gradients",
    says="The state was summed first and then squared: the loss is the sum of the squares.",
)
def chunks_square_of_the_sum(cell, w, chunks, h):
    w, out = w.clone().requires_grad_(), []
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        out.append(torch.autograd.grad(h.sum() ** 2, w)[0])
    return out


@wrong(
    "chunks-on-the-callers-state",
    replaces="chunk_gradients",
    says="The gradients are right, but the caller's h requires a gradient from now on: the state before the first "
    "chunk is a constant, and needs no mark.",
)
def chunks_on_the_callers_state(cell, w, chunks, h):
    w, out = w.clone().requires_grad_(), []
    h.requires_grad_()
    for chunk in chunks:
        h = cell(w, chunk, h.detach())
        out.append(torch.autograd.grad(h.square().sum(), w)[0])
    return out


# ---- set_row


@wrong(
    "row-of-a-leaf-recorded",
    replaces="set_row",
    says="With gradient mode on, the assignment is an operation to be recorded, and torch refuses it on a leaf: w "
    "would be a result, with no place for its own gradient. Under no_grad nothing is recorded.",
)
def recorded(w, row, values):
    w[row] = values


@wrong(
    "row-of-a-copy",
    replaces="set_row",
    says="w is as it was: the row was written into a copy, and a new tensor under an old name never reaches the "
    "caller.",
)
def of_a_copy(w, row, values):
    w = w.detach().clone()
    w[row] = values


@wrong(
    "row-freezes-w",
    replaces="set_row",
    says="The row is written, but w no longer requires a gradient: it was switched off for the assignment and not on "
    "again. no_grad needs no switch on the tensor.",
)
def freezes_w(w, row, values):
    w.requires_grad_(False)
    w[row] = values


@wrong(
    "row-to-all-rows",
    replaces="set_row",
    says="Every row was overwritten: values broadcasts over the whole weight unless one row is named.",
)
def to_all_rows(w, row, values):
    with torch.no_grad():
        w.copy_(values)


@wrong(
    "row-and-its-gradient-lost",
    replaces="set_row",
    says="The row is written, but w.grad is gone: what was collected there belongs to the caller.",
)
def its_gradient_lost(w, row, values):
    with torch.no_grad():
        w[row] = values
    w.grad = None


@wrong(
    "row-added-to",
    replaces="set_row",
    says="The values were added to the row; they are to stand in its place.",
)
def row_added_to(w, row, values):
    with torch.no_grad():
        w[row] += values


@wrong(
    "row-and-mode-left-off",
    replaces="set_row",
    says="The row is written, but gradient mode is off after the call, and all training that follows records no "
    "graph. A with block puts back what was before.",
)
def row_and_mode_left_off(w, row, values):
    torch.set_grad_enabled(False)
    w[row] = values


@wrong(
    "row-of-the-gradient-zeroed",
    replaces="set_row",
    says="The row is written, but that row of w.grad was zeroed as well: the gradient is to stay as it was.",
)
def row_of_the_gradient_zeroed(w, row, values):
    with torch.no_grad():
        w[row] = values
        w.grad[row] = 0


@wrong(
    "column-for-row",
    replaces="set_row",
    says="A column was named, w[:, row]: the first index is that of the row.",
)
def column_for_row(w, row, values):
    with torch.no_grad():
        w[:, row] = values


# ---- sgd_step


@wrong(
    "a09-rebind-loop-var",
    replaces="sgd_step",
    says="No parameter has moved. A new tensor under the loop's name, p = p - ..., leaves the parameter as it was; a "
    "change in place, p -= ..., reaches the parameter itself.",
)
def rebinds_the_loop_variable(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p = p - lr * p.grad


@wrong(
    "a07-leaf-inplace",
    replaces="sgd_step",
    says="With gradient mode on, an update in place is an operation to be recorded, and torch refuses it on a leaf "
    "that requires a gradient. Under no_grad the update is no part of any graph.",
)
def updates_on_the_record(params, lr):
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad


@wrong(
    "step-uphill",
    replaces="sgd_step",
    says="The parameters moved uphill: the gradient points to where the loss grows, and a step goes against it.",
)
def uphill(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p += lr * p.grad


@wrong(
    "step-with-none",
    replaces="sgd_step",
    says="A parameter that took no part in the loss has None for a .grad, and nothing can be computed with None: pass "
    "it over.",
)
def with_none(params, lr):
    with torch.no_grad():
        for p in params:
            p -= lr * p.grad


@wrong(
    "step-stops-at-none",
    replaces="sgd_step",
    says="The step ended at the first .grad that is None, and the parameters behind it did not move: pass over that "
    "one alone.",
)
def stops_at_none(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is None:
                return
            p -= lr * p.grad


@wrong(
    "step-into-new-tensors",
    replaces="sgd_step",
    says="The list holds new tensors now, while the model holds the old ones, which have not moved. A step changes "
    "the parameters themselves, in place.",
)
def into_new_tensors(params, lr):
    for i, p in enumerate(params):
        if p.grad is not None:
            params[i] = (p - lr * p.grad).detach().requires_grad_()


@wrong(
    "step-scales-the-gradient",
    replaces="sgd_step",
    says="The values are right, but .grad was multiplied by the learning rate on the way: whoever reads or adds to it "
    "next, to clip it or to log it, gets another gradient.",
)
def scales_the_gradient(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p.grad *= lr
                p -= p.grad


@wrong(
    "step-clears-too",
    replaces="sgd_step",
    says="The step is right, but the gradients are gone: when to clear them, or to go on adding, is the caller's to "
    "decide.",
)
def clears_too(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= lr * p.grad
                p.grad = None


@wrong(
    "step-freezes",
    replaces="sgd_step",
    says="The parameters have moved, but they no longer require a gradient: the next backward will not reach them. "
    "no_grad lets them be changed without a switch on each.",
)
def freezes(params, lr):
    for p in params:
        p.requires_grad_(False)
        if p.grad is not None:
            p -= lr * p.grad


@wrong(
    "step-asks-a-gradient-for-its-truth",
    replaces="sgd_step",
    says="A gradient was asked whether it is true: a tensor of several elements has no one answer, and a gradient of 0 "
    "would count as none. Ask `is not None`.",
)
def step_asks_a_gradient_for_its_truth(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad:
                p -= lr * p.grad


@wrong(
    "step-without-the-learning-rate",
    replaces="sgd_step",
    says="The parameters moved by the whole gradient: the learning rate has no part in it.",
)
def step_without_the_learning_rate(params, lr):
    with torch.no_grad():
        for p in params:
            if p.grad is not None:
                p -= p.grad


@wrong(
    "step-leaves-mode-off",
    replaces="sgd_step",
    says="The step is right, but gradient mode is off after the call, and the next forward pass records no graph. A "
    "with block puts back what was before.",
)
def step_leaves_mode_off(params, lr):
    torch.set_grad_enabled(False)
    for p in params:
        if p.grad is not None:
            p -= lr * p.grad
