"""What a Triton kernel computes in 16 bits or in 64, or of numbers that it has rounded to 16."""

import linecache

import pytest
import torch

from autograder.spec import interpreter

interpreter.choose()
triton = pytest.importorskip("triton", reason="Triton is not installed on this machine")

import triton.language as tl  # noqa: E402

from autograder.runner.engines.triton import interpreted  # noqa: E402
from autograder.runner.meters.operations import OperatorsAndBytes  # noqa: E402
from autograder.runner.meters.traffic import Traffic, install  # noqa: E402

pytestmark = pytest.mark.skipif(not interpreted(), reason="kernels are compiled here: this machine has a GPU")
N = 16


@triton.jit
def larger(a, b):
    return tl.where(a > b, a, b)


@triton.jit
def added(a, b):
    return a + b


@triton.jit
def sum_of_weights(x, v):
    return tl.sum(tl.exp(x.to(tl.float32)), axis=1)[:, None] + 0 * v


@triton.jit
def rounded_for_a_product(x, v):
    p = tl.exp(tl.dot(x, v, input_precision="ieee") / 16)
    return tl.dot(p.to(v.dtype), v, input_precision="ieee") / tl.sum(p, axis=1)[:, None]


@triton.jit
def weights_of_sums_rounded_for_a_product(x, v):
    p = tl.exp(tl.sum(x.to(tl.float32)[:, None, :] * v.to(tl.float32)[None, :, :], axis=2) / 16)
    return tl.dot(p.to(v.dtype), v, input_precision="ieee") / tl.sum(p, axis=1)[:, None]


@triton.jit
def rounded_to_be_stored(x, v):
    return (x.to(tl.float32) * 0.3).to(v.dtype)


@triton.jit
def maxima_and_masks_in_16_bits(x, v):
    seen = (tl.arange(0, 16)[None, :] < 9) & (v > 0)
    top = tl.max(tl.where(seen, x, float("-inf")), axis=1)
    return tl.reduce(x * seen.to(x.dtype), 1, larger)[:, None] + 0 * top[:, None].to(tl.float32)


@triton.jit
def turned_by_their_bits(x, v):
    p = tl.exp(x.to(tl.float32))
    return tl.sum((p.to(tl.int32, bitcast=True) ^ 0).to(tl.float32, bitcast=True), axis=1)[:, None] + 0 * v


@triton.jit
def numbers_shut_off_by_their_bits(x, v):
    p = tl.exp(x.to(tl.float32))
    return tl.sum(tl.where(p.to(tl.int32, bitcast=True) == 0x7F800000, 0.0, p), axis=1)[:, None] + 0 * v


@triton.jit
def one_row_picked_by_a_sum(x, v):
    return tl.sum(tl.where(tl.arange(0, 16)[:, None] == 3, x, 0.0), axis=0)[None, :].to(tl.float32) + 0 * v


@triton.jit
def differences_rounded_for_a_second_product(x, v):
    ds = (tl.dot(x, v, input_precision="ieee") - 1.0) * tl.exp(x.to(tl.float32))
    return tl.dot(ds.to(v.dtype), v, input_precision="ieee")


@triton.jit
def weights_shut_off_by_comparisons(x, v):
    seen = v > 9.0
    for step in tl.static_range(0, 12):
        seen = seen | (x > 0.5 - step)
    p = tl.where(x > 1.0, 0.5, tl.where(x > 0.5, 0.25, tl.where(seen, 0.125, 0.0)))
    return tl.sum(3.0 * p + 0.1, axis=1)[:, None] + 0 * v


@triton.jit
def index_of_the_largest(x, v):
    return (2.0 * tl.argmax(x, axis=1).to(tl.float32) + 1.0)[:, None] + 0 * v


@triton.jit
def rows_compared_with_their_own_numbers(x, v):
    top = tl.max(x.to(tl.float32), axis=1)
    step = tl.arange(0, 16).to(tl.float32)
    kept = tl.where(top > step - 8, step, 0.0)
    return (2.0 * kept + 1.0)[:, None] + 0 * v


@triton.jit
def rescaled_only_where_it_grows(x, v):
    acc, top = tl.zeros((16, 16), tl.float32), 0.0
    for _ in range(20):
        s = tl.dot(x, v, input_precision="ieee")
        if tl.max(s) > top:
            acc, top = acc * 0.5, tl.max(s)
        acc += s
    return acc


@triton.jit
def log_sum_exps_merged(x, v):
    lse = tl.log(tl.sum(tl.exp(x.to(tl.float32)), axis=1))
    for _ in tl.static_range(8):
        top = tl.maximum(lse, 1.0)
        weight = tl.exp(lse - top)
        lse = top + tl.log(weight * weight + tl.exp(1.0 - top))
    return lse[:, None] + 0 * v


HONEST = [
    weights_of_sums_rounded_for_a_product,
    log_sum_exps_merged,
    index_of_the_largest, rows_compared_with_their_own_numbers,
    differences_rounded_for_a_second_product, weights_shut_off_by_comparisons, sum_of_weights,
    rounded_for_a_product, rounded_to_be_stored, maxima_and_masks_in_16_bits, turned_by_their_bits,
    one_row_picked_by_a_sum, numbers_shut_off_by_their_bits, rescaled_only_where_it_grows,
]  # fmt: skip


@triton.jit
def sum_in_16_bits(x, v):
    return tl.sum(x, axis=1)[:, None] + 0 * v


@triton.jit
def running_sum_in_16_bits(x, v):
    return tl.cumsum(x, axis=1)


@triton.jit
def own_sum_in_16_bits(x, v):
    return tl.reduce(x, 1, added)[:, None] + 0 * v


@triton.jit
def difference_in_16_bits(x, v):
    return tl.exp((x - 0.3).to(tl.float32))


@triton.jit
def product_summed_in_16_bits(x, v):
    return tl.dot(x, v, out_dtype=tl.float16)


@triton.jit
def sum_of_rounded_weights(x, v):
    p = tl.exp(x.to(tl.float32)).to(v.dtype).to(tl.float32)
    return tl.sum(p, axis=1)[:, None] + 0 * v


@triton.jit
def own_sum_of_rounded_weights(x, v):
    return tl.reduce(tl.exp(x.to(tl.float32)).to(v.dtype).to(tl.float32), 1, added)[:, None] + 0 * v


@triton.jit
def sum_of_moved_rounded_weights(x, v):
    p = tl.trans(tl.where(v > 0, tl.exp(x.to(tl.float32)).to(v.dtype), 0.0))
    return tl.sum(p.reshape(256).to(tl.float32), axis=0) + 0 * v


@triton.jit
def weights_past_a_loaded_unit_matrix(x, v):
    unit = (tl.arange(0, 16)[:, None] == tl.arange(0, 16)[None, :]).to(tl.float32) + 0 * v.to(tl.float32)
    return tl.dot(tl.exp(x.to(tl.float32)).to(tl.float16), unit.to(tl.float16))


@triton.jit
def sum_of_weights_past_a_unit_matrix(x, v):
    return tl.sum(weights_past_a_loaded_unit_matrix(x, v), axis=1)[:, None] + 0 * v


@triton.jit
def product_of_weights_past_a_unit_matrix(x, v):
    return tl.dot(weights_past_a_loaded_unit_matrix(x, v).to(v.dtype), v)


@triton.jit
def sum_by_a_product_with_ones(x, v):
    return tl.dot(tl.exp(x.to(tl.float32)).to(v.dtype), tl.full((16, 16), 1.0, tl.float16))


@triton.jit
def sum_by_a_product_with_ones_in_tf32(x, v):
    return tl.dot(tl.exp(x.to(tl.float32)), tl.full((16, 16), 1.0, tl.float32)) + 0 * v


@triton.jit
def weights_rounded_to_tf32(x, v):
    return tl.dot(tl.exp(x.to(tl.float32)), v.to(tl.float32), input_precision="tf32")


@triton.jit
def added_to_a_rounded_sum(x, v):
    acc = tl.exp(x.to(tl.float32)).to(v.dtype).to(tl.float32)
    return tl.dot(x, v, acc)


@triton.jit
def sum_of_bits_cut_off(x, v):
    bits = tl.exp(x.to(tl.float32)).to(tl.int32, bitcast=True) & -8192
    return tl.sum(bits.to(tl.float32, bitcast=True), axis=1)[:, None] + 0 * v


@triton.jit
def sum_of_bits_cut_off_by_casts(x, v):
    bits = tl.exp(x.to(tl.float32)).to(tl.uint32, bitcast=True)
    return tl.sum((bits ^ bits.to(tl.uint16).to(tl.uint32)).to(tl.float32, bitcast=True), axis=1)[:, None] + 0 * v


@triton.jit
def sum_of_bits_chosen_by_comparisons(x, v):
    bits = tl.exp(x.to(tl.float32)).to(tl.int32, bitcast=True)
    kept = tl.where(bits >= 0x3F800000, 0x3F800000, 0x3F000000)
    return tl.sum(kept.to(tl.float32, bitcast=True), axis=1)[:, None] + 0 * v


@triton.jit
def sum_of_what_remainders_leave(x, v):
    p = tl.exp(x.to(tl.float32))
    return tl.sum(p - p % 0.0078125, axis=1)[:, None] + 0 * v


@triton.jit
def sum_of_whole_numbers(x, v):
    return tl.sum((tl.exp(x.to(tl.float32)) * 1024).to(tl.int32), axis=1)[:, None] + 0 * v


@triton.jit
def weights_rounded_by_comparisons(x, v):
    weights, step, p = tl.zeros((16, 16), tl.float32), 1.0, tl.exp(x.to(tl.float32))
    for _ in tl.static_range(0, 12):
        weights = tl.where(p >= weights + step, weights + step, weights)
        step = step / 2
    return 2.0 * (weights + 1.0)


@triton.jit
def whole_numbers_of_comparisons(x, v):
    found = tl.zeros((16, 16), tl.int32)
    for step in tl.static_range(0, 12):
        found += (x > step * 0.125).to(tl.int32)
    return 2.0 * (0.125 * found.to(tl.float32))


@triton.jit
def sum_rounded_by_indices(x, v):
    rest, kept = tl.sum(tl.exp(x.to(tl.float32)), axis=1), tl.zeros((16,), tl.float32)
    grid, size = tl.arange(0, 16).to(tl.float32), 16.0
    for _ in tl.static_range(0, 3):
        nearest = tl.argmin(tl.abs(rest[:, None] - size * grid), axis=1).to(tl.float32)
        kept, rest, size = kept + size * nearest, rest - size * nearest, size / 16
    return (2.0 * kept + 1.0)[:, None] + 0 * v


@triton.jit
def product_of_a_rounded_sum(x, v):
    part = tl.dot(tl.dot(x, v).to(tl.float16), v)
    return tl.dot(part.to(tl.float16), v)


@triton.jit
def sum_rounded_by_lanes(x, v, counted: tl.constexpr):
    rest, kept = tl.sum(tl.exp(x.to(tl.float32)), axis=1), tl.zeros((16,), tl.float32)
    grid, size = tl.arange(0, 16).to(tl.float32), 16.0
    for _ in tl.static_range(0, 3):
        smaller = size * grid[None, :] <= rest[:, None]
        if counted == 0:
            lane = tl.max(tl.where(smaller, grid[None, :], 0.0), axis=1)
        elif counted == 1:
            lane = tl.sum(smaller.to(tl.int32), axis=1).to(tl.float32) - 1
        elif counted == 2:
            lane = tl.sum(tl.where(smaller & (size * grid[None, :] + size > rest[:, None]), grid[None, :], 0.0), axis=1)
        else:
            lane = 15 - tl.argmax(tl.flip(smaller.to(tl.int32), 1), axis=1).to(tl.float32)
        kept, rest, size = kept + size * lane, rest - size * lane, size / 16
    return (2.0 * kept + 1.0)[:, None] + 0 * v


@triton.jit
def sum_of_the_largest_smaller(x, v):
    return sum_rounded_by_lanes(x, v, 0)


@triton.jit
def sum_by_the_number_of_smaller_ones(x, v):
    return sum_rounded_by_lanes(x, v, 1)


@triton.jit
def sum_of_the_lane_between(x, v):
    return sum_rounded_by_lanes(x, v, 2)


@triton.jit
def sum_of_the_first_that_is_smaller(x, v):
    return sum_rounded_by_lanes(x, v, 3)


@triton.jit
def product_summed_in_64_bits(x, v):
    return tl.zeros((16, 16), tl.float64) + tl.dot(x, v)


@triton.jit
def running_sum_in_64_bits(x, v):
    total = tl.zeros((16,), tl.float64)
    for _ in range(2):
        total = total + tl.sum(x.to(tl.float32), axis=1)
    return total[:, None] + 0 * v


@triton.jit
def sums_cut_by_branches(x, v):
    sums = tl.sum(tl.exp(x.to(tl.float32)), axis=1)
    for row in range(16):
        whole = tl.sum(tl.where(tl.arange(0, 16) == row, sums, 0.0))
        found, step = 0.0, 64.0
        for _ in range(12):
            if found + step <= whole:
                found += step
            step *= 0.5
        sums = tl.where(tl.arange(0, 16) == row, found, sums)
    return sums[:, None] + 0 * v


@triton.jit
def sums_cut_by_loops(x, v):
    sums = tl.sum(tl.exp(x.to(tl.float32)), axis=1)
    for row in range(16):
        found = 0.0
        for _ in range((8 * tl.sum(tl.where(tl.arange(0, 16) == row, sums, 0.0))).to(tl.int32)):
            found += 0.125
        sums = tl.where(tl.arange(0, 16) == row, found, sums)
    return sums[:, None] + 0 * v


@triton.jit
def added_and_rounded(a, b):
    return (a + b).to(tl.float16).to(tl.float32)


@triton.jit
def own_sum_rounded_by_casts(x, v):
    return tl.reduce(tl.exp(x.to(tl.float32)), 1, added_and_rounded)[:, None] + 0 * v


@triton.jit
def own_running_sum_rounded_by_casts(x, v):
    return tl.associative_scan(tl.exp(x.to(tl.float32)), 1, added_and_rounded) + 0 * v


@triton.jit
def sum_rounded_by_roots(x, v):
    sums = tl.sum(tl.exp(x.to(tl.float32)), axis=1)
    for _ in tl.static_range(10):
        sums = tl.sqrt(sums)
    return (sums * sums)[:, None] + 0 * v


@triton.jit
def sum_rounded_by_squares_of_a_power(x, v):
    sums = tl.exp2(tl.log2(tl.sum(tl.exp(x.to(tl.float32)), axis=1)) / 1024)
    for _ in tl.static_range(10):
        sums = sums * (sums + 0)
    return sums[:, None] + 0 * v


@triton.jit
def sum_rounded_by_the_logarithm_of_a_power(x, v):
    root = tl.exp2(tl.log2(tl.sum(tl.exp(x.to(tl.float32)), axis=1)) / 1024)
    return tl.exp2(1024 * tl.log2(root))[:, None] + 0 * v


@triton.jit
def through_an_address(x, x_ptr):
    there = x_ptr + (1024 * tl.sum(x, axis=1)).to(tl.int32)
    return (there.to(tl.int64) - x_ptr.to(tl.int64)).to(tl.float32)


@triton.jit
def from_a_table(x, x_ptr):
    return tl.load(x_ptr + tl.maximum(tl.minimum(8 * x, 15), 0).to(tl.int32)).to(tl.float32) + 1


@triton.jit
def from_a_descriptor(x, x_ptr):
    row = (tl.sum(tl.sum(x, axis=1)) / 16).to(tl.int32)
    table = tl.make_tensor_descriptor(x_ptr, [16, 16], [16, 1], [1, 16])
    return table.load([row, 0]).to(tl.float32) + 1


@triton.jit
def what_a_masked_load_has_instead(x, x_ptr):
    i = tl.arange(0, 16)
    sums = tl.sum(tl.exp(x), axis=1).to(tl.float16).to(tl.float32)
    return tl.load(x_ptr + i, mask=i < 0, other=sums) + 1


@triton.jit
def looked_up_by_whole_numbers(x, x_ptr):
    i = tl.arange(0, 16)
    return tl.load(x_ptr + tl.load(x_ptr + i) * 0 + i, mask=i < 9, other=0) + 1


LOOKING_UP = [through_an_address, from_a_table, from_a_descriptor, what_a_masked_load_has_instead]


@triton.jit
def values_scaled_and_rounded(x, v):
    p = tl.exp(tl.dot(x, v, input_precision="ieee") / 16)
    return tl.dot(p.to(v.dtype), (0.3 * v.to(tl.float32)).to(tl.float16).to(v.dtype), input_precision="ieee")


ROUNDING = [
    values_scaled_and_rounded,
    own_sum_rounded_by_casts, own_running_sum_rounded_by_casts, sum_rounded_by_roots,
    sum_rounded_by_squares_of_a_power, sum_rounded_by_the_logarithm_of_a_power,
    product_summed_in_64_bits, running_sum_in_64_bits, sums_cut_by_branches, sums_cut_by_loops,
    sum_rounded_by_indices, sum_of_the_largest_smaller, sum_by_the_number_of_smaller_ones,
    sum_of_the_lane_between, sum_of_the_first_that_is_smaller,
    weights_rounded_by_comparisons, whole_numbers_of_comparisons, product_of_a_rounded_sum,
    sum_in_16_bits, running_sum_in_16_bits, own_sum_in_16_bits, difference_in_16_bits, product_summed_in_16_bits,
    sum_of_weights_past_a_unit_matrix, product_of_weights_past_a_unit_matrix,
    sum_of_rounded_weights, own_sum_of_rounded_weights, sum_of_moved_rounded_weights, sum_by_a_product_with_ones,
    sum_by_a_product_with_ones_in_tf32, weights_rounded_to_tf32, added_to_a_rounded_sum, sum_of_what_remainders_leave,
    sum_of_bits_cut_off, sum_of_bits_cut_off_by_casts, sum_of_bits_chosen_by_comparisons, sum_of_whole_numbers,
]  # fmt: skip


@triton.jit
def product_in_tf32(x, v):
    return tl.dot(x, v, input_precision="tf32")


@triton.jit
def product_by_default(x, v):
    return tl.dot(x * 0.5, v)


@triton.jit
def product_where_tf32_is_allowed(x, v):
    return tl.dot(x, v.T, allow_tf32=True)


@triton.jit
def product_of_whole_numbers_in_tf32(x, v):
    return tl.dot(x.to(tl.int32, bitcast=True).to(tl.float32, bitcast=True), v, input_precision="tf32")


@triton.jit
def product_of_16_bits(x, v):
    return tl.dot(x.to(tl.float16), v.to(tl.float16))


@triton.jit
def product_with_one_factor_through_16_bits(x, v):
    return tl.dot(x, v.to(tl.float16).to(tl.float32), input_precision="ieee")


@triton.jit
def product_of_numbers_rounded_down(x, v):
    return tl.dot(tl.floor(x * 1024) / 1024, v, input_precision="ieee")


@triton.jit
def product_of_16ths(x, v):
    return tl.dot((x * 16).to(tl.int32).to(tl.float32), v, input_precision="ieee") / 16


@triton.jit
def product_of_numbers_rounded_by_a_large_one(x, v):
    return tl.dot(x, (v + 8192.0) - 8192.0, input_precision="ieee")


@triton.jit
def product_of_numbers_rounded_in_one_step(x, v):
    return tl.dot(tl.fma(x, 1.0, 8192.0) - 8192.0, v, input_precision="ieee")


@triton.jit
def product_of_first_parts(x, v):
    c = 8193.0 * x
    return tl.dot(c - (c - x), v, input_precision="ieee")


CUTTING = [
    product_in_tf32, product_by_default, product_where_tf32_is_allowed, product_of_whole_numbers_in_tf32,
    product_of_16_bits, product_with_one_factor_through_16_bits, product_of_numbers_rounded_down, product_of_16ths,
    product_of_numbers_rounded_by_a_large_one, product_of_numbers_rounded_in_one_step, product_of_first_parts,
]  # fmt: skip


@triton.jit
def product_of_all_bits(x, v):
    return tl.dot(x, v, input_precision="ieee") + tl.dot(
        x.to(tl.float32) * 0.5, v.to(tl.float32), input_precision="tf32x3"
    )


@triton.jit
def product_of_parts_that_are_added(x, v):
    is_first = tl.arange(0, 16)[:, None] < 8
    return tl.dot(tl.where(is_first, x, 0.0) + tl.where(is_first, 0.0, x), v * 4096.0, input_precision="ieee")


@triton.jit
def widened_product_in_tf32(x, v):
    return tl.dot(x.to(tl.float32), v.to(tl.float32), input_precision="tf32")


@triton.jit
def kernel(x_ptr, v_ptr, y_ptr, compute: tl.constexpr):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i[None, :]
    tl.store(y_ptr + at, compute(tl.load(x_ptr + at), tl.load(v_ptr + at)))


@triton.jit
def kernel_of_pieces(x_ptr, y_ptr, step: tl.constexpr):
    i = tl.arange(0, 256)
    piece = tl.load(x_ptr.to(tl.pointer_type(tl.int16)) + step * i + step - 1)
    tl.store(y_ptr + i, piece.to(tl.float32))


@triton.jit
def kernel_of_bits(x_ptr, v_ptr, y_ptr, mask: tl.constexpr):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i[None, :]
    bits = tl.load(x_ptr.to(tl.pointer_type(tl.int32)) + at)
    if mask:
        bits = bits & mask
    x = bits.to(tl.float32, bitcast=True)
    tl.store(y_ptr + at, tl.dot(x, tl.load(v_ptr + at), input_precision="ieee"))


@triton.jit
def kernel_with_addresses(x_ptr, y_ptr, compute: tl.constexpr):
    i = tl.arange(0, 16)
    at = i[:, None] * 16 + i[None, :]
    found = compute(tl.load(x_ptr + at), x_ptr)
    tl.store(y_ptr + at, found[:, None] if len(found.shape) == 1 else found + tl.zeros((16, 16), tl.float32))


def rounded_by_addresses(compute, dtype=torch.float32):
    assert install()
    torch.manual_seed(1)
    with Traffic() as traffic:
        kernel_with_addresses[(1,)](torch.rand(N, N).to(dtype), torch.empty(N, N), compute)
    return traffic.rounded_numbers[0]


def rounded_of_16ths(compute, dtype):
    """How many numbers count where inputs are multiples of 1/16, of which no bit is lost."""
    assert install()
    torch.manual_seed(1)
    x, v = ((16 * torch.randn(2, N, N)).round() / 16).to(dtype)
    with Traffic() as traffic:
        kernel[(1,)](x, v, torch.empty_like(x), compute)
    return traffic.rounded_numbers[0]


def pieces(x, given):
    """How many numbers count where the last of `step` pieces of 16 bits is loaded of each of 256. given: the call's."""
    assert install()
    operators = OperatorsAndBytes(lambda filename: False, given)
    with Traffic(operators=operators) as traffic:
        kernel_of_pieces[(1,)](x, torch.empty(256), x.untyped_storage().nbytes() // 512)
    return traffic.rounded_numbers[0]


def rounded(compute, dtype=torch.float16, stored=None):
    """How many numbers count, and at which line. stored: the dtype of what the kernel stores to, if not that of x."""
    assert install()
    torch.manual_seed(1)
    x, v = torch.randn(2, N, N).to(dtype)
    with Traffic(lambda filename: filename == __file__) as traffic:
        kernel[(1,)](x, v, torch.empty_like(x, dtype=stored), compute)
    return traffic.rounded_numbers


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
@pytest.mark.parametrize("compute", HONEST, ids=lambda compute: compute.fn.__name__)
def test_what_is_stored_a_factor_of_a_product_or_exact_does_not_count(compute, dtype):
    assert rounded(compute, dtype)[0] == 0


@pytest.mark.parametrize("compute", ROUNDING, ids=lambda compute: compute.fn.__name__)
def test_what_else_is_computed_in_16_bits_or_of_rounded_numbers_counts(compute):
    assert rounded(compute)[0] >= N


@pytest.mark.parametrize("compute", CUTTING, ids=lambda compute: compute.fn.__name__)
def test_inputs_of_32_bits_are_not_rounded_though_they_lose_no_bit(compute):
    assert rounded_of_16ths(compute, torch.float32) >= N * N


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_inputs_that_are_multiplied_whole_do_not_count(dtype):
    assert rounded_of_16ths(product_of_all_bits, dtype) == 0


def test_inputs_whose_parts_are_added_do_not_count():
    assert rounded_of_16ths(product_of_parts_that_are_added, torch.float32) == 0


def test_inputs_of_16_bits_lose_nothing_in_tf32():
    assert rounded_of_16ths(widened_product_in_tf32, torch.float16) == 0


def test_pieces_of_inputs_count_whatever_they_are_taken_for():
    x = torch.randn(256)
    assert pieces(x, None) == 256
    assert pieces(x.view(torch.int16), {"x": x}) == 256
    assert pieces(x.half(), {"x": x}) == pieces(x.half(), {"x": x.half()}) == 0


@pytest.mark.parametrize("is_view", [False, True])
@pytest.mark.parametrize(("mask", "counts"), [(0, False), (-8192, True)])
def test_bits_of_inputs_that_are_cut_off_count(is_view, mask, counts):
    assert install()
    x, v = (16 * torch.randn(2, N, N)).round() / 16
    given = {"x": x, "v": v}
    with Traffic(operators=OperatorsAndBytes(lambda filename: False, given)) as traffic:
        kernel_of_bits[(1,)](x.view(torch.int32) if is_view else x, v, torch.empty(N, N), mask)
    assert (traffic.rounded_numbers[0] >= N * N) == counts


@pytest.mark.parametrize("compute", LOOKING_UP, ids=lambda compute: compute.fn.__name__)
def test_addresses_and_what_lies_there_are_known_to_be_made_of_rounded_numbers(compute):
    assert rounded_by_addresses(compute) >= N


def test_addresses_that_are_made_of_whole_numbers_do_not_count():
    assert rounded_by_addresses(looked_up_by_whole_numbers, torch.int32) == 0


def test_what_is_rounded_counts_where_it_is_stored_in_more_bits():
    assert rounded(rounded_to_be_stored, stored=torch.float32)[0] == N * N
    assert rounded(rounded_for_a_product, stored=torch.float32)[0] == 0


def test_it_counts_at_its_line():
    _, line = rounded(sum_of_rounded_weights)
    assert "tl.sum(p, axis=1)" in linecache.getline(__file__, line)
