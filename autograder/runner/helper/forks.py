"""A process with torch and Triton imported that forks a fresh one for every socket it is sent.

It must not use a GPU itself: what is forked after that cannot.
"""

from __future__ import annotations

import functools
import gc
import os
import signal
import socket

from .. import child, translate
from ..observe import interpreted, observe


def serve(control: socket.socket) -> None:
    """Fork a process for each socket that comes over `control`, until that closes. Nobody waits for their ends."""
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while fds := socket.recv_fds(control, 1, 1)[1]:
        if os.fork() == 0:
            control.close()
            _begin(fds[0])
        os.close(fds[0])


def _begin(fd: int) -> None:
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        sock = socket.socket(fileno=fd)
        child.end_with(sock)
        child.serve(sock)
    finally:
        os._exit(0)


def warm_up(does: str) -> None:
    """Do what torch and Triton do once in a process, so that each fork finds it done."""
    import torch

    torch.set_num_threads(1)  # what is forked would wait for ever for threads that are not forked with it
    if does == "launches":
        return
    if interpreted():
        translate.warm_up(functools.partial(observe, backend="triton", once=True))
    else:
        translate.warm_up()
