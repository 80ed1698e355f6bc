"""What the fork server of a run has in memory, so that no rank imports it; nothing else imports this.

torch._dynamo is what the first optimizer or DDP would import, 2 s in each rank; specs import pytest and numpy.
"""

import gc
import signal

gc.disable()  # it would walk what stays anyway
heard = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in the fork server itself: Ctrl-C is pytest's

import numpy  # noqa: E402, F401
import pytest  # noqa: E402, F401
import torch._dynamo  # noqa: E402
import torch.distributed  # noqa: E402, F401

import torchkatas.check  # noqa: E402
import torchkatas.ranks  # noqa: E402, F401

gc.freeze()  # ranks share it until something touches it, as the collector would
gc.enable()
signal.signal(signal.SIGINT, heard)
