"""Imports that nothing breaks off: Python keeps the parts of half a module, and the next import takes them for whole."""

from __future__ import annotations

import importlib
import signal
import threading


def imported_whole(name: str) -> None:
    """Import a module that PyTorch imports when it first needs it. An interrupt counts when that is done."""
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        importlib.import_module(name)
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        importlib.import_module(name)
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)
