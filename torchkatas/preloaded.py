"""What the fork server of a run has in memory, so that no rank imports it; nothing else imports this.

torch._dynamo is what the first optimizer or DDP would import, 2 s in each rank; specs import pytest and numpy.
"""

import atexit
import contextlib
import gc
import io
import os
import signal

gc.disable()  # it would walk what stays anyway
heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the fork server itself: Ctrl-C is pytest's

import numpy  # noqa: E402, F401
import pytest  # noqa: E402, F401
import torch._dynamo  # noqa: E402
import torch.distributed  # noqa: E402

import torchkatas.check  # noqa: E402
import torchkatas.judge  # noqa: E402
import torchkatas.ranks  # noqa: E402, F401

# what torch imports with the first step and the first file
optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)])
optimizer.zero_grad()
optimizer.step()
torch.save({}, io.BytesIO())
with contextlib.suppress(AttributeError):  # torch's own
    torch._dynamo.trace_rules.clear_lru_cache()  # which every init_process_group does
atexit.register(os._exit, 0)  # a fork server has nothing to put in order, and takes two tenths of a second for it

gc.freeze()  # ranks share it until something touches it, as the collector would
gc.enable()
signal.signal(signal.SIGINT, heard)
