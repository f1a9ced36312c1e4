"""What Python might do with an array, and not with a tile of a kernel, is said in words of a kernel's."""

import linecache

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.interpreter import tiles_in_python as said  # noqa: E402
from autograder.runner.meters.traffic import Traffic, install  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")

SLIPS = {
    "element": ("tile[0]", said.NO_ELEMENTS),
    "elements": ("tile[rows]", said.NO_ELEMENTS),
    "element of a tensor": ("x_ptr[0, rows]", said.NO_ELEMENTS),
    "product": ("tile[:, None] @ tile[None, :]", said.NO_PRODUCT),
    "transposed": ("tile.T", said.NO_COLUMNS.format(1)),
    "function of torch's": ("torch.exp(tile)", said.OF_TORCH.format("exp")),
    "method of torch's": ("tile.masked_fill(tile > 0, 0.0)", said.LACKS.format("masked_fill")),
    "truth": ("tile if tile > 0 else rows", said.NO_TRUTH),
    "nothing's": ("tile.masked", "a tile has no masked"),
}


def run(does):
    """What a kernel leaves in the numbers from 0 to 15 when it stores `does` there."""
    install()
    code = "@triton.jit\ndef slip(x_ptr):\n    rows = tl.arange(0, 16)\n    tile = tl.load(x_ptr + rows)\n"
    code += f"    tl.store(x_ptr + rows, {does})\n"
    linecache.cache[does] = len(code), None, code.splitlines(keepends=True), does
    space = {"__name__": __name__, "triton": triton, "tl": tl, "torch": torch}
    exec(compile(code, does, "exec"), space)
    x = torch.arange(16.0)
    with Traffic():
        space["slip"][(1,)](x)
    return x.tolist()


@pytest.mark.parametrize("slip", SLIPS)
def test_what_is_no_use_of_a_tile_is_named(slip):
    does, sentence = SLIPS[slip]
    with pytest.raises(Exception) as raised:
        run(does)
    assert str(raised.value.__cause__ or raised.value) == sentence


def test_axes_are_added_and_two_dimensions_transposed():
    assert run("tl.sum((tile[None, :] + tile[:, None]).T, axis=0)") == [120 + 16 * i for i in range(16)]
