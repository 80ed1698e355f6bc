"""Wrong answers to katas/05_data/workers.py."""

import multiprocessing
import textwrap
from functools import partial
from itertools import islice

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset, IterableDataset, default_collate, get_worker_info

from torchkatas.bank import wrong

# ---- pad


def _mask(sequences):
    lengths = torch.tensor([len(tokens) for tokens in sequences])
    return torch.arange(max(lengths.tolist())) < lengths[:, None]


@wrong(
    "x11-collate-varlen",
    replaces="pad",
    says="The default collate was used: it stacks the sequences, which takes equal lengths, and makes no mask. Pad "
    "them to the longest first.",
)
def collate_varlen(examples, padding=0):
    return default_collate(examples)


@wrong(
    "pad-mask-from-the-values",
    replaces="pad",
    says="A token that has the same number as the padding is masked out: the mask was made by comparing values. Only "
    "the lengths tell what is padding.",
)
def pad_mask_from_the_values(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    return tokens, tokens != padding, torch.stack(labels)


@wrong(
    "pad-mask-of-the-padding",
    replaces="pad",
    says="The mask is True at the padding, the other way round; here True means: this is a token.",
)
def pad_mask_of_the_padding(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    return pad_sequence(sequences, batch_first=True, padding_value=padding), ~_mask(sequences), torch.stack(labels)


@wrong(
    "pad-positions-first",
    replaces="pad",
    says="The tokens are (longest, B): pad_sequence puts the positions first unless it is told batch_first=True.",
)
def pad_positions_first(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    return pad_sequence(sequences, padding_value=padding), _mask(sequences), torch.stack(labels)


@wrong(
    "padded-in-front",
    replaces="pad",
    says="The padding stands in front of the tokens; it is asked at their end.",
)
def padded_in_front(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    turned = pad_sequence([tokens.flip(0) for tokens in sequences], batch_first=True, padding_value=padding)
    return turned.flip(1), _mask(sequences).flip(1), torch.stack(labels)


@wrong(
    "padding-always-zero",
    replaces="pad",
    says="It is always filled up with 0; the number to fill up with is `padding`.",
)
def padding_always_zero(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    return pad_sequence(sequences, batch_first=True), _mask(sequences), torch.stack(labels)


@wrong(
    "padding-without-a-default",
    replaces="pad",
    says="Called with the examples alone, as a loader calls it, it fills up with something else than 0, or fails.",
)
def padding_without_a_default(examples, padding=-1):
    sequences, labels = zip(*examples, strict=True)
    return pad_sequence(sequences, batch_first=True, padding_value=padding), _mask(sequences), torch.stack(labels)


@wrong(
    "cut-to-the-shortest",
    replaces="pad",
    says="The sequences were cut to the length of the shortest, and tokens are lost. The batch is as wide as the "
    "longest.",
)
def cut_to_the_shortest(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    shortest = min(map(len, sequences))
    tokens = torch.stack([tokens[:shortest] for tokens in sequences])
    return tokens, torch.ones_like(tokens, dtype=torch.bool), torch.stack(labels)


@wrong(
    "tokens-made-floats",
    replaces="pad",
    says="The tokens became floats: torch.zeros and torch.full of a float make float32, and what is written into it "
    "is cast. An embedding looks up integers.",
)
def tokens_made_floats(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    tokens = pad_sequence([tokens.float() for tokens in sequences], batch_first=True, padding_value=padding)
    return tokens, _mask(sequences), torch.stack(labels)


@wrong(
    "labels-left-in-a-list",
    replaces="pad",
    says="The labels are a list or tuple of tensors, one for each example; a batch has them in one tensor, (B,).",
)
def labels_left_in_a_list(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    return pad_sequence(sequences, batch_first=True, padding_value=padding), _mask(sequences), list(labels)


@wrong(
    "lengths-for-the-mask",
    replaces="pad",
    says="These are the lengths, (B,); asked is the mask, a bool for each position.",
)
def lengths_for_the_mask(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    lengths = torch.tensor([len(tokens) for tokens in sequences])
    return pad_sequence(sequences, batch_first=True, padding_value=padding), lengths, torch.stack(labels)


@wrong(
    "batch-sorted-by-length",
    replaces="pad",
    says="The examples were sorted by length: the batch is to be in the order of the list.",
)
def batch_sorted_by_length(examples, padding=0):
    sequences, labels = zip(*sorted(examples, key=lambda pair: -len(pair[0])), strict=True)
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    return tokens, torch.arange(tokens.shape[1]) < lengths[:, None], torch.stack(labels)


@wrong(
    "one-padding-taken-for-a-token",
    replaces="pad",
    says="The mask is True one place too far: positions are counted from 0, so a row of length 2 has the positions 0 "
    "and 1, those smaller than its length.",
)
def one_padding_taken_for_a_token(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    return tokens, torch.arange(tokens.shape[1]) <= lengths[:, None], torch.stack(labels)


@wrong(
    "labels-before-the-mask",
    replaces="pad",
    says="Mask and labels have changed places: asked are tokens, mask, labels.",
)
def labels_before_the_mask(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    lengths = torch.tensor([len(sequence) for sequence in sequences])
    return tokens, torch.stack(labels), torch.arange(tokens.shape[1]) < lengths[:, None]


@wrong(
    "mask-of-numbers",
    replaces="pad",
    says="The mask has numbers, 1 and 0, where bool is asked: only a bool mask can pick out, and ~ turns it round.",
)
def mask_of_numbers(examples, padding=0):
    sequences, labels = zip(*examples, strict=True)
    tokens = pad_sequence(sequences, batch_first=True, padding_value=padding)
    mask = pad_sequence([torch.ones(len(sequence)) for sequence in sequences], batch_first=True)
    return tokens, mask, torch.stack(labels)


# ---- guarded


@wrong(
    "x12-main-guard",
    replaces="guarded",
    says="The work runs in every worker too: a spawned worker runs the program's file again, reaches the line that "
    "starts workers, and Python stops it with a RuntimeError. The work belongs under a guard that asks for the name "
    '"__main__".',
    fact="05.4",
)
def main_guard(definitions, work):
    return f"{definitions}\n{work}"


@wrong(
    "everything-guarded",
    replaces="guarded",
    says="The definitions are guarded too, so a worker does not find the functions and classes that it is to use. "
    "Only the work belongs under the guard.",
    fact="05.4",
)
def everything_guarded(definitions, work):
    return 'if __name__ == "__main__":\n' + textwrap.indent(f"{definitions}\n{work}", "    ")


@wrong(
    "first-line-indented-alone",
    replaces="guarded",
    says="The lines of the work do not stand under the guard as they are: each has to keep the indentation that it "
    "had, and to get four spaces more, the first one, the others, and those within a loop.",
)
def first_line_indented_alone(definitions, work):
    return f'{definitions}\nif __name__ == "__main__":\n    {work}'


@wrong(
    "work-never-runs",
    replaces="guarded",
    says='The work never runs, not even when the program is started by hand: __name__ is then "__main__", with two '
    "underscores on each side, and a function has to be called too.",
)
def work_never_runs(definitions, work):
    return f'{definitions}\nif __name__ == "main":\n{textwrap.indent(work, "    ")}'


@wrong(
    "guard-turned-round",
    replaces="guarded",
    says="The guard is the wrong way round: the work runs in the workers, and not when the program is started by hand.",
    fact="05.4",
)
def guard_turned_round(definitions, work):
    return f'{definitions}\nif __name__ != "__main__":\n{textwrap.indent(work, "    ")}'


@wrong(
    "work-before-definitions",
    replaces="guarded",
    says="The work stands before the definitions that it uses; a program runs from top to bottom.",
)
def work_before_definitions(definitions, work):
    return f'if __name__ == "__main__":\n{textwrap.indent(work, "    ")}\n{definitions}'


@wrong(
    "guard-on-the-last-line",
    replaces="guarded",
    says="Where the definitions do not end in a newline, the guard stands on their last line. Put a newline between "
    "them.",
)
def guard_on_the_last_line(definitions, work):
    return f'{definitions}if __name__ == "__main__":\n{textwrap.indent(work, "    ")}'


@wrong(
    "work-not-indented",
    replaces="guarded",
    says="The line of the `if` is there, but no line of the work is indented, and Python finds nothing under it.",
)
def work_not_indented(definitions, work):
    return f'{definitions}\nif __name__ == "__main__":\n{work}'


# ---- Noisy


class _Base(Dataset):
    """What the wrong datasets have in common."""

    def __init__(self, features, spread):
        self.features, self.spread = features, spread

    def __len__(self):
        return len(self.features)


@wrong(
    "x14-worker-rng",
    replaces="Noisy",
    says="All workers draw the same noise, and every epoch draws it again: the dataset has a generator of its own, "
    "and each worker starts from a copy of it. A loader seeds torch's global stream for each worker and epoch: draw "
    "from that.",
    fact="05.4",
)
class WorkerRng(_Base):
    def __init__(self, features, spread):
        super().__init__(features, spread)
        self.rng = np.random.default_rng(0)

    def __getitem__(self, i):
        row = self.features[i]
        return row + torch.from_numpy(self.rng.normal(0.0, self.spread, row.shape)).float()


@wrong(
    "noise-seeded-by-the-index",
    replaces="Noisy",
    says="An example has the same noise whenever it is asked for: a seed is planted for each, in the stream that "
    "others draw from too. Draw without seeding.",
    fact="05.4",
)
class NoiseSeededByTheIndex(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        torch.manual_seed(i)
        return row + self.spread * torch.randn(row.shape)


@wrong(
    "noise-drawn-once",
    replaces="Noisy",
    says="Each example has the same noise in every epoch: it was drawn when the dataset was made, or from a generator "
    "that is seeded anew for each example. That is other data, not augmentation. Draw it in __getitem__, without a "
    "seed.",
    fact="05.4",
)
class NoiseDrawnOnce(_Base):
    def __init__(self, features, spread):
        super().__init__(features + spread * torch.randn(features.shape), spread)

    def __getitem__(self, i):
        return self.features[i]


@wrong(
    "noise-from-numpy",
    replaces="Noisy",
    says="torch's seed does not decide the noise: it is drawn from another stream, NumPy's, Python's, or a generator "
    "with a seed of its own. Draw it from torch's.",
)
class NoiseFromNumpy(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row + torch.from_numpy(np.random.normal(0.0, self.spread, row.shape)).float()


@wrong(
    "noise-uniform",
    replaces="Noisy",
    says="The noise is uniform between 0 and 1 and never negative, as rand draws it; normal noise is randn.",
)
class NoiseUniform(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row + self.spread * torch.rand(row.shape)


@wrong(
    "noise-by-variance",
    replaces="Noisy",
    says="The noise is as wide as the root of spread: spread was taken for the variance, but is the standard "
    "deviation.",
)
class NoiseByVariance(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row + self.spread**0.5 * torch.randn(row.shape)


@wrong(
    "noise-without-spread",
    replaces="Noisy",
    says="The noise has standard deviation 1, whatever spread is.",
)
class NoiseWithoutSpread(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row + torch.randn(row.shape)


@wrong(
    "noise-multiplied",
    replaces="Noisy",
    says="The noise grows with the feature: it was multiplied with it. Noise of one standard deviation for all is "
    "added.",
)
class NoiseMultiplied(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row * (1 + self.spread * torch.randn(row.shape))


@wrong(
    "one-noise-for-the-row",
    replaces="Noisy",
    says="All numbers of a row got the same noise: a single number was drawn. Draw one for each, of the row's shape.",
)
class OneNoiseForTheRow(_Base):
    def __getitem__(self, i):
        return self.features[i] + self.spread * torch.randn(1)


@wrong(
    "noise-piles-up",
    replaces="Noisy",
    says="The features themselves changed: a row is a view of them, and += adds the noise where it is stored, more "
    "with each epoch. Add into a new tensor.",
)
class NoisePilesUp(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        row += self.spread * torch.randn(row.shape)
        return row.clone()


@wrong(
    "noisy-index-wraps",
    replaces="Noisy",
    says="Past the end the rows start again from the front; IndexError is asked there, as a tensor raises it.",
)
class NoisyIndexWraps(_Base):
    def __getitem__(self, i):
        row = self.features[i % len(self)]
        return row + self.spread * torch.randn(row.shape)


@wrong(
    "noisy-length-of-a-row",
    replaces="Noisy",
    says="That is how many features an example has; the length is the number of examples.",
)
class NoisyLengthOfARow(_Base):
    def __len__(self):
        return self.features.shape[1]

    def __getitem__(self, i):
        row = self.features[i]
        return row + self.spread * torch.randn(row.shape)


@wrong(
    "noise-uniform-around-zero",
    replaces="Noisy",
    says="The noise is uniform around 0 and narrower than asked: rand less 0.5 lies between -0.5 and 0.5; normal "
    "noise is randn.",
)
class NoiseUniformAroundZero(_Base):
    def __getitem__(self, i):
        row = self.features[i]
        return row + self.spread * (torch.rand(row.shape) - 0.5)


# ---- Lines


@wrong(
    "x15-iterable-dup",
    replaces="Lines",
    says="Each worker gives all lines, so that every line comes once for each of them: the loader cannot share out a "
    "stream. Ask get_worker_info() who you are, and give your share alone.",
    fact="05.4",
)
class IterableDup(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            for line in file:
                yield line.removesuffix("\n")


@wrong(
    "file-opened-when-made",
    replaces="Lines",
    says="The file was opened when the dataset was made: it is at its end after one epoch, and an open file cannot be "
    "pickled. Keep the path, and open it in __iter__.",
    fact="05.4",
)
class FileOpenedWhenMade(IterableDataset):
    def __init__(self, path):
        file = open(path, encoding="utf-8")  # noqa: SIM115
        self.lines = (line.removesuffix("\n") for line in file)

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        return islice(self.lines, first, None, step)


@wrong(
    "lines-of-the-rest-lost",
    replaces="Lines",
    says="There are lines that no worker gives: blocks of n // W leave out the rest of the division, and a count that "
    "does not fit the workers' ids, 0 to W - 1, leaves a share to nobody. Round up, or take every W-th line from the "
    "worker's id on.",
    fact="05.4",
)
class LinesOfTheRestLost(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            lines = [line.removesuffix("\n") for line in file]
        worker = get_worker_info()
        if worker is None:
            return iter(lines)
        share = len(lines) // worker.num_workers
        return iter(lines[worker.id * share : (worker.id + 1) * share])


@wrong(
    "lines-twice-at-the-borders",
    replaces="Lines",
    says="Lines at the border of two shares come from both workers: the end of one block is the beginning of the "
    "next, and must not be in it.",
    fact="05.4",
)
class LinesTwiceAtTheBorders(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            lines = [line.removesuffix("\n") for line in file]
        worker = get_worker_info()
        if worker is None:
            return iter(lines)
        share = -(-len(lines) // worker.num_workers)
        return iter(lines[worker.id * share : (worker.id + 1) * share + 1])


@wrong(
    "one-worker-does-it-all",
    replaces="Lines",
    says="Worker 0 gives all lines and the others none: each line comes once, but nothing is done side by side.",
)
class OneWorkerDoesItAll(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        if worker is None or worker.id == 0:
            with open(self.path, encoding="utf-8") as file:
                for line in file:
                    yield line.removesuffix("\n")


@wrong(
    "lines-in-workers-alone",
    replaces="Lines",
    says="It fails without workers: get_worker_info() is None in the main process, and None has no id. There the "
    "share is everything.",
)
class LinesInWorkersAlone(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        with open(self.path, encoding="utf-8") as file:
            for line in islice(file, worker.id, None, worker.num_workers):
                yield line.removesuffix("\n")


@wrong(
    "newline-left-on-the-line",
    replaces="Lines",
    says="Lines still end in their newline: iterating over a file keeps it.",
)
class NewlineLeftOnTheLine(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            yield from islice(file, first, None, step)


@wrong(
    "lines-stripped-of-spaces",
    replaces="Lines",
    says="Spaces at the ends of lines are gone: strip() takes all white space. Only the newline is to go.",
)
class LinesStrippedOfSpaces(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            for line in islice(file, first, None, step):
                yield line.strip()


@wrong(
    "empty-lines-left-out",
    replaces="Lines",
    says="Empty lines are left out; a line without text is a line.",
)
class EmptyLinesLeftOut(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            for line in islice(file, first, None, step):
                if line.strip():
                    yield line.removesuffix("\n")


@wrong(
    "list-for-an-iterator",
    replaces="Lines",
    says="__iter__ returned a list. It has to return an iterator, something with a __next__: yield the lines, or "
    "return iter(lines).",
)
class ListForAnIterator(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            return [line.removesuffix("\n") for line in islice(file, first, None, step)]


@wrong(
    "line-behind-the-last",
    replaces="Lines",
    says="There is an empty line too many at the end: split takes the last newline for the border to one more line. "
    "Each newline ends a line.",
)
class LineBehindTheLast(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            lines = file.read().split("\n")
        worker = get_worker_info()
        return iter(lines[worker.id :: worker.num_workers] if worker else lines)


@wrong(
    "rest-for-the-last-worker",
    replaces="Lines",
    says="The last worker has more than a W-th of the lines: blocks of n // W, and all of the rest for the last. Every "
    "W-th line, or blocks that are rounded up, share out evenly.",
    fact="05.4",
)
class RestForTheLastWorker(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path, encoding="utf-8") as file:
            lines = [line.removesuffix("\n") for line in file]
        worker = get_worker_info()
        if worker is None:
            return iter(lines)
        share = len(lines) // worker.num_workers
        last = worker.id == worker.num_workers - 1
        return iter(lines[worker.id * share :] if last else lines[worker.id * share : (worker.id + 1) * share])


@wrong(
    "last-letter-of-the-last-line-lost",
    replaces="Lines",
    says="The last letter of the last line is gone: line[:-1] cuts a letter where there is no newline. Take away the "
    "newline, if there is one.",
)
class LastLetterOfTheLastLineLost(IterableDataset):
    def __init__(self, path):
        self.path = path

    def __iter__(self):
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        with open(self.path, encoding="utf-8") as file:
            for line in islice(file, first, None, step):
                yield line[:-1]


# ---- sequence_loader


def _is_stream(dataset):
    return isinstance(dataset, IterableDataset)


@wrong(
    "x13-lambda-pickle",
    replaces="sequence_loader",
    says="What the loader hands to its workers cannot be pickled: a lambda, or a function or class inside a function, "
    "has no name to find it by. It works under fork, and fails under spawn and forkserver. functools.partial of a "
    "function of the module can be pickled.",
    fact="05.4",
)
def lambda_pickle(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        collate_fn=lambda examples: pad(examples, padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "x16-iterable-shuffle",
    replaces="sequence_loader",
    says="A loader refuses shuffle=True for an IterableDataset: it has no indices to shuffle, the order is that of "
    "the stream. Ask for it only where the dataset is map-style.",
)
def iterable_shuffle(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=True,
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "stream-read-into-a-list",
    replaces="sequence_loader",
    says="The stream was read into a list and shuffled: the whole of it lies in memory before the first batch, and "
    "its order is lost. Hand it to the loader as it is.",
)
def stream_read_into_a_list(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        list(dataset) if _is_stream(dataset) else dataset,
        batch_size=batch_size,
        shuffle=True,
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "sequences-not-shuffled",
    replaces="sequence_loader",
    says="A map-style dataset comes in its own order in every epoch; it is to be shuffled.",
)
def sequences_not_shuffled(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "sequences-collated-by-default",
    replaces="sequence_loader",
    says="The loader was not given a collate function, and its own one can only stack: sequences of unequal length "
    "fail, and those of equal length get no mask. Hand it pad.",
)
def sequences_collated_by_default(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "padding-not-passed-on",
    replaces="sequence_loader",
    says="The batches are filled up with 0 whatever `padding` is: a loader calls its collate function with the "
    "examples alone. functools.partial sets the other argument beforehand.",
)
def padding_not_passed_on(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        collate_fn=pad,  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "workers-not-passed-on",
    replaces="sequence_loader",
    says="The loader has no workers, whatever `workers` is: the loop waits for each batch to be made.",
    fact="05.4",
)
def workers_not_passed_on(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        collate_fn=partial(pad, padding=padding),  # noqa: F821
    )


@wrong(
    "start-method-not-passed-on",
    replaces="sequence_loader",
    says="The workers are started as the platform has it, not by `start_method`: it is the loader's "
    "multiprocessing_context.",
    fact="05.4",
)
def start_method_not_passed_on(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
    )


@wrong(
    "sequences-of-the-rest-dropped",
    replaces="sequence_loader",
    says="Examples are missing: the last batch, which is smaller, was dropped.",
)
def sequences_of_the_rest_dropped(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not _is_stream(dataset),
        drop_last=True,
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "sequences-shuffled-once",
    replaces="sequence_loader",
    says="Every epoch has the same order: it was drawn once, when the loader was made. shuffle=True draws a new one "
    "each time.",
)
def sequences_shuffled_once(dataset, batch_size, padding=0, workers=0, start_method=None):
    if not isinstance(dataset, IterableDataset):
        dataset = torch.utils.data.Subset(dataset, torch.randperm(len(dataset)).tolist())
    return DataLoader(
        dataset,
        batch_size=batch_size,
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "padding-in-the-examples-place",
    replaces="sequence_loader",
    says="pad was given the padding for its examples: partial(pad, padding) fills its first parameter. Name the one "
    "that is meant, partial(pad, padding=padding).",
)
def padding_in_the_examples_place(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not isinstance(dataset, IterableDataset),
        collate_fn=partial(pad, padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "pad-called-beforehand",
    replaces="sequence_loader",
    says="pad was called when the loader was made, and what it returned is no function: a loader calls its collate "
    "function itself, for each batch. Hand over the function.",
)
def pad_called_beforehand(dataset, batch_size, padding=0, workers=0, start_method=None):
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not isinstance(dataset, IterableDataset),
        collate_fn=pad(list(dataset), padding),  # noqa: F821
        num_workers=workers,
        multiprocessing_context=start_method,
    )


@wrong(
    "start-method-of-the-whole-program",
    replaces="sequence_loader",
    says="The start method was set for the whole program, by set_start_method: every other process that it starts is "
    "started so from now on. The loader's multiprocessing_context is for it alone.",
)
def start_method_of_the_whole_program(dataset, batch_size, padding=0, workers=0, start_method=None):
    if start_method:
        multiprocessing.set_start_method(start_method, force=True)
    return DataLoader(
        dataset,
        batch_size=batch_size,
        shuffle=not isinstance(dataset, IterableDataset),
        collate_fn=partial(pad, padding=padding),  # noqa: F821
        num_workers=workers,
    )
