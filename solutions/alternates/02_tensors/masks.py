"""Other right answers to katas/02_tensors/masks.py."""

import torch
import torch.nn.functional as F
from torch import nn

from torchkatas.bank import right


@right(replaces="above")
def above_by_gt(x, threshold=0.5):
    return torch.gt(x, threshold)


@right(replaces="above")
def above_by_where(x, threshold=0.5):
    return torch.where(x > threshold, 1, 0).bool()


@right(replaces="kept")
def kept_by_comparison(x, keep):
    return x[keep == 1]


@right(replaces="kept")
def kept_by_position(x, keep):
    return x[keep.nonzero().squeeze(1)]


@right(replaces="kept")
def kept_by_index_select(x, keep):
    (at,) = torch.where(keep != 0)
    return x.index_select(0, at)


@right(replaces="kept")
def kept_by_masked_select(x, keep):
    return x.masked_select(keep.to(torch.bool)[:, None]).view(-1, x.shape[1])


@right(replaces="padding_mask")
def padding_by_outer_comparison(lengths):
    return lengths[:, None] > torch.arange(int(lengths.max()))[None, :]


@right(replaces="padding_mask")
def padding_in_a_loop(lengths):
    mask = torch.zeros(len(lengths), max(lengths.tolist()), dtype=torch.bool)
    for row, length in zip(mask, lengths, strict=True):
        row[:length] = True
    return mask


@right(replaces="padding_mask")
def padding_by_pad_sequence(lengths):
    rows = [torch.ones(n, dtype=torch.bool) for n in lengths.tolist()]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True)


@right(replaces="padding_mask")
def padding_by_cumsum(lengths):
    return torch.ones(len(lengths), lengths.max()).cumsum(1).le(lengths.reshape(-1, 1))


@right(replaces="causal_mask")
def causal_by_comparison(n):
    at = torch.arange(n)
    return at <= at[:, None]


@right(replaces="causal_mask")
def causal_by_triu(n):
    return ~torch.triu(torch.ones(n, n), diagonal=1).bool()


@right(replaces="causal_mask")
def causal_from_nn(n):
    return nn.Transformer.generate_square_subsequent_mask(n) == 0


@right(replaces="attention_weights")
def weights_by_where(scores, visible):
    return F.softmax(torch.where(visible, scores, -torch.inf), dim=-1)


@right(replaces="attention_weights")
def weights_by_the_lowest_float(scores, visible):
    lowest = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(visible.logical_not(), lowest), -1)


@right(replaces="attention_weights")
def weights_by_an_added_mask(scores, visible):
    added = torch.zeros(scores.shape)
    added[~visible.expand_as(scores)] = -torch.inf
    return nn.Softmax(dim=2)(scores + added)


@right(replaces="attention_weights")
def weights_by_hand(scores, visible):
    hidden = ~visible
    highest = scores.masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
    shares = (scores - highest).masked_fill(hidden, -torch.inf).exp()
    return shares / shares.sum(-1, keepdim=True)


@right(replaces="masked_mean")
def masked_mean_by_where(x, mask):
    tokens = torch.where(mask[..., None], x, torch.zeros(()))
    return tokens.sum(1) / mask.sum(1).clamp(min=1)[:, None]


@right(replaces="masked_mean")
def masked_mean_by_nanmean(x, mask):
    return x.masked_fill(~mask[:, :, None], torch.nan).nanmean(dim=1).nan_to_num(0.0)


@right(replaces="masked_mean")
def masked_mean_in_a_loop(x, mask):
    zeros = torch.zeros(x.shape[-1])
    return torch.stack([row[own].mean(0) if own.any() else zeros for row, own in zip(x, mask, strict=True)])


@right(replaces="masked_mean")
def masked_mean_by_product(x, mask):
    own = x.clone()
    own[~mask] = 0
    weights = mask.float() / mask.sum(-1, keepdim=True).clamp_min(1)
    return (weights.unsqueeze(1) @ own).squeeze(1)
