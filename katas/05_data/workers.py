"""Workers: batches made in background processes, from data of unequal length, with noise, and from streams."""

from __future__ import annotations

import functools  # noqa: F401
from collections.abc import Iterator, Sequence
from pathlib import Path

import torch  # noqa: F401
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info  # noqa: F401


def pad(examples: Sequence[tuple[Tensor, Tensor]], padding: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    """A batch of sequences of unequal length, as a loader's collate function makes it from a list of examples.

    examples: a list of B pairs: tokens, an int64 tensor (length,), and a label, an int64 tensor of shape (). A length
    may be 0, the longest is not.
    padding: what the tokens are filled up with at their end. A token may have the same number.
    Returns the tokens, int64 of shape (B, longest); a bool mask of that shape, True where a token stands and False at
    padding; and the labels, int64 of shape (B,).

    >>> pad([(torch.tensor([5, 6]), torch.tensor(1)), (torch.tensor([7]), torch.tensor(3))])
    (tensor([[5, 6],
            [7, 0]]), tensor([[ True,  True],
            [ True, False]]), tensor([1, 3]))
    """
    raise NotImplementedError("pad")


def guarded(definitions: str, work: str) -> str:
    """The source of a program that may start worker processes, put together from two pieces of source.

    A worker that is not forked runs the program's file again, under another __name__ ("__mp_main__"), to find the
    functions and classes defined there.

    definitions: source lines with imports, functions and classes. work: source lines that start workers; some may be
    indented, none lies within a string of several lines. Either may end in a newline or not.
    Returns the source of the program: started by hand it runs the definitions and then the work, in a worker the
    definitions alone.

    >>> exec(guarded("def greet(): print('hello')", "greet()"), {"__name__": "__main__"})
    hello
    """
    raise NotImplementedError("guarded")


class Noisy(Dataset):
    """A dataset whose features come with noise, as augmentation adds it: other noise each time.

    features: a float32 tensor (N, D), not changed. spread: the standard deviation of the noise, a float.
    Its length is N. dataset[i] is row i plus noise, a float32 tensor (D,); each number of the row has its own noise,
    normally distributed around 0. An i past the end raises IndexError.
    The noise is drawn from torch's global random stream when an example is asked for. A DataLoader seeds that stream in
    each worker and epoch differently, so that no two draw the same; and from the same seed it is the same again.

    >>> dataset = Noisy(torch.zeros(5, 3), spread=0.1)
    >>> len(dataset), dataset[4].shape, torch.equal(dataset[4], dataset[4])
    (5, torch.Size([3]), False)
    """

    def __init__(self, features: Tensor, spread: float) -> None:
        raise NotImplementedError("Noisy.__init__")

    def __len__(self) -> int:
        raise NotImplementedError("Noisy.__len__")

    def __getitem__(self, i: int) -> Tensor:
        raise NotImplementedError("Noisy.__getitem__")


class Lines(IterableDataset):
    """A stream of the lines of a text file, shared out over the workers of a DataLoader.

    path: a UTF-8 file of lines that end in a newline; the last one may end without.
    Iterating over it gives the lines as str, without the newline and else as they are, in the file's order; each `for`
    starts again at the first line.
    In a worker, one of W, it gives this worker's share: the shares of all workers together have each line once, none
    has more than a W-th of the lines, rounded up, and each is in the file's order.
    It can be pickled, since that is how it comes to a worker.

    >>> stream = Lines("katas/05_data/iris.csv")
    >>> next(iter(stream))
    'sepal_length,sepal_width,petal_length,petal_width,species'
    """

    def __init__(self, path: str | Path) -> None:
        raise NotImplementedError("Lines.__init__")

    def __iter__(self) -> Iterator[str]:
        raise NotImplementedError("Lines.__iter__")


def sequence_loader(
    dataset: Dataset, batch_size: int, padding: int = 0, workers: int = 0, start_method: str | None = None
) -> DataLoader:
    """A loader of sequences, whose batches are made by `pad`, in the background if there are workers.

    dataset: a map-style dataset or an IterableDataset of pairs as pad takes them. A map-style dataset is shuffled, anew
    in each epoch; an IterableDataset comes in its own order. No example is left out.
    padding: what pad fills up with. workers: the number of worker processes.
    start_method: how workers are started, one of multiprocessing.get_all_start_methods(), for this loader alone; None
    leaves it to the platform. It is given only if there are workers.
    Returns a DataLoader. What it hands to its workers can be pickled if the dataset can, for spawn and forkserver.

    >>> pairs = [(torch.tensor([i] * (i + 1)), torch.tensor(i)) for i in range(3)]
    >>> [tokens.shape[0] for tokens, mask, labels in sequence_loader(pairs, batch_size=2)]
    [2, 1]
    """
    raise NotImplementedError("sequence_loader")
