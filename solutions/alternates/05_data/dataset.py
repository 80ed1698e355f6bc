"""Other right answers to katas/05_data/dataset.py."""

import copy
import csv
import random

import numpy as np
import torch
from torch.utils.data import Dataset, TensorDataset, random_split

from torchkatas.bank import right


@right(replaces="Scaled")
class ScaledBeforehand(Dataset):
    def __init__(self, values, factor):
        self.scaled = torch.tensor(values).mul(factor)

    def __len__(self):
        return self.scaled.shape[0]

    def __getitem__(self, i):
        return self.scaled[i]


@right(replaces="Scaled")
class ScaledOneByOne(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = values, factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return torch.tensor([v * self.factor for v in self.values[i]])
        return torch.tensor(self.values[i] * self.factor)


@right(replaces="Scaled")
class ScaledFromNumpy(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = np.asarray(values, dtype=np.float32), factor

    def __len__(self):
        return self.values.size

    def __getitem__(self, i):
        return torch.as_tensor(self.values[i], dtype=torch.float32) * self.factor


@right(replaces="Examples")
class ExamplesOnTensorDataset(TensorDataset):
    def __init__(self, features, labels):
        if features.size(0) != labels.size(0):
            raise ValueError(f"features: {tuple(features.shape)}, labels: {tuple(labels.shape)}")
        if not features.size(0):
            raise ValueError("An Empty dataset")
        super().__init__(features.float(), labels.long())


@right(replaces="Examples")
class ExamplesCastWhenAsked(Dataset):
    def __init__(self, features, labels):
        n, m = len(features), len(labels)
        if n != m or n == 0:
            raise ValueError(f"{n} != {m}" if n != m else "empty")
        self.features, self.labels = features.clone(), labels.clone()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        if i >= len(self) or i < -len(self):
            raise IndexError("no such example")
        return self.features[i].type(torch.float32), self.labels[i].to(torch.long)


@right(replaces="Examples")
class ExamplesAsAList(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} features and {len(labels)} labels")
        self.pairs = list(zip(features.float().unbind(), labels.long().unbind(), strict=True))
        if not self.pairs:
            raise ValueError("empty")

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


@right(replaces="Table")
class TableByCsvReader(Dataset):
    def __init__(self, path):
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.reader(file)
            next(reader)
            self.rows = [row for row in reader if row]
        self.classes = sorted(set(name for *_, name in self.rows))
        self.number = {name: i for i, name in enumerate(self.classes)}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        *numbers, name = self.rows[i]
        features = torch.tensor([float(number) for number in numbers], dtype=torch.float32)
        return features, torch.tensor(self.number[name])


@right(replaces="Table")
class TableByNumpy(Dataset):
    def __init__(self, path):
        cells = np.loadtxt(path, delimiter=",", skiprows=1, dtype=str, encoding="utf-8")
        names, numbers = np.unique(cells[:, -1], return_inverse=True)
        self.classes = names.tolist()
        self.pairs = TensorDataset(
            torch.from_numpy(cells[:, :-1].astype(np.float32)), torch.from_numpy(numbers.astype(np.int64))
        )

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, i):
        return self.pairs[i]


@right(replaces="OnDemand")
class OnDemandByRange(Dataset):
    def __init__(self, read, n):
        self._read, self._places = read, range(n)

    def __len__(self):
        return len(self._places)

    def __getitem__(self, i):
        features, label = self._read(self._places[i])
        return torch.FloatTensor(features), torch.tensor(label, dtype=torch.int64)


@right(replaces="OnDemand")
class OnDemandInSteps(Dataset):
    def __init__(self, read, n):
        self.read = read
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i < 0:
            i += len(self)
        if i < 0 or i >= len(self):
            raise IndexError(i)
        example = self.read(i)
        return torch.tensor(example[0]), torch.tensor(example[1]).long()


class _WithTransform(Dataset):
    def __init__(self, part, transform=None):
        self.part, self.transform = part, transform

    def __len__(self):
        return len(self.part)

    def __getitem__(self, i):
        features, label = self.part[i]
        if self.transform is not None:
            features = self.transform(features)
        return features, label


@right(replaces="split")
def split_by_random_split(dataset, held_out, transform, seed):
    sizes = [len(dataset) - held_out, held_out]
    training, held = random_split(dataset, sizes, generator=torch.Generator().manual_seed(seed))
    return _WithTransform(training, transform), _WithTransform(held)


@right(replaces="split")
def split_by_pythons_random(dataset, held_out, transform, seed):
    order = random.Random(seed).sample(range(len(dataset)), k=len(dataset))
    training = torch.utils.data.Subset(dataset, order[:-held_out])
    return _WithTransform(training, transform), [dataset[i] for i in order[-held_out:]]


@right(replaces="split")
def split_with_two_wholes(dataset, held_out, transform, seed):
    order = np.random.default_rng(seed).permutation(len(dataset)).tolist()
    changing = _WithTransform(copy.deepcopy(dataset), transform)
    parts = (changing, order[held_out:]), (dataset, order[:held_out])
    return tuple(torch.utils.data.Subset(whole, at) for whole, at in parts)
