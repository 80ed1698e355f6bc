"""Other right answers to katas/05_data/workers.py."""

import math
import multiprocessing
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
import torch.utils.data
from torch.utils.data import DataLoader, Dataset, IterableDataset, RandomSampler, get_worker_info

from torchkatas.bank import right


@right(replaces="pad")
def pad_into_full(examples, padding=0):
    longest = max(len(tokens) for tokens, _ in examples)
    tokens = torch.full((len(examples), longest), padding)
    mask = torch.zeros(len(examples), longest, dtype=torch.bool)
    for i, (row, _) in enumerate(examples):
        tokens[i, : len(row)] = row
        mask[i, : len(row)] = True
    return tokens, mask, torch.tensor([int(label) for _, label in examples])


@right(replaces="pad")
def pad_row_by_row(examples, padding=0):
    longest = max(tokens.numel() for tokens, _ in examples)
    rows, masks, labels = [], [], []
    for tokens, label in examples:
        rest = longest - tokens.numel()
        rows.append(F.pad(tokens, (0, rest), value=padding))
        masks.append(F.pad(torch.ones_like(tokens, dtype=torch.bool), (0, rest), value=False))
        labels.append(label)
    return torch.stack(rows), torch.stack(masks), torch.stack(labels)


@right(replaces="guarded")
def guarded_with_a_main(definitions, work):
    lines = ["def main():", *(f"    {line}" for line in work.splitlines()), ""]
    return "\n".join([definitions, *lines, 'if __name__ == "__main__":', "    main()", ""])


@right(replaces="guarded")
def guarded_by_exec(definitions, work):
    return f"{definitions}\nif __name__ == '__main__':\n    exec({work!r})\n"


@right(replaces="Noisy")
class NoisyByNormal(Dataset):
    def __init__(self, features, spread):
        self.features = features.clone()
        self.spread = spread

    def __len__(self):
        return self.features.size(0)

    def __getitem__(self, i):
        return torch.normal(self.features[i], self.spread)


@right(replaces="Noisy")
class NoisyInPlaceOnItsOwn(Dataset):
    def __init__(self, features, spread):
        self.rows, self.spread = list(features), spread

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        noise = torch.empty_like(self.rows[i]).normal_()
        return noise.mul_(self.spread).add_(self.rows[i])


@right(replaces="Lines")
class LinesByRemainder(IterableDataset):
    def __init__(self, path):
        self.path = Path(path)

    def __iter__(self):
        info = get_worker_info()
        with self.path.open(encoding="utf-8") as file:
            for i, line in enumerate(file):
                if info is None or i % info.num_workers == info.id:
                    yield line.rstrip("\n")


@right(replaces="Lines")
class LinesInBlocks(IterableDataset):
    def __init__(self, path):
        self.path = path

    def _all(self):
        text = Path(self.path).read_text(encoding="utf-8")
        return text.split("\n")[:-1] if text.endswith("\n") or not text else text.split("\n")

    def __iter__(self):
        lines, info = self._all(), torch.utils.data.get_worker_info()
        if info is not None:
            share = math.ceil(len(lines) / info.num_workers)
            lines = lines[info.id * share : (info.id + 1) * share]
        return iter(lines)


class _Collate:
    def __init__(self, padding):
        self.padding = padding

    def __call__(self, examples):
        return pad(examples, self.padding)  # noqa: F821


@right(replaces="sequence_loader")
def loader_with_a_callable(dataset, batch_size, padding=0, workers=0, start_method=None):
    shuffle = None if isinstance(dataset, IterableDataset) else True
    extra = {"multiprocessing_context": multiprocessing.get_context(start_method)} if workers else {}
    return DataLoader(dataset, batch_size, shuffle=shuffle, collate_fn=_Collate(padding), num_workers=workers, **extra)


@right(replaces="sequence_loader")
def loader_with_a_sampler(dataset, batch_size, padding=0, workers=0, start_method=None):
    collate = partial(pad, padding=padding)  # noqa: F821
    context = torch.multiprocessing.get_context(start_method) if start_method else None
    if isinstance(dataset, IterableDataset):
        return DataLoader(dataset, batch_size, collate_fn=collate, num_workers=workers, multiprocessing_context=context)
    return DataLoader(
        dataset,
        batch_size,
        sampler=RandomSampler(dataset),
        collate_fn=collate,
        num_workers=workers,
        multiprocessing_context=context,
        persistent_workers=workers > 0,
    )
