"""The traffic meter against theory: elements counted in the interpreter equal those that the formulas give."""

import linecache
import math

import numpy as np
import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.interpreter.tiles_in_python import as_compiled  # noqa: E402
from autograder.runner.meters.operations import OperatorsAndBytes  # noqa: E402
from autograder.runner.meters.traffic import Traffic, install  # noqa: E402
from autograder.runner.observe import observe  # noqa: E402
from kernels.causal_flash import flash_attention, flash_causal  # noqa: E402
from kernels.flash_forward import flash_lse  # noqa: E402
from kernels.fused_softmax import fused_softmax, online_softmax_rows  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")
SIZE = 4  # bytes of a float32


def elements(call):
    """Elements of float32 that the kernels launched by `call` load and store."""
    assert install()
    with Traffic() as traffic:
        call()
    return traffic.loads / SIZE, traffic.stores / SIZE


def heads(b, h, n, d):
    torch.manual_seed(0)
    return (torch.randn(b, h, n, d) for _ in range(3))


def test_the_busiest_program_of_each_kernel_counts():
    assert install()
    q, k, v = heads(1, 2, 64, 16)
    a_tile = 2 * 16 * 16 + 2 * 64 * 16 + 16  # q and o, k and v, L
    for launches in (1, 3):
        with Traffic() as traffic:
            for _ in range(launches):
                flash_lse(q, k, v, tile_m=16, tile_n=16)
        assert traffic.busiest == SIZE * a_tile and traffic.launches == launches
    with Traffic() as traffic:
        flash_lse(q, k, v, tile_m=64, tile_n=16)
    assert traffic.busiest == SIZE * (2 * 64 * 16 + 2 * 64 * 16 + 64)


@triton.jit
def twice_where_asked(x_ptr, y_ptr, AGAIN: tl.constexpr):
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + i)
    if AGAIN:
        x += tl.load(x_ptr + i + 4, mask=i < 12, other=0)
    tl.store(y_ptr + 16 * tl.program_id(0) + i, x)


def test_what_one_program_loads_again_counts_and_not_what_another_has_loaded():
    for again in (False, True):
        with Traffic() as traffic:
            twice_where_asked[(2,)](torch.ones(16), torch.empty(32), again)
        assert traffic.loaded_again[0] == again * 2 * 12 * 4


def test_programs_of_all_launches_count_even_those_that_move_nothing():
    assert install()
    with Traffic(lambda filename: filename == __file__) as traffic:
        for grid in ((3,), (2, 1, 4), (0,)):
            sum_under_a_mask[grid](torch.ones(16), torch.empty(1), 0, TILE=16)
    programs, line = traffic.programs
    assert programs == 3 + 8 and "sum_under_a_mask[grid]" in linecache.getline(__file__, line)


@pytest.mark.parametrize(("tile_m", "tile_n"), [(16, 16), (16, 32), (64, 16)])
def test_the_widest_access_is_a_tile_masked_elements_included(tile_m, tile_n):
    assert install()
    q, k, v = heads(1, 1, 20, 16)
    with Traffic(lambda filename: filename.endswith("flash_forward.py")) as traffic:
        flash_lse(q, k, v, tile_m=tile_m, tile_n=tile_n)
    assert traffic.widest == max(tile_m, tile_n) * 16 and traffic.widest_line > 0


@triton.jit
def tiles_in_a_batch(q_ptr, k_ptr, s_ptr, TILES: tl.constexpr):
    tile, row, column = tl.arange(0, TILES)[:, None, None], tl.arange(0, 16)[:, None], tl.arange(0, 16)
    q, k = tl.load(q_ptr + 0 * tile + row * 16 + column), tl.load(k_ptr + tile * 256 + row * 16 + column)
    tl.store(s_ptr + tile * 256 + row * 16 + column, tl.dot(q, tl.trans(k, 0, 2, 1)))


def test_the_largest_product_is_that_of_all_tiles_which_meet_at_once():
    assert install()
    q, k, v = heads(1, 1, 32, 16)
    with Traffic(lambda filename: filename.endswith("flash_forward.py")) as traffic:
        flash_lse(q, k, v, tile_m=16, tile_n=32)
    assert traffic.largest == 16 * 32 * 16 and traffic.largest_line > 0
    with Traffic(__file__.__eq__) as traffic:
        tiles_in_a_batch[(1,)](q, k, torch.empty(2, 16, 16), TILES=2)
    assert traffic.largest == 2 * 16 * 16 * 16 and traffic.shapes == {(16, 16, 16)}


@triton.jit
def quotients_kernel(a_ptr, b_ptr, near_ptr, nearest_ptr, TILE: tl.constexpr):
    i = tl.arange(0, TILE)
    a, b = tl.load(a_ptr + i), tl.load(b_ptr + i)
    tl.store(near_ptr + i, a / b)
    tl.store(nearest_ptr + i, tl.div_rn(a, b))


def test_quotients_are_as_far_off_as_a_gpu_s_but_where_they_are_asked_for_exactly():
    assert install()
    a, b = torch.rand(1024) + 0.5, torch.rand(1024) + 0.5
    ends = [
        (0.0, 1.0),
        (1.0, 0.0),
        (0.0, 0.0),
        (1.0, math.inf),
        (math.inf, 2.0),
        (1e-38, 1e38),
        (3e38, 3e38),
        (1.0, 1.0),
    ]
    a[-len(ends) :], b[-len(ends) :] = torch.tensor(ends).T
    near, nearest = torch.empty(1024), torch.empty(1024)
    with np.errstate(all="ignore"):
        quotients_kernel[(1,)](a, b, near, nearest, TILE=1024)
    assert torch.equal(nearest.nan_to_num(7), (a / b).nan_to_num(7))
    assert torch.equal(near[-len(ends) :].nan_to_num(7), nearest[-len(ends) :].nan_to_num(7))
    off = (near - nearest).abs()[: -len(ends)]
    assert 0 < (off > 0).sum() < 512 and (off <= 2**-23 * 2 * nearest[: -len(ends)]).all()


@triton.jit
def there_and_back_kernel(x_ptr, y_ptr, small, TILE: tl.constexpr):
    i = tl.arange(0, TILE)
    x = tl.load(x_ptr + i)
    tl.store(y_ptr + i, x * small / small)
    tl.store(y_ptr + TILE + i, tl.exp2(x - 140) + x)


def test_no_number_loses_bits_by_two_factors():
    assert install()
    x, y = torch.rand(16) + 0.5, torch.empty(32)
    there_and_back_kernel[(1,)](x, y, 2.0**-100, TILE=16)
    assert torch.equal(y, x.repeat(2))
    there_and_back_kernel[(1,)](x, y, 2.0**-140, TILE=16)
    assert torch.equal(y, torch.cat([torch.zeros(16), x]))
    assert (x * 2.0**-140 != 0).all(), "outside of a kernel they are what they are"


def test_exponentials_to_both_bases_count():
    assert install()
    with Traffic(lambda filename: True) as traffic:
        fused_softmax(torch.rand(2, 16))
    assert traffic.powers[0] == traffic.natural_exponentials[0] == 2 * 16
    q, k, v = heads(1, 1, 16, 16)
    with Traffic(lambda filename: True) as traffic:
        flash_lse(q, k, v, tile_m=16, tile_n=16)
    assert traffic.powers[0] == 16 * 16 + 16 and traffic.natural_exponentials[0] == 0


@triton.jit
def sum_under_a_mask(x_ptr, y_ptr, n, TILE: tl.constexpr):
    lanes = tl.arange(0, TILE)
    x = tl.load(x_ptr + lanes, mask=lanes < n, other=0)
    tl.store(y_ptr, tl.sum(x))


@pytest.mark.parametrize("n", [0, 5, 16])
def test_what_a_load_asks_for_counts_even_if_its_mask_leaves_all_of_it_out(n):
    assert install()
    with Traffic(lambda filename: filename == __file__) as traffic:
        sum_under_a_mask[(3,)](torch.ones(16), torch.empty(1), n, TILE=16)
    asked, line = traffic.asked_in_all
    assert traffic.loads == 3 * n * SIZE and asked == 3 * 16
    assert "tl.load" in linecache.getline(__file__, line)


@triton.jit
def in_one_piece(x_ptr, y_ptr, N: tl.constexpr):
    here = tl.arange(0, N)[:, None] * N + tl.arange(0, N)
    x = tl.load(x_ptr + here)
    tl.store(y_ptr + here, tl.dot(x, x.T, input_precision="ieee"))


@triton.jit
def in_two_pieces(x_ptr, y_ptr, N: tl.constexpr):
    rows, y = tl.arange(0, N)[:, None], tl.zeros((N, N), tl.float32)
    for half in range(2):
        x = tl.load(x_ptr + rows * N + half * (N // 2) + tl.arange(0, N // 2))
        y = tl.dot(x, x.T, y, input_precision="ieee")
    tl.store(y_ptr + rows * N + tl.arange(0, N), y)


@triton.jit
def written_out(x_ptr, y_ptr, N: tl.constexpr):
    here = tl.arange(0, N)[:, None] * N + tl.arange(0, N)
    x = tl.load(x_ptr + here)
    tl.store(y_ptr + here, tl.sum(x[:, None, :] * x[None, :, :], axis=2))


@triton.jit
def sums_of_scaled_rows(x_ptr, y_ptr, N: tl.constexpr):
    here = tl.arange(0, N)[:, None] * N + tl.arange(0, N)
    x = tl.load(x_ptr + here)
    sums = tl.sum(x.reshape(N, 2, N // 2) * tl.arange(0, N)[:, None, None].to(tl.float32), axis=1)
    tl.store(y_ptr + tl.arange(0, N), tl.sum(sums, axis=1))


@triton.jit
def sums_by_a_product(x_ptr, y_ptr, N: tl.constexpr):
    here = tl.arange(0, N)[:, None] * N + tl.arange(0, N)
    sums = tl.dot(tl.load(x_ptr + here), tl.full((N, N), 1.0, tl.float32), input_precision="ieee")
    tl.store(y_ptr + here, sums)


@triton.jit
def sum_of_outer_products(x_ptr, y_ptr, N: tl.constexpr):
    lanes, y = tl.arange(0, N), tl.zeros((N, N), tl.float32)
    for c in range(N):
        x = tl.load(x_ptr + lanes * N + c)
        y += x[:, None] * x[None, :]
    tl.store(y_ptr + lanes[:, None] * N + lanes, y)


@triton.jit
def scaled(x_ptr, y_ptr, N: tl.constexpr):
    lanes = tl.arange(0, N)
    here = lanes[:, None] * N + lanes
    x = tl.load(x_ptr + here)
    tl.store(y_ptr + here, x * tl.load(x_ptr + lanes)[:, None] / 3.0)


@triton.jit
def by_a_scan(x_ptr, y_ptr, N: tl.constexpr):
    i, j, k = tl.arange(0, N)[:, None, None], tl.arange(0, N)[None, :, None], tl.arange(0, N // 2)[None, None, :]
    pairs = tl.join(tl.load(x_ptr + i * N + k + 0 * j), tl.load(x_ptr + j * N + k + 0 * i))
    _, both = tl.split(tl.cumprod(pairs, axis=3))
    tl.store(y_ptr + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], tl.sum(both, axis=2))


KERNELS = [
    (by_a_scan, 1),
    (in_one_piece, 1),
    (in_two_pieces, 1),
    (written_out, 1),
    (sum_of_outer_products, 1),
    (scaled, 0),
    (sums_of_scaled_rows, 0),
    (sums_by_a_product, 0),
]


@pytest.mark.parametrize("kernel, times", KERNELS)
def test_the_multiplications_of_products_count_in_however_many_pieces(kernel, times):
    assert install()
    n, programs = 32, 3
    x, y = torch.randn(n, n), torch.empty(n, n)
    with Traffic(lambda filename: filename == __file__) as traffic:
        kernel[(programs,)](x, y, n)
    multiplied, line = traffic.products
    assert multiplied == times * programs * n**3
    text = linecache.getline(__file__, line)
    assert not times or any(operation in text for operation in (" * x[", "tl.dot", "cumprod"))


def test_what_is_multiplied_number_by_number_counts_beside_the_products():
    assert install()
    n, programs = 32, 3
    with Traffic(lambda filename: filename == __file__) as traffic:
        scaled[(programs,)](torch.randn(n, n), torch.empty(n, n), n)
    multiplied, line = traffic.numbers
    assert multiplied == 2 * programs * n**2 and "/ 3.0" in linecache.getline(__file__, line)


@triton.jit
def from_table(x_ptr, table_ptr, y_ptr, WIDE: tl.constexpr, LATE: tl.constexpr):
    block = tl.load(table_ptr + tl.arange(0, 4))
    if WIDE:
        block = block.to(tl.int64)
    place = block[:, None] * 8 + tl.arange(0, 8)[None, :]
    if LATE:
        place = place.to(tl.int64)
    tl.store(y_ptr + tl.arange(0, 32), tl.reshape(tl.load(x_ptr + place), (32,)))


@pytest.mark.parametrize("wide, late, narrow", [(True, False, 0), (False, True, 32), (False, False, 32)])
def test_offsets_made_of_block_numbers_in_32_bits_are_counted(wide, late, narrow):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    with Traffic(lambda filename: filename == __file__) as traffic:
        from_table[(1,)](torch.randn(4, 8), table, torch.empty(32), wide, late)
    found, line = traffic.narrow_offsets
    assert found == narrow and (not found or "x_ptr + place" in linecache.getline(__file__, line))


@triton.jit
def by_detours(x_ptr, table_ptr, copy_ptr, y_ptr, WIDE: tl.constexpr):
    i = tl.arange(0, 4)
    tl.store(copy_ptr + i, tl.load(table_ptr + i))
    block = tl.load(copy_ptr + i)
    block = tl.where(block >= 0, (tl.maximum(block, 0) & 0xFFFF) ^ 0, 0).to(tl.int64).to(tl.int32) // 1
    block = tl.sum(tl.where(i[:, None] == i[None, :], block[:, None], 0), axis=0)
    block = tl.gather(tl.cumsum(block, axis=0) - tl.cumsum(block, axis=0) + block, i, axis=0)
    if WIDE:
        block = block.to(tl.int64)
    tl.store(y_ptr + i, tl.load(x_ptr + block * 8))


@pytest.mark.parametrize("wide", [True, False])
def test_no_operation_and_no_view_makes_of_block_numbers_other_ones(wide):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    operators = OperatorsAndBytes(lambda filename: filename == __file__, {"table": table})
    with Traffic(lambda filename: filename == __file__, operators=operators) as traffic:
        by_detours[(1,)](torch.randn(32), table.view(-1), torch.empty(4, dtype=torch.int32), torch.empty(4), wide)
    assert traffic.narrow_offsets[0] == (0 if wide else 4)


@triton.jit
def by_truths_and_bits(x_ptr, table_ptr, y_ptr, WIDE: tl.constexpr, WAY: tl.constexpr):
    i = tl.arange(0, 4)
    if WAY == 0:
        block = tl.load(table_ptr.to(tl.pointer_type(tl.float32), bitcast=True) + i).to(tl.int32, bitcast=True)
    else:
        found = tl.load(table_ptr + i)[:, None] == i[None, :]
        block = tl.argmax(found.to(tl.int32), axis=1) if WAY == 1 else tl.sum(tl.where(found, i[None, :], 0), axis=1)
    if WIDE:
        block = block.to(tl.int64)
    tl.store(y_ptr + i, tl.load(x_ptr + block * 8))


@pytest.mark.parametrize("way", [0, 1, 2])
@pytest.mark.parametrize("wide", [True, False])
def test_a_block_number_made_again_of_bits_or_of_comparisons_is_one(wide, way):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    with Traffic(lambda filename: filename == __file__) as traffic:
        by_truths_and_bits[(1,)](torch.randn(32), table, torch.empty(4), wide, way)
    assert traffic.narrow_offsets[0] == (0 if wide else 4)


@triton.jit
def by_numbers(x_ptr, table_ptr, y_ptr):
    i = tl.arange(0, 4)
    address = x_ptr.to(tl.int64) + tl.load(table_ptr + i) * 32
    tl.store(y_ptr + i, tl.load(address.to(tl.pointer_type(tl.float32))))


def test_of_a_pointer_made_of_a_number_it_is_not_known_how_wide_its_offset_was():
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    x, y = torch.randn(32), torch.empty(4)
    with Traffic(lambda filename: filename == __file__) as traffic:
        by_numbers[(1,)](x, table, y)
    assert torch.equal(y, x[8 * table[0]]) and traffic.narrow_offsets[0] == 4


@triton.jit
def by_choices(x_ptr, table_ptr, y_ptr, CHOICES: tl.constexpr):
    i = tl.arange(0, 4)
    block = tl.load(table_ptr + i)
    place = tl.where((block >= 0) & (block < 4), i, 0)
    for choice in range(2, CHOICES):
        place = tl.where(block == choice, choice, place)
    tl.store(y_ptr + i, tl.load(x_ptr + place[:, None] * 8 + i[None, :]).sum(axis=1))


@pytest.mark.parametrize("choices, narrow", [(2, 0), (3, 4)])
def test_an_offset_may_be_chosen_by_two_comparisons_of_block_numbers_and_not_by_more(choices, narrow):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    with Traffic(lambda filename: filename == __file__) as traffic:
        by_choices[(1,)](torch.randn(32), table, torch.empty(4), choices)
    assert traffic.narrow_offsets[0] == narrow


@triton.jit
def by_steps_of_a_pointer(x_ptr, table_ptr, y_ptr, STEPS: tl.constexpr):
    block = tl.load(table_ptr + tl.arange(0, 4))
    row = x_ptr + 0 * tl.arange(0, 4)
    for step in tl.static_range(0, STEPS):
        row = tl.where(block > step, row + 8, row)
    tl.store(y_ptr + tl.arange(0, 4), tl.load(row))


@pytest.mark.parametrize(("steps", "narrow"), [(2, 0), (3, 4), (4, 8)])
def test_a_pointer_may_be_chosen_by_two_comparisons_of_block_numbers_and_not_by_more(steps, narrow):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    with Traffic(lambda filename: filename == __file__) as traffic:
        by_steps_of_a_pointer[(1,)](torch.randn(32), table, torch.empty(4), steps)
    assert traffic.narrow_offsets[0] == narrow


@triton.jit
def by_block_pointers(x_ptr, table_ptr, y_ptr, WAY: tl.constexpr):
    block = tl.load(table_ptr + 1)
    if WAY == 0:  # rows of 16 numbers
        pointer = tl.make_block_ptr(x_ptr, (4, 16), (16, 1), (block, 0), (1, 16), (1, 0))
    elif WAY == 1:
        pointer = tl.make_block_ptr(x_ptr, (64,), (1,), (block * 16,), (16,), (0,))
    elif WAY == 2:
        pointer = tl.make_block_ptr(x_ptr, (64,), (1,), (0,), (16,), (0,)).advance((block * 16,))
    if WAY == 3:
        row = tl.make_tensor_descriptor(x_ptr, (64,), (1,), (16,)).load([block * 16])
    else:
        row = tl.load(pointer).reshape(16)
    tl.store(y_ptr + tl.arange(0, 16), row)


@pytest.mark.parametrize(("way", "narrow"), [(0, 0), (1, 16), (2, 16), (3, 16)])
@pytest.mark.filterwarnings("ignore:tl.make_block_ptr is deprecated")
def test_offsets_of_block_pointers_and_descriptors_have_32_bits_and_may_count_rows(way, narrow):
    assert install()
    table = torch.tensor([[3, 1, 0, 2]], dtype=torch.int32)
    x, y = torch.randn(4, 16), torch.empty(16)
    with Traffic(lambda filename: filename == __file__) as traffic:
        by_block_pointers[(1,)](x, table, y, way)
    assert torch.equal(y, x[1]) and traffic.narrow_offsets[0] == narrow


@triton.jit
def powers_and_products(x_ptr, y_ptr, BASE_E: tl.constexpr, PRODUCTS: tl.constexpr):
    i = tl.arange(0, 16)
    x = tl.load(x_ptr + i[:, None] * 16 + i)
    for _ in range(PRODUCTS):
        x = tl.dot(x, x)
    y = tl.exp(x) if BASE_E else tl.exp2(x)
    tl.store(y_ptr + i[:, None] * 16 + i, y)


@pytest.mark.parametrize("base_e, products", [(True, 3), (False, 1)])
def test_exponentials_to_base_e_and_matrix_products_are_counted_at_their_lines(base_e, products):
    assert install()
    with Traffic(lambda filename: filename == __file__) as traffic:
        powers_and_products[(1,)](torch.rand(16, 16) / 16, torch.empty(16, 16), base_e, products)
    (found, at), (calls, line) = traffic.natural_exponentials, traffic.product_calls
    assert found == 256 * base_e and (not found or "tl.exp(x)" in linecache.getline(__file__, at))
    assert calls == products and "tl.dot(x, x)" in linecache.getline(__file__, line)


@triton.jit
def flat_products(x_ptr, y_ptr, n: tl.constexpr):
    i = tl.arange(0, n)
    x = tl.load(x_ptr + i[:, None] * n + i[None, :])
    sums = tl.zeros((n, n), tl.float32)
    for c in range(n):
        column = tl.sum(tl.where(i[None, :] == c, x, 0.0), axis=1)
        left = tl.broadcast_to(column[:, None], (n, n)).reshape(n * n)
        sums += (left * tl.broadcast_to(column[None, :], (n, n)).reshape(n * n)).reshape(n, n)
    tl.store(y_ptr + i[:, None] * n + i[None, :], sums)


@triton.jit
def products_of_logarithms(x_ptr, y_ptr, n: tl.constexpr):
    i = tl.arange(0, n)
    x = tl.load(x_ptr + i[:, None] * n + i[None, :])
    sums = tl.zeros((n, n), tl.float32)
    for c in range(n):
        column = tl.sum(tl.where(i[None, :] == c, x, 0.0), axis=1)
        sums += tl.exp2(tl.log2(column)[:, None] + tl.log2(column)[None, :])
    tl.store(y_ptr + i[:, None] * n + i[None, :], sums)


@pytest.mark.parametrize("kernel", [flat_products, products_of_logarithms])
def test_a_product_in_another_form_takes_as_many_numbers(kernel):
    assert install()
    n = 32
    with Traffic() as traffic:
        kernel[(1,)](torch.rand(n, n), torch.empty(n, n), n)
    assert traffic.products[0] == 0 and traffic.numbers[0] >= n**3
    assert traffic.computed >= 2 * n**3


def test_what_only_moves_or_shapes_tiles_computes_nothing():
    assert install()
    n = 32
    with Traffic() as traffic:
        moved[(1,)](torch.rand(n, n), torch.empty(n, n), n)
    assert traffic.numbers[0] == 0 and traffic.computed < n * n


@triton.jit
def moved(x_ptr, y_ptr, n: tl.constexpr):
    i = tl.arange(0, n * n)
    tl.store(y_ptr + i, tl.load(x_ptr + i).reshape(n, n).T.reshape(n * n))


def of_inputs(function):
    """Bytes of the inputs that its kernels load, and what it allocates at its peak."""
    x = np.ones((32, 32), np.float32)
    counts = observe(function, {"x": x}, "triton", once=True).counts
    return counts["input_bytes"], counts["peak_bytes"]


LEFT = torch.ones(32, 32)


def of_itself(x):
    y = torch.empty_like(x)
    scaled[(1,)](x, y, 32)
    return y


def of_a_copy(x):
    return of_itself(x.T.contiguous())


def of_its_result(x):
    y = torch.empty_like(x)
    scaled[(1,)](y, y, 32)
    return y


def of_what_lay_there(x):
    return of_itself(globals()["LEFT"])


@pytest.mark.parametrize(
    ("function", "loaded", "allocated"), [(of_itself, 1, 1), (of_a_copy, 1, 2), (of_its_result, 0, 1)]
)
def test_what_kernels_load_of_the_inputs_or_of_copies_of_them_counts(function, loaded, allocated):
    size = SIZE * 32 * 32
    assert of_inputs(function) == (loaded * (size + SIZE * 32), allocated * size)


def test_memory_that_nobody_saw_allocated_counts_when_a_kernel_is_given_it():
    assert of_inputs(of_what_lay_there) == (0, 2 * SIZE * 32 * 32)


@pytest.mark.parametrize("n, d, tile_m", [(64, 16, 16), (70, 32, 32), (33, 16, 64), (1, 16, 16)])
@pytest.mark.parametrize("attention", [flash_lse, flash_attention])
def test_flash_attention_2_reads_the_keys_once_for_every_tile_of_queries(attention, n, d, tile_m):
    q, k, v = heads(1, 2, n, d)
    bh = 2
    loads, stores = elements(lambda: attention(q, k, v, tile_m=tile_m, tile_n=16))
    assert loads == bh * (n * d + math.ceil(n / tile_m) * 2 * n * d)
    assert stores == bh * (n * d + n)


def test_a_causal_mask_saves_the_tiles_that_nobody_sees():
    n, d, tile = 80, 16, 16
    q, k, v = heads(1, 1, n, d)
    loads, _ = elements(lambda: flash_causal(q, k, v, causal=True, tile_m=tile, tile_n=tile))
    assert loads == n * d + sum(2 * d * min(n, tile * (i + 1)) for i in range(n // tile))


@pytest.mark.parametrize("rows, columns", [(5, 37), (3, 64)])
def test_a_fused_softmax_reads_and_writes_everything_once(rows, columns):
    x = torch.randn(rows, columns)
    assert sum(elements(lambda: fused_softmax(x))) == 2 * rows * columns
    assert elements(lambda: online_softmax_rows(x, tile=16)) == (2 * rows * columns, rows * columns)


@triton.jit
def scores_kernel(q_ptr, k_ptr, s_ptr, N: tl.constexpr, D: tl.constexpr):
    i, c = tl.arange(0, N), tl.arange(0, D)
    q = tl.load(q_ptr + i[:, None] * D + c)
    k = tl.load(k_ptr + i[:, None] * D + c)
    tl.store(s_ptr + i[:, None] * N + i, tl.dot(q, k.T, input_precision="ieee"))


@triton.jit
def values_kernel(p_ptr, v_ptr, o_ptr, N: tl.constexpr, D: tl.constexpr):
    i, c = tl.arange(0, N), tl.arange(0, D)
    p = tl.load(p_ptr + i[:, None] * N + i)
    v = tl.load(v_ptr + i[:, None] * D + c)
    tl.store(o_ptr + i[:, None] * D + c, tl.dot(p, v, input_precision="ieee"))


def test_standard_attention_moves_the_scores_four_times():
    n, d = 32, 16
    q, k, v = (x[0, 0] for x in heads(1, 1, n, d))
    s, o = torch.empty(n, n), torch.empty(n, d)

    def attention():
        scores_kernel[(1,)](q, k, s, N=n, D=d)
        p = fused_softmax(s)
        values_kernel[(1,)](p, v, o, N=n, D=d)

    loads, stores = elements(attention)
    assert loads == 2 * n * d + n * n + n * n + n * d  # q and k; S; P and v
    assert stores == n * n + n * n + n * d
    assert torch.allclose(o, torch.softmax(q @ k.T, dim=-1) @ v, atol=1e-4)


@triton.jit
def one_block_of_keys_kernel(
    q_ptr, k_ptr, v_ptr, o_ptr, m_ptr, l_ptr, block, D: tl.constexpr, TILE_M: tl.constexpr, TILE_N: tl.constexpr
):
    """FlashAttention-1's inner step: a tile of queries brings its output, maximum and denominator up to date."""
    rows = tl.program_id(0) * TILE_M + tl.arange(0, TILE_M)
    keys = block * TILE_N + tl.arange(0, TILE_N)
    c = tl.arange(0, D)
    k = tl.load(k_ptr + keys[:, None] * D + c)
    v = tl.load(v_ptr + keys[:, None] * D + c)
    q = tl.load(q_ptr + rows[:, None] * D + c)
    o = tl.load(o_ptr + rows[:, None] * D + c)
    m = tl.load(m_ptr + rows)
    l = tl.load(l_ptr + rows)
    s = tl.dot(q, k.T, input_precision="ieee")
    m_new = tl.maximum(m, tl.max(s, axis=1))
    p = tl.exp(s - m_new[:, None])
    weight = l * tl.exp(m - m_new)
    l_new = weight + tl.sum(p, axis=1)
    o = (weight[:, None] * o + tl.dot(p, v, input_precision="ieee")) / l_new[:, None]
    tl.store(o_ptr + rows[:, None] * D + c, o)
    tl.store(m_ptr + rows, m_new)
    tl.store(l_ptr + rows, l_new)


def test_flash_attention_1_moves_the_output_for_every_block_of_keys():
    n, d, tile_m, tile_n = 64, 16, 32, 16
    q, k, v = (x[0, 0] for x in heads(1, 1, n, d))
    o, m, l = torch.zeros(n, d), torch.full((n,), -torch.inf), torch.zeros(n)

    def attention():
        for block in range(n // tile_n):
            one_block_of_keys_kernel[(n // tile_m,)](q, k, v, o, m, l, block, D=d, TILE_M=tile_m, TILE_N=tile_n)

    loads, stores = elements(attention)
    blocks, tiles = n // tile_n, n // tile_m
    assert loads == tiles * 2 * n * d + blocks * (2 * n * d + 2 * n)  # k, v by each program; then q, o, m, l
    assert stores == blocks * (n * d + 2 * n)
    assert torch.allclose(o, torch.softmax(q @ k.T, dim=-1) @ v, atol=1e-4)


TABLE = [1.0]
ONE = tl.constexpr(1)


@triton.jit
def copies(x_ptr, y_ptr, WHAT: tl.constexpr):
    tl.store(y_ptr, tl.load(x_ptr) + ONE)


@triton.jit
def copies_unmarked(x_ptr, y_ptr, what):
    tl.store(y_ptr, tl.load(x_ptr))


@triton.jit
def looks_outside(x_ptr, y_ptr, WHAT: tl.constexpr):
    tl.store(y_ptr, tl.load(x_ptr) + TABLE[0])


@triton.jit
def has_a_list(x_ptr, y_ptr, WHAT: tl.constexpr = []):  # noqa: B006
    tl.store(y_ptr, tl.load(x_ptr))


@pytest.mark.parametrize(
    ("kernel", "what", "refused"),
    [
        (copies, [], "copies is given WHAT, a list"),
        (copies, {}, "copies is given WHAT, a dict"),
        (copies, torch.zeros(1), "copies is given WHAT, a Tensor"),
        (copies, math.exp, "copies is given WHAT, a builtin_function"),
        (copies, lambda x: x, "copies is given WHAT, a function"),
        (copies, "1 " * 20, "copies is given WHAT, a str"),
        (copies, (1.0,) * 25, "copies is given WHAT, a tuple"),
        (copies_unmarked, [], "copies_unmarked is given what, a list"),
        (looks_outside, 1, "looks_outside uses TABLE, a list from outside"),
        (copies, looks_outside, "looks_outside uses TABLE"),
        (has_a_list, None, ""),
        (copies, 1, ""),
        (copies, None, ""),
        (copies, "tf32", ""),
        (copies, (1, 2.0, None), ""),
        (copies, tl.float16, ""),
        (copies, copies_unmarked, ""),
        (copies_unmarked, torch.zeros(1), ""),
        (copies_unmarked, 2.5, ""),
    ],
)
def test_kernels_are_given_what_triton_compiles(kernel, what, refused):
    x = torch.zeros(1)
    with Traffic():
        if refused:
            with pytest.raises(TypeError, match=refused):
                kernel[(1,)](x, torch.empty(1), what)
        else:
            kernel[(1,)](x, torch.empty(1), what)


@triton.jit
def deeper(x, n):
    if n > 1:
        x = deeper(x, n - 1)
    return x + 1.0


@triton.jit
def calls_a_recursion(x_ptr, y_ptr, n):
    tl.store(y_ptr, deeper(tl.load(x_ptr), n))


def test_a_kernel_calls_none_that_calls_itself():
    x, y = torch.zeros(1), torch.empty(1)
    with Traffic():
        calls_a_recursion[(1,)](x, y, 1)
        assert y.item() == 1
        with pytest.raises(Exception, match="deeper calls itself"):
            calls_a_recursion[(1,)](x, y, 2)
        calls_a_recursion[(1,)](x, y, 1)


def test_with_numbers_that_the_interpreter_lacks_kernels_are_launched_in_name_only():
    x, y = torch.ones(6, dtype=torch.bfloat16), torch.zeros(6, dtype=torch.bfloat16)
    with Traffic(in_name=True) as traffic:
        copies[lambda meta: (2, 3)](x, y, 1)
    assert traffic.programs[0] == 6 and traffic.kernels == {"copies"} and not y.any()
    with Traffic(), pytest.raises(TypeError, match="is bfloat16"):
        copies[(1,)](x, y, 1)


@triton.jit
def sums(x_ptr, y_ptr, n):
    total = 0.0
    for i in range(n):
        total += tl.load(x_ptr + i)
    tl.store(y_ptr, total)


@triton.jit
def all_and_the_first(x_ptr, y_ptr, TILE: tl.constexpr):
    total = tl.sum(tl.load(x_ptr + tl.arange(0, TILE)))
    for _ in range(4):
        total += tl.load(x_ptr)
        total += tl.load(y_ptr)
    tl.store(y_ptr, total)


def test_a_line_is_blamed_for_what_it_moves_again_and_not_for_what_has_to_be_moved():
    with Traffic(is_learners=lambda filename: filename == __file__) as traffic:
        all_and_the_first[(1,)](torch.zeros(64), torch.zeros(1), TILE=64)
    first = all_and_the_first.fn.__code__.co_firstlineno
    assert traffic.line_of("load") == first + 5, "y is one number, loaded four times; x is long, and its first is once"
    assert traffic.line_of("store") == first + 6


def test_a_loop_runs_to_a_bound_that_is_an_array_of_one_element(monkeypatch):
    """As in Triton 3.6, whose scalars numpy 2.4 makes no int of."""
    from triton.runtime import interpreter

    def as_in_3_6(tensor, scope):
        patched(tensor, scope)
        scope.set_attr(tensor, "__index__", lambda self: int(self.handle.data))

    patched = interpreter._patch_lang_tensor
    monkeypatch.setattr(interpreter, "_patch_lang_tensor", as_in_3_6)
    x, y = torch.arange(5.0), torch.empty(1)
    with Traffic(), pytest.raises(interpreter.InterpreterError):
        sums[(1,)](x, y, 5)
    as_compiled.__wrapped__()
    with Traffic():
        sums[(1,)](x, y, 5)
    assert y.item() == 10


def test_a_default_is_looked_at_too():
    with Traffic(), pytest.raises(TypeError, match="has_a_list is given WHAT, a list"):
        has_a_list[(1,)](torch.zeros(1), torch.empty(1))
