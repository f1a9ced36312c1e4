"""The picture of what ranks did: a bar for each span, in its colour."""

import matplotlib.pyplot as plt
import torch
import torch.distributed as dist
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from autograder.tracing.ranks import run_ranks
from autograder.tracing.timelines import LOOKS, timelines


def swapped(x):
    other = torch.empty_like(x)
    requests = [dist.isend(x @ x, 1 - dist.get_rank()), dist.irecv(other, 1 - dist.get_rank())]
    for request in requests:
        request.wait()
    return other


def test_every_span_is_a_bar_in_the_colour_of_its_kind(monkeypatch):
    shown: list[Figure] = []
    kinds = {look[1] for look in LOOKS.values()}
    monkeypatch.setattr("autograder.tracing.timelines.show", shown.append)
    run = run_ranks(swapped, x=[torch.ones(4, 4)] * 2)
    timelines({"one": run, "the same": run})
    (figure,) = shown
    for ax in figure.axes:
        colours = [to_hex(bar.get_facecolor()).upper() for bar in ax.patches]
        assert colours == [LOOKS[span.kind][1] for span in run.spans] and {*colours} == kinds
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["computes", "waits", "receives"]
    plt.close(figure)
