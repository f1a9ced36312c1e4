"""A process with torch and Triton imported that forks a fresh one for every socket it is sent.

It must not use a GPU itself: what is forked after that cannot.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import signal
import socket
from collections.abc import Callable

from .. import translate
from ..engines.triton import interpreted
from ..observe import observe


def serve(control: socket.socket, begin: Callable[[socket.socket], None]) -> None:
    """For each socket that comes over `control` fork a process that does `begin` with it, until `control` closes."""
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for their ends
    while fds := socket.recv_fds(control, 1, 1)[1]:
        if os.fork() == 0:
            control.close()
            _become(begin, fds[0])
        os.close(fds[0])


def _become(begin: Callable[[socket.socket], None], fd: int) -> None:
    try:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        begin(socket.socket(fileno=fd))
    finally:
        os._exit(0)


def warm_up(does: str, where: str) -> None:
    """Do what torch and Triton do once in a process, so that each fork finds it done."""
    import torch

    torch.set_num_threads(1)  # what is forked would wait for ever for threads that are not forked with it
    if where == "on a gpu":  # elsewhere no launcher is called but for its report, which no gradients have
        import_for_gradients()
    if does == "launches":
        return
    if interpreted():
        translate.warm_up(functools.partial(observe, backend="triton", once=True))
    else:
        translate.warm_up()


@functools.cache
def import_for_gradients() -> None:
    """torch imports sympy, for more than a second, before the first gradients, and then refuses two where one is due.

    So nothing is differentiated here, after which torch could not be forked.
    """
    import torch

    x = torch.ones(1, requires_grad=True)
    with contextlib.suppress(RuntimeError):
        torch.autograd.grad(2 * x, x, torch.ones(2))
