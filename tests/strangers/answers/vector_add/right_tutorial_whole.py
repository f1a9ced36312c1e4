# Triton's tutorial, with its benchmark
import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, output_ptr, n_elements, BLOCK_SIZE: tl.constexpr):
    pid = tl.program_id(axis=0)
    offsets = pid * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    offsets = tl.max_contiguous(tl.multiple_of(offsets, BLOCK_SIZE), BLOCK_SIZE)
    mask = offsets < n_elements
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.load(y_ptr + offsets, mask=mask)
    tl.store(output_ptr + offsets, x + y, mask=mask)


def vector_add(x, y, tile=1024):
    output = torch.empty_like(x)
    n_elements = output.numel()
    grid = lambda meta: (triton.cdiv(n_elements, meta["BLOCK_SIZE"]), )
    add_kernel[grid](x, y, output, n_elements, BLOCK_SIZE=tile)
    return output


torch.manual_seed(0)
size = 98432
x = torch.rand(size)
y = torch.rand(size)
output_torch = x + y
output_triton = vector_add(x, y)
print(output_torch)
print(output_triton)
print(f"The maximum difference between torch and triton is "
      f"{torch.max(torch.abs(output_torch - output_triton))}")

@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["size"], x_vals=[2**i for i in range(12, 28, 1)], line_arg="provider",
        line_vals=["triton", "torch"], line_names=["Triton", "Torch"], ylabel="GB/s", plot_name="vector-add-performance", args={}))
def benchmark(size, provider):
    x = torch.rand(size, device="cuda", dtype=torch.float32)
    ms, min_ms, max_ms = triton.testing.do_bench(lambda: x + x, quantiles=[0.5, 0.2, 0.8])
    return ms

