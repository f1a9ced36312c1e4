"""What ranks did when, as a picture in a lesson's demo cells."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib.pyplot as plt

from ..figures import BLUE, ORANGE, PALE, show
from ..runner.ranks.run import Run

# Of each kind of span: its word, its colour, and where in a rank's row it lies: what comes in, above what is done.
LOOKS = {
    "compute": ("computes", BLUE, 0.0, 0.45),
    "wait": ("waits", PALE, 0.0, 0.45),
    "receive": ("receives", ORANGE, 0.3, 0.15),
}


def timelines(runs: Mapping[str, Run], height: float = 2.4) -> None:
    """Show what each rank computes, waits for and receives, of two or more runs beside each other, by their titles."""
    figure, axes = plt.subplots(1, len(runs), figsize=(7, height), sharex=True, sharey=True)
    for ax, (title, run) in zip(axes, runs.items(), strict=True):
        for span in run.spans:
            _, colour, shift, thick = LOOKS[span.kind]
            ax.barh(span.rank + shift, span.end - span.start, left=span.start, height=thick, color=colour)
        ax.set(yticks=range(len(run.results)), xlabel="multiplications")
        ax.set_title(title, fontsize=10)
    axes[0].set_ylabel("rank")
    for word, colour, _, thick in LOOKS.values():
        axes[0].plot([], [], color=colour, linewidth=10 * thick, label=word)
    figure.legend(*axes[0].get_legend_handles_labels(), ncols=len(LOOKS), fontsize=8, loc="lower center")
    figure.tight_layout(rect=(0, 0.09, 1, 1))
    show(figure)
