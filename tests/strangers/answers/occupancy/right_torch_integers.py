# Divides int64 tensors of torch and takes items out of them at the end
def occupancy(
    threads: int, registers: int, shared: int, max_warps: int = 64, max_blocks: int = 32,
    register_file: int = 65536, shared_memory: int = 233472,
) -> tuple[int, int]:  # fmt: skip
    import torch

    warps = torch.div(torch.tensor(threads + 31), 32, rounding_mode="floor")
    per_warp = 256 * torch.div(torch.tensor(registers + 7), 8, rounding_mode="floor")
    dealt = 4 * torch.div(torch.tensor(register_file // 4), per_warp, rounding_mode="floor")
    bytes_each = 128 * torch.div(torch.tensor(shared + 1024 + 127), 128, rounding_mode="floor")
    have = torch.stack([torch.tensor(max_blocks), torch.tensor(max_warps), dealt, torch.tensor(shared_memory)])
    need = torch.stack([torch.tensor(1), warps, warps, bytes_each])
    blocks = torch.div(have, need, rounding_mode="floor").min()
    return blocks.item(), (blocks * warps).item()
