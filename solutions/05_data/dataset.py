"""Datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor
from torch.utils.data import Dataset, Subset


class Scaled(Dataset):
    # Why: a tensor multiplies number by number whatever the index gave; a Python list times 2 is the list twice.
    def __init__(self, values: Sequence[float], factor: float) -> None:
        self.values = torch.tensor(values)
        self.factor = factor

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, i: int | slice) -> Tensor:
        return self.values[i] * self.factor


class Examples(Dataset):
    # Why: dtypes and lengths are settled once, where the data comes in, so that no batch can fail over them later.
    def __init__(self, features: Tensor, labels: Tensor) -> None:
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} rows of features, but {len(labels)} labels")
        if len(features) == 0:
            raise ValueError("the dataset is empty")
        self.features = features.to(torch.float32)
        self.labels = labels.to(torch.int64)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        return self.features[i], self.labels[i]


class Table(Dataset):
    # Why: sorted names give each class the same number on every run and machine, in whatever order the rows stand.
    def __init__(self, path: str | Path) -> None:
        _, *lines = Path(path).read_text(encoding="utf-8").splitlines()
        rows = [line.split(",") for line in lines if line.strip()]
        self.classes = sorted({row[-1] for row in rows})
        self.features = torch.tensor([[float(number) for number in row[:-1]] for row in rows])
        self.labels = torch.tensor([self.classes.index(row[-1]) for row in rows])

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        return self.features[i], self.labels[i]


class OnDemand(Dataset):
    # Why: only __getitem__ reads, once, and the bounds are checked before it; so memory holds one example at a time.
    def __init__(self, read: Callable[[int], tuple[list[float], int]], n: int) -> None:
        self.read, self.n = read, n

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        if not -self.n <= i < self.n:
            raise IndexError(f"there is no example {i} of {self.n}")
        features, label = self.read(i % self.n)
        return torch.tensor(features), torch.tensor(label)


class _Transformed(Dataset):
    def __init__(self, dataset: Dataset, transform: Callable[[Tensor], Tensor]) -> None:
        self.dataset, self.transform = dataset, transform

    def __len__(self) -> int:
        return len(self.dataset)  # type: ignore[arg-type]

    def __getitem__(self, i: int) -> tuple[Tensor, Tensor]:
        features, label = self.dataset[i]
        return self.transform(features), label


def split(dataset: Dataset, held_out: int, transform: Callable[[Tensor], Tensor], seed: int) -> tuple[Dataset, Dataset]:
    # Why: the transform is wrapped around one part; set on the dataset that both share, it would reach the other too.
    order = torch.randperm(len(dataset), generator=torch.Generator().manual_seed(seed)).tolist()  # type: ignore[arg-type]
    return _Transformed(Subset(dataset, order[held_out:]), transform), Subset(dataset, order[:held_out])
