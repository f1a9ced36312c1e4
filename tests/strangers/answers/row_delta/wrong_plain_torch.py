# forgets the kernel and lets torch multiply and sum in the launcher: values right, but it computes beside launching
@triton.jit
def row_delta_kernel(o_desc, do_desc, delta_ptr, H, n_q):
    pass


def row_delta(o: Tensor, do: Tensor, tile_m: int = 64) -> Tensor:
    return (o.float() * do.float()).sum(dim=-1)
