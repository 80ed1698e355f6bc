"""The specification of evaluation.py."""

import io
import math
import multiprocessing
import os
from functools import wraps

import pytest
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import TensorDataset

from torchkatas.compare import Refusal
from torchkatas.observe import ALIKE, compared, state
from torchkatas.rank import COLLECTIVES
from torchkatas.ranks import worlds


def drawn(*shape, seed):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


class Net(nn.Module):
    """Two layers and a buffer, all with numbers of the seed's."""

    def __init__(self, seed=0):
        super().__init__()
        self.model, self.head = nn.Sequential(nn.Linear(3, 4), nn.Tanh()), nn.Linear(4, 3)
        self.register_buffer("shift", torch.empty(3))
        with torch.no_grad():
            for i, tensor in enumerate([*self.parameters(), self.shift]):
                tensor.copy_(drawn(*tensor.shape, seed=10 * seed + i))

    def forward(self, x):
        return self.head(self.model(x - self.shift))


def here(rank, device):
    return torch.device(device, rank) if device == "cuda" else torch.device(device)


def ranks(world):
    return world.size or torch.cuda.device_count()


# ---- bare_keys

NAMES = {
    "of a wrapper": ["module.body.weight", "module.body.bias"],
    "of a bare model": ["body.weight", "body.bias"],
    "a wrapper, names that begin with its letters": ["module.model.weight", "module.dumbledore", "module.led.bias"],
    "a wrapper, a module further down": ["module.body.module.weight", "module.submodule.bias", "module.head.bias"],
    "a bare model, a module further down": ["body.module.weight", "submodule.bias", "modules.0.bias"],
}
BARE = {
    "of a wrapper": ["body.weight", "body.bias"],
    "of a bare model": ["body.weight", "body.bias"],
    "a wrapper, names that begin with its letters": ["model.weight", "dumbledore", "led.bias"],
    "a wrapper, a module further down": ["body.module.weight", "submodule.bias", "head.bias"],
    "a bare model, a module further down": ["body.module.weight", "submodule.bias", "modules.0.bias"],
}


@pytest.mark.parametrize("keys", NAMES)
def test_bare_keys_loses_the_prefix(kata, check, keys):
    """Catches letters stripped instead of a prefix, one taken out everywhere, and one cut off that is not there."""
    values = [drawn(2, i + 1, seed=i) for i in range(3)]
    right = dict(zip(BARE[keys], values, strict=False))
    check(kata.bare_keys, state=dict(zip(NAMES[keys], values, strict=False))).gives(right, exact=True)


def bared(kata, rank, device):
    """How the keys and values differ from what a bare model needs."""
    file = io.BytesIO()
    torch.save(DistributedDataParallel(Net(rank).to(here(rank, device))).state_dict(), file)
    file.seek(0)
    return compared(kata.bare_keys(torch.load(file, weights_only=True, map_location="cpu")), state(Net(0)))


@pytest.mark.fact("09.7")
@pytest.mark.parametrize("world", worlds(2))
def test_bare_keys_of_a_real_checkpoint(kata, check, world):
    """Catches keys that no bare model has: load_state_dict would refuse them."""
    call = "the checkpoint of a wrapper: how it then differs from the state dict of the bare model of rank 0"
    check.ranks(kata.bare_keys, bared, kata, world, call=call, device=world.device).gives([ALIKE] * ranks(world))


# ---- global_mean

SUMS = [  # the sum and the number of examples on each rank
    [(7.5, 3), (2.0, 1), (-4.0, 5)],
    [(6.0, 6), (0.0, 0), (5.0, 2)],
    [(0.0, 0), (0.0, 0), (-9.0, 4)],
    [(1.0, 7), (8.0, 2), (0.0, 0)],
    [(2.5, 1), (3.5, 1), (4.5, 1)],
    [(3.0, 2), (-3.0, 1), (0.0, 4)],
]


def means(kata, rank, sums, device):
    """What came back on this rank, for each row, and what its sums are afterwards."""
    rows = [row[rank % 3] for row in sums]
    totals = [torch.tensor(total, device=here(rank, device)) for total, _ in rows]
    found = [kata.global_mean(total, count) for total, (_, count) in zip(totals, rows, strict=True)]
    return {"means": found, "its own totals afterwards": [total.item() for total in totals]}


@pytest.mark.parametrize("world", worlds(3))
def test_global_mean_is_over_examples(kata, check, world):
    """Catches a mean of means, one rank's own mean, a rank without examples, and a sum that the caller loses."""
    size = ranks(world)
    rows = [[row[rank % 3] for rank in range(size)] for row in SUMS]
    rows = [row for row in rows if any(count for _, count in row)]
    right = [sum(total for total, _ in row) / sum(count for _, count in row) for row in rows]
    call = f"(total, count) on ranks 0, 1 and 2: {'; '.join(str(row)[1:-1] for row in rows)}"
    seen = check.ranks(kata.global_mean, means, kata, world, call=call, sums=rows, device=world.device)
    totals = [[row[rank % 3][0] for row in rows] for rank in range(size)]
    seen.gives([{"means": right, "its own totals afterwards": own} for own in totals])


def refused(kata, rank, device):
    return kata.global_mean(torch.tensor(0.0, device=here(rank, device)), 0)


@pytest.mark.parametrize("world", worlds(2))
def test_global_mean_of_nothing(kata, check, world):
    """Catches NaN, which is what 0 / 0 gives, and a loss of 0.0, which looks like a success."""
    call = "total 0 and count 0 on each rank"
    seen = check.ranks(kata.global_mean, refused, kata, world, call=call, device=world.device)
    seen.gives([Refusal(ValueError, "empty")] * ranks(world))


# ---- evaluate


def examples(n, device="cpu"):
    return TensorDataset(drawn(n, 3, seed=1).to(device), (torch.arange(n) * 2 % 3).to(device))


def evaluated(kata, rank, sizes, device):
    """What each evaluation returned here, how many examples the ranks put through the model, and its mode then."""
    where, seen = here(rank, device), []
    for n in sizes:
        model, calls = Net().to(where).eval(), [0]
        model.register_forward_pre_hook(lambda module, args, calls=calls: calls.append(len(args[0])))
        try:
            found = kata.evaluate(model, examples(n, where), batch_size=2)
        except AttributeError as error:  # which of a tensor's is asked first, is the learner's global_mean's
            if str(error).startswith(("'int' object", "'float' object")):
                error.args = ("a Python number has no attributes of a tensor",)
            raise
        every = [None] * dist.get_world_size()
        dist.all_gather_object(every, calls)
        shares = [sum(calls) for calls in every]
        fair = "at most ceil(N / W)" if max(shares) <= math.ceil(n / len(every)) else str(shares)
        large = max(max(calls) for calls in every)
        seen.append(
            {
                "came back": list(found),
                "examples on a rank": fair,
                "in a call": "at most 2" if large <= 2 else large,
                "in eval mode afterwards": not model.training,
            }
        )
    return seen


@pytest.mark.fact("09.14")
@pytest.mark.parametrize("sizes", [(10, 7, 5), (2,)], ids=["all have some", "a rank has none"])
@pytest.mark.parametrize("world", worlds(3))
def test_evaluate_counts_each_example_once(kata, check, world, sizes):
    """Catches examples that a sampler repeats or drops, means of ranks, one rank's own result, and a rank with none."""
    right = []
    for n in sizes:
        (x, labels), model = examples(n).tensors, Net()
        with torch.no_grad():
            logits = model(x)
        accuracy = (logits.argmax(dim=1) == labels).double().mean().item()
        row = {"came back": [F.cross_entropy(logits, labels).item(), accuracy]}
        row |= {"examples on a rank": "at most ceil(N / W)", "in a call": "at most 2"}
        right.append({**row, "in eval mode afterwards": True})
    call = f"{', then '.join(str(n) for n in sizes)} examples on {ranks(world)} ranks, in batches of 2"
    seen = check.ranks(kata.evaluate, evaluated, kata, world, call=call, sizes=sizes, device=world.device)
    seen.gives([right] * ranks(world))


# ---- save

RETURNED = math.inf


class SlowDisk:
    """Rank 0's torch.save, and its renaming: each begins when all other ranks wait for rank 0, or have returned.

    So it comes out what a rank finds that does not wait, without any clock. A rank tells of each collective that it
    enters: if it is in one more than rank 0 has been in, it waits for it.
    """

    def __init__(self, rank, size, inbox, outbox):
        self.rank, self.inbox, self.outbox = rank, inbox, outbox
        self.saves, self.entered = 0, 0
        self.others = dict.fromkeys(range(1, size), 0)
        self.write = torch.save
        torch.save = self.save
        if rank == 0:
            os.replace, os.rename = self.slow(os.replace), self.slow(os.rename)
        for name in COLLECTIVES:
            counted = self.counted(getattr(dist, name))
            setattr(dist, name, counted)
            setattr(dist.distributed_c10d, name, counted)

    def counted(self, collective):
        @wraps(collective)
        def call(*args, **kwargs):
            self.entered += 1
            self.tell(self.entered)
            return collective(*args, **kwargs)

        return call

    def tell(self, entered):
        if self.rank:
            self.outbox.send((self.rank, entered))

    def save(self, *args, **kwargs):
        self.saves += 1
        if self.rank:
            return  # what two leave behind who write into one file is chance
        self.slow(self.write)(*args, **kwargs)

    def slow(self, function):
        def call(*args, **kwargs):
            while min(self.others.values(), default=RETURNED) <= self.entered:
                rank, entered = self.inbox.recv()
                self.others[rank] = entered
            return function(*args, **kwargs)

        return call

    def leave(self):
        self.tell(RETURNED)
        torch.save = self.write  # by which tensors are pickled, too


def read(path):
    """The file's state dict; in words, where there is none."""
    if not path.exists():
        return "nothing"
    try:
        return torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:
        return f"{type(error).__name__} when it is read"


def lying_at(path):
    """Which file a rank finds."""
    found = read(path)
    if isinstance(found, dict):
        return "the old file" if "old" in found else "a new file"
    return found


def saved(kata, rank, path, inbox, outbox, device):
    """How often this rank called torch.save, and what it found when it returned."""
    os.environ["LOCAL_RANK"] = "0"  # as on machines with one GPU each
    disk = SlowDisk(rank, dist.get_world_size(), inbox, outbox)
    model = DistributedDataParallel(Net(rank).to(here(rank, device)))
    try:
        kata.save(model, path)
        found = lying_at(path)
    finally:
        disk.leave()
    return {"calls of torch.save": disk.saves, "on return there is": found}


@pytest.mark.parametrize("before", ["nothing", "the old file"])
@pytest.mark.parametrize("world", worlds(2))
def test_save_is_done_when_it_returns(kata, check, world, tmp_path, before):
    """Catches a file that every rank writes, and ranks that return before rank 0 has written it."""
    path = tmp_path / "model.pt"
    if before == "the old file":
        torch.save({"old": torch.tensor(1)}, path)
    inbox, outbox = multiprocessing.Pipe(duplex=False)
    given = {"path": path, "inbox": inbox, "outbox": outbox, "device": world.device}
    call = f"{before} lies there, and rank 0 is slow to write"
    seen = check.ranks(kata.save, saved, kata, world, call=call, **given)
    right = {"calls of torch.save": 0, "on return there is": "a new file"}
    seen.gives([{**right, "calls of torch.save": 1}, *[right] * (ranks(world) - 1)])


def written(kata, rank, path, device):
    """What lies in the file after all ranks have returned."""
    kata.save(DistributedDataParallel(Net(rank).to(here(rank, device))), path)
    dist.barrier()
    found = read(path)
    return compared(found, state(Net(0))) if isinstance(found, dict) else found


@pytest.mark.parametrize("world", worlds(2))
def test_save_writes_the_bare_state(kata, check, world, tmp_path):
    """Catches keys with a prefix that no bare model has, and a model in place of its state."""
    given = {"path": tmp_path / "model.pt", "device": world.device}
    call = "how the file differs from the state dict of the model of rank 0"
    check.ranks(kata.save, written, kata, world, call=call, **given).gives([ALIKE] * ranks(world))


# ---- train_until

ALIKE_ON_ALL = [  # the mean loss in each epoch, the same on all ranks; patience
    ([5, 4, 4, 4, 4, 2, 1], 2),
    ([5, 6, 4, 5, 3, 6, 6, 1], 2),
    ([5, 4, 3, 2], 1),
    ([5, 3, 4.5, 4, 2, 1], 2),
    ([2, 2, 1], 1),
    ([3, 2, 1, 4, 4, 4], 3),
]
BY_RANK = {  # the losses of rank 0 and of rank 1, and how many examples they have, in each of 12 epochs
    "6 and 2 examples": (
        [9, 6, 7, 1, 6, 2, 1, 8, 8, 2, 5, 8],
        [7, 4, 7, 7, 2, 2, 3, 9, 3, 4, 4, 3],
        [[6] * 12, [2] * 12],
    ),
    "8 and no examples": ([5, 4, 6, 3, *[3.5] * 8], [0] * 12, [[8] * 12, [0] * 12]),
    "6 and 2 examples, or 2 and 4 in every other epoch": (
        [6, 7, 5, 9, 6, 8, 4, 5, 4, 6, 3, 1],
        [8, 9, 7, 4, 2, 5, 4, 2, 6, 7, 3, 2],
        [[6, 2] * 6, [2, 4] * 6],
    ),
}


def stops(losses, patience):
    """The epoch after which training stops."""
    for epoch in range(patience, len(losses)):
        if min(losses[epoch - patience + 1 : epoch + 1]) >= min(losses[: epoch - patience + 1]):
            return epoch + 1
    return len(losses)


def until(kata, rank, rows, device):
    """How many epochs came back, and how many were trained and validated, in each row."""
    seen = []
    for means, counts, patience in rows:
        mean, own = means[rank % 2], counts[rank % 2]
        trained, validated = [], []

        def train_epoch(trained=trained):
            dist.barrier()
            trained.append(1)

        def validate(validated=validated, mean=mean, own=own):
            epoch = len(validated) % len(mean)
            validated.append(1)
            count = own[epoch]
            return torch.tensor(float(mean[epoch] * count), device=here(rank, device)), count

        came_back = kata.train_until(train_epoch, validate, epochs=len(mean), patience=patience)
        seen.append([came_back, len(trained), len(validated)])
    return seen


@pytest.mark.parametrize("world", worlds(2))
def test_train_until_waits_patiently(kata, check, world):
    """Catches a wait that is one epoch off, never begins anew, or compares with the epoch before, not with the best."""
    right = [[stops(losses, patience)] * 3 for losses, patience in ALIKE_ON_ALL]
    rows = [([losses] * 2, [[3] * len(losses), [1] * len(losses)], patience) for losses, patience in ALIKE_ON_ALL]
    told = "; ".join(f"{losses}, {patience}" for losses, patience in ALIKE_ON_ALL)
    call = f"epochs returned, trained and validated, for these losses and this patience: {told}"
    seen = check.ranks(kata.train_until, until, kata, world, call=call, rows=rows, device=world.device)
    seen.gives([right] * ranks(world))


@pytest.mark.parametrize("name", BY_RANK)
@pytest.mark.parametrize("world", worlds(2))
def test_train_until_decides_alike(kata, check, world, name):
    """Catches ranks that decide each by its own loss, vote, or follow rank 0, a mean of means, and a mere sum."""
    *losses, counts = BY_RANK[name]
    size = ranks(world)
    totals = [sum(counts[rank % 2][i] for rank in range(size)) for i in range(12)]
    means = [sum(losses[r % 2][i] * counts[r % 2][i] for r in range(size)) / totals[i] for i in range(12)]
    right = [[stops(means, patience=2)] * 3]
    told = " and ".join(str(row) for row in losses)
    call = f"epochs returned, trained and validated; ranks 0 and 1 have {name}, of mean loss {told}; patience 2"
    seen = check.ranks(kata.train_until, until, kata, world, call=call, rows=[(losses, counts, 2)], device=world.device)
    seen.gives([right] * size)
