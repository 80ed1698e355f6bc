"""Wrong answers to katas/02_tensors/masks.py."""

import torch

from torchkatas.bank import wrong


@wrong(
    "d06-bool-not-threshold",
    replaces="above",
    says="This is True for everything but 0, as .bool() is: also for 0.2, for negative numbers and for NaN. A "
    "threshold is a comparison.",
    fact="02.8",
)
def bool_not_threshold(x, threshold=0.5):
    return x.bool()


@wrong(
    "threshold-counted-in",
    replaces="above",
    says="An element that equals the threshold is counted as above it; greater than is >, not >=.",
)
def threshold_counted_in(x, threshold=0.5):
    return x >= threshold


@wrong(
    "threshold-always-half",
    replaces="above",
    says="The threshold is always 0.5; that is only its default, the caller may give another.",
)
def threshold_always_half(x, threshold=0.5):
    return x > 0.5


@wrong(
    "mask-of-floats",
    replaces="above",
    says="These are the numbers 0.0 and 1.0. A mask is bool, as the comparison gave it: only then does an index "
    "filter and ~ invert.",
    fact="02.8",
)
def mask_of_floats(x, threshold=0.5):
    return (x > threshold).float()


@wrong(
    "not-below",
    replaces="above",
    says="NaN counts as above: every comparison with it is False, so the opposite of `at most` is not `above`. Ask "
    "for > itself.",
)
def not_below(x, threshold=0.5):
    return ~(x <= threshold)


@wrong(
    "s13-mask-as-index",
    replaces="kept",
    says="These are rows 0 and 1, over and over: integers in an index are positions, not a mask. Make the mask bool.",
)
def mask_as_index(x, keep):
    return x[keep]


@wrong(
    "rows-zeroed",
    replaces="kept",
    says="The other rows became zeros, but are still there; multiplying by a mask drops nothing. Index with it.",
)
def rows_zeroed(x, keep):
    return x * keep.unsqueeze(1)


@wrong(
    "kept-the-others",
    replaces="kept",
    says="These are the rows that are marked with 0; the mask is the wrong way round.",
)
def kept_the_others(x, keep):
    return x[keep == 0]


@wrong(
    "axis-of-nonzero",
    replaces="kept",
    says="There is an axis of size 1 too many: nonzero() gives a matrix, with one row of coordinates for each hit, "
    "and the index takes over its shape.",
)
def axis_of_nonzero(x, keep):
    return x[keep.nonzero()]


@wrong(
    "single-row-flat",
    replaces="kept",
    says="Where a single row is kept, it came back as a vector: with one 1, squeeze() drops that axis as well. One "
    "row is still (1, d).",
)
def single_row_flat(x, keep):
    return x[keep.nonzero().squeeze()]


@wrong(
    "kept-but-flat",
    replaces="kept",
    says="The right numbers, but in one long vector, as masked_select gives them: a mask of x's own shape leaves no "
    "rows. One bool for each row does.",
)
def kept_but_flat(x, keep):
    return x.masked_select(keep.bool()[:, None])


@wrong(
    "one-position-too-many",
    replaces="padding_mask",
    says="Every sequence shows one position too many: positions count from 0, so the last token of length n stands at "
    "n - 1.",
)
def one_position_too_many(lengths):
    return torch.arange(int(lengths.max())) <= lengths[:, None]


@wrong(
    "padding-for-tokens",
    replaces="padding_mask",
    says="This is True at the padding, the other way round. Both conventions are in use, so look at which one is "
    "asked: here tokens are True.",
)
def padding_for_tokens(lengths):
    return torch.arange(int(lengths.max())) >= lengths[:, None]


@wrong(
    "position-first",
    replaces="padding_mask",
    says="The axes are swapped: this is (longest, batch). Lengths need the new axis behind, (batch, 1), to have a row "
    "each.",
)
def position_first(lengths):
    return torch.arange(int(lengths.max()))[:, None] < lengths


@wrong(
    "lengths-along-positions",
    replaces="padding_mask",
    says="Positions and lengths were compared entry by entry: torch refuses where there are not as many of both, and "
    "else gives a single row. Unsqueeze the lengths to (batch, 1).",
)
def lengths_along_positions(lengths):
    return torch.arange(int(lengths.max())) < lengths


@wrong(
    "mask-of-ints",
    replaces="padding_mask",
    says="The mask consists of numbers, 0 and 1. As an index these are positions, and ~1 is -2: a mask has to be bool.",
    fact="02.8",
)
def mask_of_ints(lengths):
    return (torch.arange(int(lengths.max())) < lengths[:, None]).long()


@wrong(
    "longest-plus-one",
    replaces="padding_mask",
    says="There is one column too many: positions 0 to n - 1 are n, and arange(n) stops before n.",
)
def longest_plus_one(lengths):
    return torch.arange(int(lengths.max()) + 1) < lengths[:, None]


@wrong(
    "as-many-columns-as-the-batch",
    replaces="padding_mask",
    says="There is a column for each sequence: len(lengths) is the batch. A column stands for a position, and there "
    "are as many as the longest sequence has tokens, lengths.max().",
)
def as_many_columns_as_the_batch(lengths):
    return torch.arange(len(lengths)) < lengths[:, None]


@wrong(
    "future-visible",
    replaces="causal_mask",
    says="Every position sees what comes after it: this is the upper triangle. Row i is for position i, and its "
    "columns j <= i lie below.",
)
def future_visible(n):
    return torch.ones(n, n, dtype=torch.bool).triu()


@wrong(
    "hidden-for-visible",
    replaces="causal_mask",
    says="This is True where a position may not look, the other way round. Both conventions are in use; here True "
    "means visible.",
)
def hidden_for_visible(n):
    return torch.ones(n, n, dtype=torch.bool).triu(diagonal=1)


@wrong(
    "blind-to-itself",
    replaces="causal_mask",
    says="The diagonal is False, so no position sees itself, and the first sees nothing at all; softmax would make "
    "NaN of its row.",
)
def blind_to_itself(n):
    return torch.ones(n, n, dtype=torch.bool).tril(diagonal=-1)


@wrong(
    "causal-floats",
    replaces="causal_mask",
    says="The triangle is right, but of floats 0.0 and 1.0; ~ and masked_fill take bool alone.",
    fact="02.8",
)
def causal_floats(n):
    return torch.ones(n, n).tril()


@wrong(
    "hidden-scores-zero",
    replaces="attention_weights",
    says="A hidden key still gets a weight: its score was set to about 0, and exp(0) is 1. Only -inf becomes 0 in a "
    "softmax.",
)
def hidden_scores_zero(scores, visible):
    return scores.masked_fill(~visible, 0.0).softmax(dim=-1)


@wrong(
    "masked-after-softmax",
    replaces="attention_weights",
    says="The rows do not sum to 1: softmax has shared out weight to the hidden keys, and zeroing it afterwards loses "
    "that. Mask the scores before.",
)
def masked_after_softmax(scores, visible):
    return scores.softmax(dim=-1) * visible


@wrong(
    "visible-hidden",
    replaces="attention_weights",
    says="The visible keys were hidden and the hidden ones shown: masked_fill fills where its mask is True, so it "
    "takes ~visible. A row without any key left is NaN.",
)
def visible_hidden(scores, visible):
    return scores.masked_fill(visible, float("-inf")).softmax(dim=-1)


@wrong(
    "zero-times-inf",
    replaces="attention_weights",
    says="0 * -inf is NaN, not 0: a mask of numbers cannot be multiplied with -inf. Fill with masked_fill or "
    "torch.where.",
)
def zero_times_inf(scores, visible):
    return (scores + (~visible).float() * float("-inf")).softmax(dim=-1)


@wrong(
    "fill-discarded",
    replaces="attention_weights",
    says="This is the softmax over all keys; nothing is hidden. masked_fill returns a new tensor, only masked_fill_ "
    "changes its own.",
)
def fill_discarded(scores, visible):
    scores.masked_fill(~visible, float("-inf"))
    return scores.softmax(dim=-1)


@wrong(
    "softmax-over-queries",
    replaces="attention_weights",
    says="The columns sum to 1, not the rows: the softmax ran over the queries. Each query shares out its weight over "
    "the keys, the last axis.",
)
def softmax_over_queries(scores, visible):
    return scores.masked_fill(~visible, float("-inf")).softmax(dim=-2)


@wrong(
    "hidden-by-a-hundred",
    replaces="attention_weights",
    says="A hidden key wins where the visible scores are lower still: a fill such as -100 or -1e4 is only small "
    "beside scores near 0. -inf is below them all.",
)
def hidden_by_a_hundred(scores, visible):
    return scores.masked_fill(~visible, -100.0).softmax(dim=-1)


@wrong(
    "hidden-by-a-billion",
    replaces="attention_weights",
    says="A hidden key gets a share where the visible scores are as low as the fill, or lower: -1e9 is a number like "
    "any other, which scores can reach. -inf is below them all.",
)
def hidden_by_a_billion(scores, visible):
    return scores.masked_fill(~visible, -1e9).softmax(dim=-1)


@wrong(
    "a-billion-taken-off",
    replaces="attention_weights",
    says="1e9 was taken off the hidden scores, which is lost beside a score of -1e30 and can be undercut. Let them be "
    "-inf: that is below every number.",
)
def a_billion_taken_off(scores, visible):
    return (scores - 1e9 * ~visible).softmax(dim=-1)


@wrong(
    "scores-multiplied",
    replaces="attention_weights",
    says="Multiplying by the mask and normalising gives no softmax: weights are shares of exp(score), scores may be "
    "negative.",
)
def scores_multiplied(scores, visible):
    shown = scores * visible
    return shown / shown.sum(dim=-1, keepdim=True)


@wrong(
    "padding-averaged",
    replaces="masked_mean",
    says="This is the mean over all positions, padding included; the mask was not used.",
)
def padding_averaged(x, mask):
    return x.mean(dim=1)


@wrong(
    "padding-counted",
    replaces="masked_mean",
    says="Padding adds nothing, but it is counted: the sum was divided by the width of the batch. Divide by the "
    "tokens of each sequence.",
)
def padding_counted(x, mask):
    return x.masked_fill(~mask[..., None], 0.0).mean(dim=1)


@wrong(
    "nan-times-zero",
    replaces="masked_mean",
    says="NaN * 0 is NaN, and inf * 0 too: multiplying by the mask does not remove what stands at padding. Fill it "
    "with masked_fill or torch.where.",
)
def nan_times_zero(x, mask):
    return (x * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


@wrong(
    "zero-by-zero",
    replaces="masked_mean",
    says="A sequence without a token is divided 0 by 0, which is NaN. Let the divisor be at least 1.",
)
def zero_by_zero(x, mask):
    return x.masked_fill(~mask[..., None], 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True)


@wrong(
    "batch-averaged",
    replaces="masked_mean",
    says="x[mask] lists the tokens of all sequences in one matrix, so this is one mean for the whole batch; one for "
    "each sequence is asked.",
)
def batch_averaged(x, mask):
    return x[mask].mean(dim=0)


@wrong(
    "divided-by-all-tokens",
    replaces="masked_mean",
    says="The sums are right, but divided by the tokens of the whole batch; count them for each sequence, along axis "
    "1.",
)
def divided_by_all_tokens(x, mask):
    return x.masked_fill(~mask[..., None], 0.0).sum(dim=1) / mask.sum().clamp(min=1)


@wrong(
    "mask-over-features",
    replaces="masked_mean",
    says="The mask lies over the features, not over the positions: with [:, None] it is (batch, 1, seq), and seq "
    "meets dim. Its new axis belongs behind.",
)
def mask_over_features(x, mask):
    return x.masked_fill(~mask[:, None], 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


@wrong(
    "padding-for-mean",
    replaces="masked_mean",
    says="This is the mean of what stands at padding: the mask is the wrong way round, it is True at the tokens.",
)
def padding_for_mean(x, mask):
    return x.masked_fill(mask[..., None], 0.0).sum(dim=1) / (~mask).sum(dim=1, keepdim=True).clamp(min=1)


@wrong(
    "mask-not-inverted",
    replaces="masked_mean",
    says="The tokens were cleared and the padding was summed up: masked_fill fills where its mask is True, so it takes "
    "~mask. The count is that of the tokens.",
)
def mask_not_inverted(x, mask):
    return x.masked_fill(mask[..., None], 0.0).sum(dim=1) / mask.sum(dim=1, keepdim=True).clamp(min=1)


@wrong(
    "counts-without-keepdim",
    replaces="masked_mean",
    says="The counts have shape (batch,), which meets the features: an error, or, where there are as many of both, "
    "feature j is divided by the tokens of sequence j. Keep their axis.",
)
def counts_without_keepdim(x, mask):
    return x.masked_fill(~mask[..., None], 0.0).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
