"""Workers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


def pad(examples: Sequence[tuple[Tensor, Tensor]], padding: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    # Why: the mask comes from the lengths, which only the unpadded sequences tell; a token may look like padding.
    sequences, labels = zip(*examples, strict=True)
    lengths = torch.tensor([len(tokens) for tokens in sequences])
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    return tokens, torch.arange(tokens.shape[1]) < lengths.unsqueeze(1), torch.stack(labels)


def guarded(definitions: str, work: str) -> str:
    # Why: only the file that Python was started with is called "__main__"; in a worker the same file has another name.
    return f'{definitions}\n\nif __name__ == "__main__":\n{textwrap.indent(work, "    ")}\n'


class Noisy(Dataset):
    # Why: torch's global stream is the one thing that a loader seeds anew for each worker and epoch.
    def __init__(self, features: Tensor, spread: float) -> None:
        self.features, self.spread = features, spread

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, i: int) -> Tensor:
        row = self.features[i]
        return row + self.spread * torch.randn(row.shape)


class Lines(IterableDataset):
    # Why: every worker has a copy of the whole stream; each keeps every W-th line, starting at its own number.
    def __init__(self, path: str | Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[str]:
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            for line in islice(file, first, None, step):
                yield line.removesuffix("\n")


def sequence_loader(
    dataset: Dataset, batch_size: int, padding: int = 0, workers: int = 0, start_method: str | None = None
) -> DataLoader:
    # Why: a partial of a module's function is pickled by its name, a lambda has none; a stream has its order already.
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not isinstance(dataset, IterableDataset),
        collate_fn=partial(pad, padding=padding),
        num_workers=workers,
        multiprocessing_context=start_method,
    )
