"""Other right answers to katas/05_data/labels.py."""

import numpy as np
import torch

from torchkatas.bank import right


@right(replaces="class_index")
def index_in_a_loop(labels):
    index = {}
    for label in sorted(labels):
        if label not in index:
            index[label] = len(index)
    return index


@right(replaces="class_index")
def index_by_zip(labels):
    classes = sorted({*labels})
    return dict(zip(classes, range(len(classes)), strict=True))


@right(replaces="class_index")
def index_by_unique(labels):
    return {label: i for i, label in enumerate(np.unique(labels).tolist())}


@right(replaces="encode")
def encode_into_zeros(labels, index):
    numbers = torch.zeros(len(labels), dtype=torch.long)
    for i, label in enumerate(labels):
        numbers[i] = index[label]
    return numbers


@right(replaces="encode")
def encode_by_map(labels, index):
    return torch.LongTensor(list(map(index.__getitem__, labels)))


@right(replaces="encode")
def encode_with_a_message(labels, index):
    unknown = [label for label in labels if label not in index]
    if unknown:
        raise KeyError(f"unknown labels: {unknown}")
    return torch.tensor([index[label] for label in labels]).long()


@right(replaces="decode")
def decode_by_item(numbers, index):
    turned = dict(zip(index.values(), index.keys(), strict=True))
    return [turned[number.item()] for number in numbers]


@right(replaces="decode")
def decode_by_list(numbers, index):
    classes = sorted(index, key=index.get)
    found = []
    for number in numbers:
        if not 0 <= int(number) < len(classes):
            raise KeyError(f"no class has the number {int(number)}")
        found.append(classes[number])
    return found


@right(replaces="decode")
def decode_by_search(numbers, index):
    for number in numbers.tolist():
        if number not in index.values():
            raise KeyError(number)
    return [next(label for label in index if index[label] == number) for number in numbers.tolist()]


@right(replaces="missing_classes")
def missing_by_isin(labels, outputs):
    classes = torch.arange(outputs)
    return classes[~torch.isin(classes, labels)].tolist()


@right(replaces="missing_classes")
def missing_by_counts(labels, outputs):
    counts = torch.bincount(labels[labels >= 0], minlength=outputs)
    return [number for number in range(outputs) if counts[number] == 0]


@right(replaces="missing_classes")
def missing_by_comparison(labels, outputs):
    return [number for number in range(outputs) if not (labels == number).any()]


@right(replaces="check_labels")
def check_one_by_one(labels, outputs):
    for label in labels:
        if label != -100 and (label < 0 or label > outputs - 1):
            raise ValueError(f"{label} is not in range({outputs})")


@right(replaces="check_labels")
def check_by_sets(labels, outputs):
    if bad := set(labels.tolist()).difference(range(outputs), [-100]):
        raise ValueError(f"not allowed: {sorted(bad)}")


@right(replaces="check_labels")
def check_the_extremes(labels, outputs):
    own = labels[labels != -100]
    if own.numel() and own.max() >= outputs:
        raise ValueError(f"{own.max().item()} is too large for {outputs} outputs")
    if own.numel() and own.min() < 0:
        raise ValueError(f"{own.min().item()} is negative")
