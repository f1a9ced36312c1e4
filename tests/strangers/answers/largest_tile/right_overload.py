# Overloads, for the types of what is given.
from typing import overload, Union, Any, cast


@overload
def largest_tile(d: int, on_chip: int) -> int: ...
@overload
def largest_tile(d: float, on_chip: float) -> int: ...
def largest_tile(d: Union[int, float], on_chip: Any) -> int:
    """Rows of each of four tiles."""
    return int(on_chip // (4 * d))
