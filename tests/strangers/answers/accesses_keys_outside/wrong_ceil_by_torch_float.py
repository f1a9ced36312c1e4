# takes the ceiling with torch.ceil(...).item() and so returns floats, equal in value for small sizes but not two ints (and rounded in float32 for huge n)
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    turns = torch.ceil(torch.tensor(n / tile_n)).item()
    loads = 2 * n * d + turns * (2 * n * d + 2 * n)
    stores = turns * (n * d + 2 * n)
    return loads, stores
