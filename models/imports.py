"""Imports that are not broken off: of half a module Python keeps the parts, and takes them for whole the next time."""

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
