"""The specification of masks.py."""

import itertools
import math

import pytest
import torch

NAN = math.nan


@pytest.mark.fact("02.8")
def test_above_one_half(kata, check):
    """Catches .bool() for a threshold: it is True for whatever differs from 0, NaN included."""
    numbers = [0.2, -1.0, 0.0, 0.9, NAN, 0.5, 0.625, 1.5, -0.75]
    right = torch.tensor([number > 0.5 for number in numbers])
    check(kata.above, x=torch.tensor(numbers)).gives(right, exact=True)


@pytest.mark.fact("02.8")
@pytest.mark.parametrize("threshold", [-0.25, 2.0])
def test_above_another_threshold(kata, check, threshold):
    """Catches a threshold that is always 0.5."""
    numbers = [[0.2, -1.0, 1.5], [2.5, -0.25, 2.0]]
    right = torch.tensor([[number > threshold for number in row] for row in numbers])
    check(kata.above, x=torch.tensor(numbers), threshold=threshold).gives(right, exact=True)


ROWS = [[1.0, 2.0], [3.0, -4.0], [5.0, 6.5], [-7.0, 8.0], [9.0, 0.5]]


def test_kept(kata, check):
    """Catches zeros and ones that are taken for row numbers, and rows that are zeroed, not dropped."""
    right = torch.tensor([ROWS[1], ROWS[2], ROWS[4]])
    check(kata.kept, x=torch.tensor(ROWS), keep=torch.tensor([0, 1, 1, 0, 1])).gives(right, exact=True)


def test_kept_of_few_rows_and_all(kata, check):
    """Catches a matrix that loses an axis where it has a single row, or none."""
    keeps = [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 1, 1, 0]]
    right = [torch.tensor([row for row, one in zip(ROWS, keep, strict=True) if one]).reshape(-1, 2) for keep in keeps]

    check.each(kata.kept, [(torch.tensor(ROWS), torch.tensor(keep)) for keep in keeps]).gives(right, exact=True)


@pytest.mark.fact("02.8")
@pytest.mark.parametrize("lengths", [[2, 4, 1], [3, 0, 2], [5], [2, 1, 2, 1]], ids=str)
def test_padding_mask(kata, check, lengths):
    """Catches one position too many, the mask of the padding, axes that come out swapped, and a width of the batch."""
    right = torch.tensor([[at < length for at in range(max(lengths))] for length in lengths])
    check(kata.padding_mask, lengths=torch.tensor(lengths)).gives(right, exact=True)


@pytest.mark.fact("02.8")
@pytest.mark.parametrize("n", [4, 1, 3])
def test_causal_mask(kata, check, n):
    """Catches a view of the future, a diagonal that is hidden, and numbers where bools are asked."""
    right = torch.tensor([[j <= i for j in range(n)] for i in range(n)])
    check(kata.causal_mask, n=n).gives(right, exact=True)


CAUSAL = [[True, False, False, False], [True, True, False, False], [True, True, True, False]]


@pytest.mark.parametrize("batch", [2, 1])
def test_attention_weights_of_a_causal_mask(kata, check, batch):
    """Catches 0 for -inf, a mask put on after the softmax, the mask upside down, and NaN made of 0 * -inf."""
    scores = torch.tensor(
        [[[1.0, 3, 2, 0.5], [0.25, -1, 5, 2], [2, 1, -2, 4]], [[0, 1, 2, 3], [4, 2, 1, 1], [-1, 0, 1, 2]]]
    )
    scores, visible = scores[:batch], torch.tensor(CAUSAL)

    check(kata.attention_weights, scores=scores, visible=visible).gives(softmax_of_the_visible(scores, visible))


def test_attention_weights_of_extreme_scores(kata, check):
    """Catches hidden scores that are only made small: below a row of scores near -1000 they would still win."""
    scores = torch.tensor([[[-1000.0, -1001.0, -999.0], [1000.0, 999.0, 1001.0], [-20.0, 20.0, -1000.0]]])
    visible = torch.tensor([[True, True, False], [False, True, True], [True, False, True]])

    check(kata.attention_weights, scores=scores, visible=visible).gives(softmax_of_the_visible(scores, visible))


def test_attention_weights_of_scores_below_any_fill(kata, check):
    """Catches -1e9 for -inf, filled in or added: it is a number that scores can reach."""
    scores = torch.tensor([[[-1e9, 2.0, -3e9], [-1e30, -1e30, -1e30], [0.5, 4.0, -1e38]]])
    visible = torch.tensor([[True, False, True], [True, True, False], [False, False, True]])

    check(kata.attention_weights, scores=scores, visible=visible).gives(softmax_of_the_visible(scores, visible))


def test_attention_weights_of_padded_keys(kata, check):
    """Catches a mask that is taken for one of queries: here it has the shape (batch, 1, keys)."""
    scores = torch.tensor([[[1.0, 2, 0], [3, 1, 2]], [[0.5, 2, -1], [-3, 1, 1.5]]])
    visible = torch.tensor([[[True, True, False]], [[True, True, True]]])

    check(kata.attention_weights, scores=scores, visible=visible).gives(softmax_of_the_visible(scores, visible))


def softmax_of_the_visible(scores, visible):
    """Row by row, over the visible entries alone, in float64."""
    visible = visible.expand_as(scores)
    right = torch.zeros_like(scores)
    for b, q in itertools.product(range(scores.shape[0]), range(scores.shape[1])):
        at = [k for k in range(scores.shape[2]) if visible[b, q, k]]
        highest = max(scores[b, q, k].item() for k in at)
        shares = [math.exp(scores[b, q, k].item() - highest) for k in at]
        for k, share in zip(at, shares, strict=True):
            right[b, q, k] = share / sum(shares)
    return right


@pytest.mark.parametrize("batch", [3, 1, 2])
def test_masked_mean(kata, check, batch):
    """Catches padding that is added up or counted, a mean over the whole batch, and the mask laid over the features."""
    x = torch.tensor([-3.0, 1, 4, -1, 5, 9, -2, 6, 5, 3, -5, 8, 9, 7, 9, 3, 2, 3, -8, 4, 6, 2, 6, 4, 3, 3, 8])
    x = x.reshape(3, 3, 3)[:batch]
    mask = torch.tensor([[True, True, False], [True, True, False], [True, True, True]])[:batch]

    check(kata.masked_mean, x=x, mask=mask).gives(mean_of_the_tokens(x, mask))


def test_masked_mean_where_padding_is_not_a_number(kata, check):
    """Catches NaN * 0 and inf * 0, which are NaN."""
    x = torch.tensor([[[1.0, -2.0], [3.0, 7.0], [NAN, 5.0]], [[5.0, 0.5], [math.inf, 4.0], [2.0, NAN]]])
    mask = torch.tensor([[True, False, False], [True, False, False]])

    check(kata.masked_mean, x=x, mask=mask).gives(mean_of_the_tokens(x, mask))


def test_masked_mean_of_no_token(kata, check):
    """Catches 0 / 0 for a sequence that is all padding."""
    x = torch.tensor([[[1.0, -2.0], [4.0, 8.0]], [[3.0, 5.0], [7.0, 9.0]]])
    mask = torch.tensor([[False, False], [True, True]])

    check(kata.masked_mean, x=x, mask=mask).gives(torch.tensor([[0.0, 0.0], [5.0, 7.0]]))


def mean_of_the_tokens(x, mask):
    rows = [[x[b, s] for s in range(x.shape[1]) if mask[b, s]] for b in range(x.shape[0])]
    return torch.stack([sum(row) / len(row) for row in rows])
