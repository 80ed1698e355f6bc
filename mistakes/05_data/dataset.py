"""Wrong answers to katas/05_data/dataset.py."""

from copy import copy
from functools import cache

import numpy as np
import torch
from torch.utils.data import Dataset, Subset, TensorDataset, random_split

from torchkatas.bank import wrong

# ---- Scaled


@wrong(
    "x19-list-slicing",
    replaces="Scaled",
    says="A slice of a Python list times 2 is that list twice, with no number doubled, and times 0.5 it is a "
    "TypeError. Keep the values in a tensor: that multiplies number by number.",
)
class ListSlicing(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = values, factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return torch.tensor(self.values[i] * self.factor)


@wrong(
    "scaled-index-wraps",
    replaces="Scaled",
    says="Past the end it starts again from the front, so a `for` loop over the dataset never ends. An index that is "
    "not there has to raise IndexError, as a tensor does by itself.",
    fact="05.1",
)
class ScaledIndexWraps(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i if isinstance(i, slice) else i % len(self.values)] * self.factor


@wrong(
    "scaled-index-stops-at-the-last",
    replaces="Scaled",
    says="Past the end the last number comes again and again, and a `for` loop over the dataset never ends. An index "
    "that is not there has to raise IndexError.",
    fact="05.1",
)
class ScaledIndexStopsAtTheLast(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        n = len(self.values)
        return self.values[i if isinstance(i, slice) else max(-n, min(i, n - 1))] * self.factor


@wrong(
    "scaled-past-end-keyerror",
    replaces="Scaled",
    says="Past the end a KeyError comes, as from a dict. A `for` loop ends at an IndexError alone, any other error "
    "goes through to the caller.",
    fact="05.1",
)
class ScaledPastEndKeyError(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if not isinstance(i, slice) and not -len(self.values) <= i < len(self.values):
            raise KeyError(i)
        return self.values[i] * self.factor


@wrong(
    "scaled-past-end-none",
    replaces="Scaled",
    says="Past the end None comes back, as if there were an example, and a `for` loop over the dataset never ends. "
    "Raise IndexError there.",
    fact="05.1",
)
class ScaledPastEndNone(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if isinstance(i, slice) or -len(self.values) <= i < len(self.values):
            return self.values[i] * self.factor
        return None


@wrong(
    "scaled-negative-refused",
    replaces="Scaled",
    says="A negative index is refused. In Python -1 is the last, and a tensor knows that: only below -N there is "
    "nothing.",
)
class ScaledNegativeRefused(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if not isinstance(i, slice) and not 0 <= i < len(self.values):
            raise IndexError(i)
        return self.values[i] * self.factor


@wrong(
    "scaled-counts-from-one",
    replaces="Scaled",
    says="The index is off by one: dataset[1] is the first number and dataset[0] the last. Indices start at 0.",
    fact="05.1",
)
class ScaledCountsFromOne(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i if isinstance(i, slice) else i - 1] * self.factor


@wrong(
    "scaled-python-number",
    replaces="Scaled",
    says="A single number comes back as a Python float; the items of this dataset are tensors, here of shape ().",
)
class ScaledPythonNumber(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        scaled = self.values[i] * self.factor
        return scaled if isinstance(i, slice) else scaled.item()


@wrong(
    "scaled-in-float64",
    replaces="Scaled",
    says="The numbers are float64, as NumPy makes them of Python floats. Layers are float32 and refuse to mix: cast "
    "when the data comes in.",
)
class ScaledInFloat64(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.from_numpy(np.array(values)), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i] * self.factor


@wrong(
    "scaled-keeps-the-axis",
    replaces="Scaled",
    says="A single item has an axis of size 1: it was taken as a slice or put into a list. The loader adds the axis "
    "of the batch itself, and one example has shape ().",
)
class ScaledKeepsTheAxis(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return torch.atleast_1d(self.values[i] * self.factor)


@wrong(
    "scaled-where-it-is-stored",
    replaces="Scaled",
    says="Each time an item is asked for it is larger by the factor once more: an item of a tensor is a view, and *= "
    "or mul_ changes the stored number. Multiply into a new tensor.",
)
class ScaledWhereItIsStored(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        item = self.values[i]
        item *= self.factor
        return item


@wrong(
    "scaled-last-index-for-length",
    replaces="Scaled",
    says="The length is one less than there are values: the last index is N - 1, the length is N. A loader would "
    "never ask for the last example.",
    fact="05.1",
)
class ScaledLastIndexForLength(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values) - 1

    def __getitem__(self, i):
        return self.values[i] * self.factor


@wrong(
    "scaled-slice-in-a-list",
    replaces="Scaled",
    says="A slice comes back as a list of tensors; it is to be one tensor, of shape (2,) for two numbers.",
)
class ScaledSliceInAList(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = values, factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [torch.tensor(value * self.factor) for value in self.values[i]]
        return torch.tensor(self.values[i] * self.factor)


@wrong(
    "scaled-slice-compared",
    replaces="Scaled",
    says="A slice was compared with a number: dataset[1:3] hands a slice object to __getitem__, which is no number. A "
    "tensor takes either and checks the bounds itself.",
)
class ScaledSliceCompared(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if i >= len(self.values) or i < -len(self.values):
            raise IndexError(i)
        return self.values[i] * self.factor


@wrong(
    "scaled-far-below-the-front",
    replaces="Scaled",
    says="Below -N it counts on from the end once more, as % does: -N - 1 is not there, as N is not, and IndexError is "
    "asked for both.",
    fact="05.1",
)
class ScaledFarBelowTheFront(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self.values[i] * self.factor
        if i >= len(self.values):
            raise IndexError(i)
        return self.values[i % len(self.values)] * self.factor


@wrong(
    "scaled-whole-factor",
    replaces="Scaled",
    says="The factor was cut to a whole number: with 0.5 all becomes 0. It may be a float.",
)
class ScaledWholeFactor(Dataset):
    def __init__(self, values, factor):
        self.values, self.factor = torch.tensor(values), int(factor)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i] * self.factor


@wrong(
    "scaled-values-of-the-class",
    replaces="Scaled",
    says="A second dataset changes the first one: what is stored on the class, Scaled.values, is there once for all. "
    "self.values belongs to one dataset.",
)
class ScaledValuesOfTheClass(Dataset):
    def __init__(self, values, factor):
        type(self).values, type(self).factor = torch.tensor(values), factor

    def __len__(self):
        return len(self.values)

    def __getitem__(self, i):
        return self.values[i] * self.factor


# ---- Examples


@wrong(
    "x20-size-mismatch",
    replaces="Examples",
    says="An AssertionError came, as TensorDataset raises it for unequal lengths: it says nothing about how many "
    "there are, and python -O drops it. Compare the lengths first, and raise ValueError with both in the message.",
)
class SizeMismatch(TensorDataset):
    def __init__(self, features, labels):
        if len(features) == len(labels) == 0:
            raise ValueError("empty")
        super().__init__(features.float(), labels.long())


@wrong(
    "lengths-not-compared",
    replaces="Examples",
    says="Features and labels of different length were taken without a word, and its length is that of the features. "
    "From the first row that is missing on, rows and labels belong to different examples: compare the lengths and "
    "raise ValueError.",
)
class LengthsNotCompared(Dataset):
    def __init__(self, features, labels):
        if len(features) == len(labels) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "longer-one-cut",
    replaces="Examples",
    says="The longer of features and labels was cut to the shorter. That hides the mistake: nobody knows which row is "
    "missing, or whether the rest still belongs together. Raise ValueError.",
)
class LongerOneCut(Dataset):
    def __init__(self, features, labels):
        n = min(len(features), len(labels))
        if len(features) == len(labels) == 0:
            raise ValueError("empty")
        self.features, self.labels = features[:n].float(), labels[:n].long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "lengths-refused-without-numbers",
    replaces="Examples",
    says="ValueError is right, but its message does not have both lengths in it, which is what one wants to know then.",
)
class LengthsRefusedWithoutNumbers(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError("features and labels differ in length")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "empty-dataset-accepted",
    replaces="Examples",
    says="A dataset of no examples was made: nothing fails then, but every mean over it is 0 / 0. Raise ValueError.",
)
class EmptyDatasetAccepted(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "dtypes-left-as-they-come",
    replaces="Examples",
    says="Features and labels keep the dtypes that they came in, float64 from NumPy for instance; a layer takes "
    "float32, cross_entropy int64. A cast returns a new tensor: keep that one.",
)
class DtypesLeftAsTheyCome(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        features.float(), labels.long()
        self.features, self.labels = features, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "labels-made-floats",
    replaces="Examples",
    says="The labels are floats. A class label is a number of a class, int64: for cross_entropy a float target means "
    "something else, probabilities.",
)
class LabelsMadeFloats(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.float()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "label-in-a-list",
    replaces="Examples",
    says="A label has shape (1,): in a batch they become (B, 1), which cross_entropy refuses. One label has shape (), "
    "and the loader makes (B,) of them.",
)
class LabelInAList(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i].unsqueeze(0)


@wrong(
    "row-keeps-its-axis",
    replaces="Examples",
    says="The features of one example are (1, D), with an axis of size 1 in front: that of the batch, which is the "
    "loader's to add. One row has shape (D,).",
)
class RowKeepsItsAxis(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i][None], self.labels[i]


@wrong(
    "example-past-the-end-from-the-front",
    replaces="Examples",
    says="Past the end the examples start again from the front: a `for` loop over the dataset never ends. IndexError "
    "is what ends it.",
    fact="05.1",
)
class ExamplePastTheEndFromTheFront(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        i %= len(self.labels)
        return self.features[i], self.labels[i]


@wrong(
    "width-for-length",
    replaces="Examples",
    says="The length is that of a row, D, not the number of examples, N: a loader would ask for D of them.",
    fact="05.1",
)
class WidthForLength(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} and {len(labels)}")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return self.features.shape[-1]

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "label-before-features",
    replaces="Examples",
    says="The pair is the wrong way round: the features come first, then the label.",
    fact="05.1",
)
class LabelBeforeFeatures(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} rows of features, {len(labels)} labels")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        return self.labels[i], self.features[i]


@wrong(
    "label-as-a-python-int",
    replaces="Examples",
    says="The label is a Python int; a tensor of shape () is asked, int64.",
    fact="05.1",
)
class LabelAsAPythonInt(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} rows of features, {len(labels)} labels")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.tolist()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


@wrong(
    "example-counted-from-the-end-refused",
    replaces="Examples",
    says="A negative index is refused; -1 is to be the last example, -N the first. A tensor counts so by itself.",
    fact="05.1",
)
class ExampleCountedFromTheEndRefused(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} rows of features, {len(labels)} labels")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        if not 0 <= i < len(self.features):
            raise IndexError("no such example")
        return self.features[i], self.labels[i]


@wrong(
    "example-far-below-the-front",
    replaces="Examples",
    says="Below -N the examples are counted on from the end once more, as % does: -N - 1 is not there, as N is not, "
    "and IndexError is asked for both.",
    fact="05.1",
)
class ExampleFarBelowTheFront(Dataset):
    def __init__(self, features, labels):
        if len(features) != len(labels):
            raise ValueError(f"{len(features)} rows of features, {len(labels)} labels")
        if len(features) == 0:
            raise ValueError("empty")
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        return len(self.features)

    def __getitem__(self, i):
        if i >= len(self.features):
            raise IndexError(i)
        return self.features[i % len(self.features)], self.labels[i % len(self.features)]


@wrong(
    "lengths-compared-when-asked",
    replaces="Examples",
    says="The dataset was made, and the error comes only when its length is asked, which may be much later: the check "
    "belongs into __init__.",
)
class LengthsComparedWhenAsked(Dataset):
    def __init__(self, features, labels):
        self.features, self.labels = features.float(), labels.long()

    def __len__(self):
        if len(self.features) != len(self.labels):
            raise ValueError(f"{len(self.features)} rows of features, {len(self.labels)} labels")
        if len(self.features) == 0:
            raise ValueError("empty")
        return len(self.features)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


# ---- Table


class _Rows(Dataset):
    """What the wrong tables have in common."""

    def _keep(self, features, labels):
        self.features, self.labels = features, labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.features[i], self.labels[i]


def _numbers(rows):
    return torch.tensor([[float(number) for number in row[:-1]] for row in rows])


@wrong(
    "names-taken-for-an-example",
    replaces="Table",
    says="The first line was taken for an example, and the name of a column is no number. Skip that line.",
    fact="05.1",
)
class NamesTakenForAnExample(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines() if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "first-flower-lost",
    replaces="Table",
    says="The first example is missing: two lines were skipped at the top of the file, where one has the names.",
    fact="05.1",
)
class FirstFlowerLost(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            next(file)
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "table-in-float64",
    replaces="Table",
    says="The features are float64, as NumPy reads them. The layers behind are float32 and refuse to mix.",
)
class TableInFloat64(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        numbers = torch.from_numpy(np.array([row[:-1] for row in rows], dtype=float))
        self._keep(numbers, torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "label-among-the-features",
    replaces="Table",
    says="There is one feature too many: the number of the class stands among them, last. A model would read the "
    "answer off its input, and be right always until real data comes.",
)
class LabelAmongTheFeatures(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        labels = torch.tensor([self.classes.index(row[-1]) for row in rows])
        self._keep(torch.cat([_numbers(rows), labels[:, None].float()], dim=1), labels)


@wrong(
    "classes-as-they-appear",
    replaces="Table",
    says="The classes are numbered in the order in which the file has them: another file, or the same one sorted, "
    "gives other numbers to the same names. Sort the names.",
)
class ClassesAsTheyAppear(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = list(dict.fromkeys(row[-1] for row in rows))
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "classes-sorted-labels-not",
    replaces="Table",
    says="`classes` is sorted, but the labels are numbered in the order of appearance: classes[label] is then another "
    "name. Both have to come from one list.",
)
class ClassesSortedLabelsNot(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        numbers = {name: i for i, name in enumerate(dict.fromkeys(row[-1] for row in rows))}
        self.classes = sorted(numbers)
        self._keep(_numbers(rows), torch.tensor([numbers[row[-1]] for row in rows]))


@wrong(
    "newline-in-the-class-name",
    replaces="Table",
    says="Names of classes still have the end of their line, '\\n'; where the last line has none, its class counts as "
    "another one. Strip the line before it is split.",
)
class NewlineInTheClassName(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.readlines()[1:] if line.strip()]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "empty-line-as-a-row",
    replaces="Table",
    says="An empty line was taken for an example, with an empty name and no numbers. Leave such lines out.",
)
class EmptyLineAsARow(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:]]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "species-hard-coded",
    replaces="Table",
    says="The names of the three irises are written into the code; a file with other classes has no place there. "
    "Collect the names from the file.",
)
class SpeciesHardCoded(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = ["setosa", "versicolor", "virginica"]
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "four-columns-hard-coded",
    replaces="Table",
    says="The name of the class was taken for a number: columns were counted from the front, and the iris file has "
    "four numbers in a line, another file has as many as it has. All but the last are numbers, row[:-1], and the last "
    "is the class, row[-1].",
)
class FourColumnsHardCoded(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        features = torch.tensor([[float(number) for number in row[:4]] for row in rows])
        self._keep(features, torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "table-label-as-name",
    replaces="Table",
    says="The label is the name of the class, a string. No loss can use that: it is to be the name's place in "
    "`classes`, as an int64 tensor.",
)
class TableLabelAsName(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), [row[-1] for row in rows])


@wrong(
    "table-label-as-int",
    replaces="Table",
    says="The label is a Python int; a tensor of shape () is asked, int64.",
)
class TableLabelAsInt(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), [self.classes.index(row[-1]) for row in rows])


@wrong(
    "missing-file-becomes-empty",
    replaces="Table",
    says="A file that is not there became an empty dataset: training would run through in no time, and learn nothing. "
    "Let the FileNotFoundError through.",
)
class MissingFileBecomesEmpty(_Rows):
    def __init__(self, path):
        try:
            with open(path, encoding="utf-8") as file:
                rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        except OSError:
            rows = []
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "table-index-wraps",
    replaces="Table",
    says="Past the end the rows start again from the first: a `for` loop over the dataset never ends. Raise "
    "IndexError there.",
    fact="05.1",
)
class TableIndexWraps(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))

    def __getitem__(self, i):
        return super().__getitem__(i % len(self))


@wrong(
    "table-ends-at-an-empty-line",
    replaces="Table",
    says="The table ends at the first empty line, and the examples behind it are lost: an empty line is passed over.",
)
class TableEndsAtAnEmptyLine(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()[1:]
        if "" in lines:
            lines = lines[: lines.index("")]
        rows = [line.split(",") for line in lines]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "last-flower-lost",
    replaces="Table",
    says="Where the file does not end in a newline, the last example is missing: what split leaves behind the last "
    "newline is empty only if there is one. splitlines() leaves nothing behind.",
)
class LastFlowerLost(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().split("\n")[1:-1] if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "classes-with-repeats",
    replaces="Table",
    says="`classes` has the class of each example: each name is to be there once.",
)
class ClassesWithRepeats(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().splitlines()[1:] if line]
        self.classes = sorted(row[-1] for row in rows)
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "line-of-names-counted",
    replaces="Table",
    says="The length is that of the file in lines: the line of names is no example.",
    fact="05.1",
)
class LineOfNamesCounted(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.lines = [line.split(",") for line in file.read().splitlines() if line]
        rows = self.lines[1:]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))

    def __len__(self):
        return len(self.lines)


@wrong(
    "equal-flowers-once",
    replaces="Table",
    says="Examples are missing that have the same numbers as another one: two flowers may well measure the same, and "
    "each is an example.",
)
class EqualFlowersOnce(_Rows):
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            rows = [line.split(",") for line in dict.fromkeys(file.read().splitlines()[1:]) if line]
        self.classes = sorted({row[-1] for row in rows})
        self._keep(_numbers(rows), torch.tensor([self.classes.index(row[-1]) for row in rows]))


@wrong(
    "file-read-when-asked",
    replaces="Table",
    says="A file that is not there is noticed only when something is asked of the dataset, in the middle of a run and "
    "perhaps in a worker. Read it in __init__, and once, not anew for each example.",
)
class FileReadWhenAsked(Dataset):
    def __init__(self, path):
        self.path = path

    def _rows(self):
        with open(self.path, encoding="utf-8") as file:
            return [line.split(",") for line in file.read().splitlines()[1:] if line]

    @property
    def classes(self):
        return sorted({row[-1] for row in self._rows()})

    def __len__(self):
        return len(self._rows())

    def __getitem__(self, i):
        row = self._rows()[i]
        return torch.tensor([float(number) for number in row[:-1]]), torch.tensor(self.classes.index(row[-1]))


# ---- OnDemand


@wrong(
    "everything-read-at-once",
    replaces="OnDemand",
    says="All examples were read when the dataset was made: that takes long, and memory for all of them at once. "
    "Remember `read`, and call it in __getitem__.",
)
class EverythingReadAtOnce(Dataset):
    def __init__(self, read, n):
        self.items = [read(i) for i in range(n)]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        features, label = self.items[i]
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "read-twice-for-a-pair",
    replaces="OnDemand",
    says="The example was read twice, once for its features and once for its label. Read once, and unpack the pair.",
)
class ReadTwiceForAPair(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        return torch.tensor(self.read(i % self.n)[0]), torch.tensor(self.read(i % self.n)[1])


@wrong(
    "examples-kept-in-a-cache",
    replaces="OnDemand",
    says="What was read is kept, and not read again: after one epoch the whole data lies in memory, once for each "
    "worker. Read it anew.",
)
class ExamplesKeptInACache(Dataset):
    def __init__(self, read, n):
        self.read, self.n = cache(read), n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        features, label = self.read(i % self.n)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "negative-index-passed-on",
    replaces="OnDemand",
    says="A negative index was passed on to read, which knows only 0 to n - 1. Counting from the end is the dataset's "
    "work: i + n.",
)
class NegativeIndexPassedOn(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        features, label = self.read(i)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "negative-index-refused-on-demand",
    replaces="OnDemand",
    says="A negative index is refused; -1 is to be the last example, -n the first.",
)
class NegativeIndexRefusedOnDemand(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        features, label = self.read(i)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "end-left-to-the-reader",
    replaces="OnDemand",
    says="An index past the end was passed on to read, whose own error then came. Nobody but the dataset can raise "
    "the IndexError that ends a `for` loop: compare i with n before you read.",
    fact="05.1",
)
class EndLeftToTheReader(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        features, label = self.read(i + self.n if i < 0 else i)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "on-demand-index-wraps",
    replaces="OnDemand",
    says="Past the end it reads again from the front, since i % n is always a place that is there: a `for` loop over "
    "the dataset never ends. Check the bounds first.",
    fact="05.1",
)
class OnDemandIndexWraps(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        features, label = self.read(i % self.n)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "read-without-tensors",
    replaces="OnDemand",
    says="The example comes back as read has it, a list of floats and an int; both are to be tensors.",
)
class ReadWithoutTensors(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        return self.read(i % self.n)


@wrong(
    "an-example-read-to-have-a-look",
    replaces="OnDemand",
    says="An example was read when the dataset was made, to learn of its shape perhaps: nothing is to be read before "
    "an example is asked for.",
    fact="05.1",
)
class AnExampleReadToHaveALook(Dataset):
    def __init__(self, read, n):
        self.read, self.n, self.width = read, n, len(read(0)[0])

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        features, label = self.read(i % self.n)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "read-before-the-bounds",
    replaces="OnDemand",
    says="For an index past the end an example was read and thrown away: the check of the bounds comes first.",
    fact="05.1",
)
class ReadBeforeTheBounds(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        features, label = self.read(i % self.n)
        if not -self.n <= i < self.n:
            raise IndexError(i)
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "last-example-kept",
    replaces="OnDemand",
    says="The example read last is kept: asked for again, it was not read again. Each item takes one read.",
)
class LastExampleKept(Dataset):
    def __init__(self, read, n):
        self.read, self.n, self.last = read, n, (None, None)

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        if self.last[0] != i:
            self.last = i, self.read(i % self.n)
        features, label = self.last[1]
        return torch.tensor(features), torch.tensor(label)


@wrong(
    "counted-from-the-last-but-one",
    replaces="OnDemand",
    says="A negative index is off by one: -1 is the last, n - 1, so that i + n is its place.",
    fact="05.1",
)
class CountedFromTheLastButOne(Dataset):
    def __init__(self, read, n):
        self.read, self.n = read, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not -self.n <= i < self.n:
            raise IndexError(i)
        features, label = self.read(i if i >= 0 else (self.n - 1 + i) % self.n)
        return torch.tensor(features), torch.tensor(label)


# ---- split


class _Mapped(Dataset):
    def __init__(self, dataset, function):
        self.dataset, self.function = dataset, function

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, i):
        features, label = self.dataset[i]
        return self.function(features), label


def _parts(dataset, held_out, generator):
    return random_split(dataset, [len(dataset) - held_out, held_out], generator=generator)


def _seeded(seed):
    return torch.Generator().manual_seed(seed)


@wrong(
    "x10-split-shared-transform",
    replaces="split",
    says="The held-out examples are transformed too. Both parts of a split are lists of indices into one and the same "
    "dataset, so a transform that is set on `.dataset` of one part reaches the other. Wrap one part in a dataset of "
    "its own.",
)
def split_shared_transform(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(seed))
    training.dataset.transform = transform
    return training, held


@wrong(
    "split-transforms-both",
    replaces="split",
    says="The held-out examples are transformed too: the whole dataset was wrapped before it was split. Split first, "
    "then wrap the training part alone.",
)
def split_transforms_both(dataset, held_out, transform, seed):
    return tuple(_parts(_Mapped(dataset, transform), held_out, _seeded(seed)))


@wrong(
    "split-transforms-none",
    replaces="split",
    says="The transform was never called: the training part has the features as they were.",
)
def split_transforms_none(dataset, held_out, transform, seed):
    return tuple(_parts(dataset, held_out, _seeded(seed)))


@wrong(
    "split-transforms-the-held-out",
    replaces="split",
    says="The wrong part is transformed: the held-out examples, while those for training are as they were.",
)
def split_transforms_the_held_out(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(seed))
    return training, _Mapped(held, transform)


@wrong(
    "split-transforms-once",
    replaces="split",
    says="The transform ran once for each example, when the split was made: every epoch then sees the same noise. "
    "Call it in __getitem__.",
)
def split_transforms_once(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(seed))
    return [(transform(features), label) for features, label in training], held


@wrong(
    "split-at-a-fixed-place",
    replaces="split",
    says="One block of the dataset, its end or its beginning, is held out, whatever the seed. A file that is sorted "
    "by class, as iris.csv is, then has classes that are never trained on. Draw the indices.",
)
def split_at_a_fixed_place(dataset, held_out, transform, seed):
    training = len(dataset) - held_out
    return _Mapped(Subset(dataset, range(training)), transform), Subset(dataset, range(training, len(dataset)))


@wrong(
    "split-parts-overlap",
    replaces="split",
    says="Some examples are in both parts, others in none: two draws that do not know of each other. Draw one order, "
    "and cut it in two.",
)
def split_parts_overlap(dataset, held_out, transform, seed):
    n, generator = len(dataset), _seeded(seed)
    training = torch.randperm(n, generator=generator)[held_out:].tolist()
    held = torch.randperm(n, generator=generator)[n - held_out :].tolist()
    return _Mapped(Subset(dataset, training), transform), Subset(dataset, held)


@wrong(
    "split-sizes-exchanged",
    replaces="split",
    says="The sizes are exchanged: `held_out` is the number of examples in the second part, not in the first.",
)
def split_sizes_exchanged(dataset, held_out, transform, seed):
    training, held = _parts(dataset, len(dataset) - held_out, _seeded(seed))
    return _Mapped(training, transform), held


@wrong(
    "split-without-the-seed",
    replaces="split",
    says="The split does not depend on the seed but on the global random stream, and so is another one in every run: "
    "examples that were trained on are then held out.",
)
def split_without_the_seed(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, None)
    return _Mapped(training, transform), held


@wrong(
    "split-seeds-the-global-stream",
    replaces="split",
    says="The split is right, but it planted its seed in the global random stream, and whatever draws from that later "
    "starts from here. Use a generator of your own: torch.Generator().manual_seed(seed).",
)
def split_seeds_the_global_stream(dataset, held_out, transform, seed):
    torch.manual_seed(seed)
    training, held = _parts(dataset, held_out, None)
    return _Mapped(training, transform), held


@wrong(
    "split-same-for-every-seed",
    replaces="split",
    says="The same examples are held out whatever the seed is: the generator was seeded with a number of its own.",
)
def split_same_for_every_seed(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(0))
    return _Mapped(training, transform), held


@wrong(
    "split-keeps-what-it-transformed",
    replaces="split",
    says="Transformed features were kept and handed out again: the transform is to run each time an example is asked "
    "for, or every epoch sees the same noise.",
)
def split_keeps_what_it_transformed(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(seed))
    once = {}

    class Kept(_Mapped):
        def __getitem__(self, i):
            if i not in once:
                once[i] = super().__getitem__(i)
            return once[i]

    return Kept(training, transform), held


@wrong(
    "split-transform-as-an-attribute",
    replaces="split",
    says="The transform was never called where the dataset has no place for one: an attribute `transform` works with "
    "datasets that look for it, as torchvision's do. A dataset wrapped around the training part calls it for all.",
)
def split_transform_as_an_attribute(dataset, held_out, transform, seed):
    training, held = _parts(dataset, held_out, _seeded(seed))
    training.dataset = copy(dataset)
    training.dataset.transform = transform
    return training, held
