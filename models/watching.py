"""A training run as it goes, in a notebook: the loss curve, and what the model writes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from html import escape
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import HTML, display
from matplotlib.figure import Figure

from autograder.figures import BLUE, INK, PALE
from autograder.notebook.live.line import Line, waiting
from autograder.spec.user_error import UserError

from .training import NOTHING_LEARNED, Run

EVERY = 4.0  # seconds between two pictures
SMOOTHED = 0.95


def watch(runs: Iterator[Run]) -> Run:
    """Train to the end, or until it is stopped by I I, and show how far it is; returns the run."""
    picture: Any = None
    shown = 0.0
    run = None
    line = Line()
    try:
        with waiting(lambda gone: f"training, {gone:.0f} s; press I I to stop", line, at_once=True):
            for run in runs:
                if picture is None:
                    picture = display(curve(run), display_id=True), display(samples(run), display_id=True)
                if time.monotonic() > shown + EVERY:
                    picture[0].update(curve(run))
                    picture[1].update(samples(run))
                    shown = time.monotonic()
    except KeyboardInterrupt:
        if run is None:
            raise UserError(NOTHING_LEARNED) from None
        print("Stopped; what has been learned until here is kept.")
    finally:
        line.clear()
        if run is not None and picture is not None:
            picture[0].update(curve(run))
            picture[1].update(samples(run))
    assert run is not None
    return run


def curve(run: Run) -> Figure:
    """The loss of every step, and its running mean, over the seconds of processor time."""
    total, weight, smooth = 0.0, 0.0, []
    for loss in run.losses:
        total, weight = SMOOTHED * total + loss, SMOOTHED * weight + 1
        smooth.append(total / weight)
    fig, ax = plt.subplots(figsize=(7, 2.8))
    ax.plot(run.at, run.losses, color=PALE, linewidth=1)
    ax.plot(run.at, smooth, color=BLUE, linewidth=2)
    ax.annotate(f"{smooth[-1]:.2f}", (run.at[-1], smooth[-1]), (5, 0), textcoords="offset points", color=INK)
    ax.set(xlabel="seconds of processor time", ylabel="nats per token")
    ax.set_title(f"{len(run.losses)} steps", fontsize=9)
    fig.tight_layout()
    plt.close(fig)
    return fig


def samples(run: Run) -> HTML:
    """What the model wrote, with the second at which it did."""
    written = "".join(f"<p><b>{seconds:.0f} s</b> {escape(text)}</p>" for seconds, text in run.samples)
    return HTML(f"<div>{written}</div>")
