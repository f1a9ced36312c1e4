"""What a call may use beside the value that it returns: bounds on memory, traffic and operations."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ...runner.meters import Meter
from .case import Arguments

ONCE = "a program takes one tile, and loads nothing twice"
INPUTS = "kernels load half of the inputs at least"
IN_FLOAT32 = "what is rounded to 16 bits is stored in as many, or a factor of tl.dot"
NOT_CONTIGUOUS = "what is not contiguous"
BY_NUMBER = "half of one product of the tiles that meet, and three for each number that is loaded"
COMPUTED = "two for each multiplication of one product of the tiles that meet, and eight for each number that is loaded"
OF_SCORES = "one for each score of the tiles that meet, and half as many"
OF_ROWS = "a few for each number that is loaded"
A_WORD = 150  # operations for a number drawn at random, by ten rounds of Philox for each of them


@dataclass(frozen=True)
class Bound:
    """How much a call may use (of some counts: has to), by its arguments, and that formula in words, for the card.

    exactly: it may not use less either. least: nor less than this, in the cases made for what is bounded. everywhere:
    it may not use more in any case, whatever is so of other bounds on the same count.
    """

    most: Callable[[Arguments], int]
    words: str = ""
    exactly: bool = False
    least: Callable[[Arguments], int] | None = None
    everywhere: bool = False

    def at_least(self, arguments: Arguments) -> int:
        """The least that a call has to use."""
        if self.exactly:
            return self.most(arguments)
        return self.least(arguments) if self.least else 0


def _bytes_apart(given: Arguments) -> int:
    """Those of the arguments that lie in memory in another way than a new tensor, of which copies may be made."""
    return sum(x.nbytes for x in _floats(given) if not x.flags.c_contiguous)


def _floats(given: Arguments) -> list[np.ndarray]:
    """The floating-point numbers among the arguments: blocks and lengths are no inputs to compute with."""
    return [x for x in given.values() if isinstance(x, np.ndarray) and x.dtype.kind == "f"]


def _width(given: Arguments) -> int:
    """How many numbers a row of the first array has: the queries, mostly."""
    return int(next(x for x in given.values() if isinstance(x, np.ndarray)).shape[-1])


def launched(times: int, words: str) -> Bound:
    """The launches of all kernels."""
    return Bound(lambda given: times, words)


ONE_TILE_EACH = Bound(lambda given: 0, ONCE)


@dataclass(frozen=True)
class Budget:
    """Bounds on what one call may use: most of a count, but where "at least" is said.

    is_the_point: whether to keep within it is what the exercise is about (no N x N matrix, one pass, no copy).

    Of any call:
    memory: peak bytes allocated during it, outputs included; of ranks, of the fullest one.
    held: bytes that an object keeps between its operations.
    floats: of these, those of floating-point numbers.
    made: bytes of all floating-point numbers that are allocated, those that are gone again too, or written over where
    an object keeps them.
    steps: lines of Python that are executed, and a quarter of the calls into libraries.

    Of kernels:
    loads, stores: bytes read from and written to main memory.
    inputs: at least, bytes of the call's arguments that are loaded.
    again: bytes that a program had loaded before; none where each program takes one tile, which meets others, as where
    their number is fixed.

    Of CUDA kernels:
    again: as of kernels, each byte counted once, of the block with most.
    repeated: bytes that are loaded more than once, in whichever blocks, each counted once.
    sectors: 32-byte pieces of main memory that the requests of all warps touch.
    scattered_loads, scattered_stores: lanes whose numbers in main memory do not lie next to those of the lane before.
    conflicts: passes over the banks of shared memory beyond those that requests of that width need.
    block, thread, thread_loads: bytes of main memory that one block moves, that one thread stores, and loads.
    exchanged, shared: requests of all warps to shared memory, and bytes that threads write and read there.
    handed: at least, bytes of shared memory that a thread reads and another has written.
    passed: bytes of main memory that one warp reads and another has written.
    thread_reads, thread_writes: bytes of shared memory that one thread reads, and writes. taken: of those that
    it reads, those that others have written. block_writes: those that one block writes.
    barriers: of its block and its warp that one thread passes.
    shuffled, by_a_warp: shuffles of all warps, and of one.
    idle: threads of a block that take fewer than an eighth as many exponentials as the one that takes most.
    exponentials, vanished: how many one thread takes, and how many of one block come out next to 0 or infinite, as
    those of hidden keys do.
    multiplications: at least, mma by a warp, those of zeros not counted. fragments: the most, whatever they multiply.
    overlapped: at least, those beside copies from main memory of its own. coarse: those that are added to sums which
        all end in zeros, as exact ones do, and rounded ones.
    copies: at least, bytes from main memory by cp_async beside 16 products of the warp or more.

    Of Triton's kernels:
    busiest: bytes that one program of each kernel moves, of all kernels together.
    programs: those of all launches. launches: how often a kernel is launched, once where nothing is said: the grid has
        the tiles, and no loop around it.
    region: elements of the smallest block of a tensor that holds all which one program stores there.
    pieces: how many pieces of a result that lie apart one program stores.
    out_of_order: programs that store before what a program of a smaller number stores.
    widest, asked: elements that one load or store holds, and those of all loads; masked ones too.
    narrow: elements reached at offsets that are made of block numbers in 32 bits.
    by_number: multiplications, divisions and exponentials that are no matrix products; in torch, multiplications and
        divisions of such numbers as were made of the arguments.
    computed: everything that is computed number by number; both follow from the others where nothing is said, see
        `of_kernels`.
    met: multiplications of one matrix product of all tiles that meet.
    natural: exponentials to base e. raised: at least, those to base e or 2, each of which a series of one's own is not;
    in torch too, of such numbers as were made of the arguments.
    drawn: numbers drawn at random.
    rounded: numbers that are computed in 16 bits, or of such as have been rounded to them, other than by matrix
        products; none where nothing is said, since sums are float32. Of CUDA kernels: those that they round to them;
        of torch, those that products, sums, powers, and whatever is given wider ones, leave in 16 bits, and those that
        are left on a grid.

    Of torch:
    operators, computed: operations that are run, views not counted, and numbers that they make.
    products, product_calls: multiplications in its matrix products, and how many of these are run; those of tl.dot too.
    product_rows: rows that one matrix product makes, or one operator of powers, or columns where they are fewer.
    at_a_time: multiplications that one matrix product does for one head, and one tl.dot.
    powers: numbers of which one operator takes powers, each counted once; of such as were made of the arguments.
    powers_in_all: the same of all operators together; of Triton's kernels, of all numbers.
    swayed: exponentials of a query that come out otherwise where one of the keys that may be visited last scores above
    all others, in a call without a mask: those of its tile, and of what rescales those before.
    apart: rows of an argument, in a view of which an operator of torch takes the numbers, between which others lie.
    joined: numbers that torch's operators add, compare or order along an axis that is longer than two and than the rows
    of the arguments, all together.
    widened: numbers that products, sums and powers leave in 64 bits.
    normalised: rows of outputs that have been divided, on the way too, in a call without a mask.
    copied, copied_keys: bytes of all copies of the arguments' numbers, those that are gone again too; and of these,
        of all arguments but the first, which are the queries.
    backwards: at least, multiplications in matrix products while autograd runs a backward pass.

    Of ranks (see `runner.ranks`):
    sent, messages: the bytes and the number of the messages of one rank, a collective being one.
    rounds: how many have to follow one another. astray: how many go to another rank than the next one.
    at_once: multiplications of a rank between two waits for messages.
    clock: when the slowest rank is done. waited: of that, what one rank stands still, for messages and for others.
    compared: at least, numbers of which a maximum or a minimum over all ranks is found.
    received, work: at least, the bytes and the multiplications that no rank can do without, so that nothing goes
    another way.
    """

    is_the_point: bool = False
    memory: Bound | None = None
    held: Bound | None = None
    floats: Bound | None = None
    made: Bound | None = None
    copied: Bound | None = None
    copied_keys: Bound | None = None
    steps: Bound | None = None
    loads: Bound | None = None
    again: Bound | None = None
    repeated: Bound | None = None
    stores: Bound | None = None
    sectors: Bound | None = None
    scattered_loads: Bound | None = None
    scattered_stores: Bound | None = None
    conflicts: Bound | None = None
    busiest: Bound | None = None
    block: Bound | None = None
    thread: Bound | None = None
    thread_loads: Bound | None = None
    programs: Bound | None = None
    launches: Bound | None = None
    region: Bound | None = None
    pieces: Bound | None = None
    out_of_order: Bound | None = None
    widest: Bound | None = None
    asked: Bound | None = None
    narrow: Bound | None = None
    operators: Bound | None = None
    products: Bound | None = None
    product_calls: Bound | None = None
    product_rows: Bound | None = None
    at_a_time: Bound | None = None
    powers: Bound | None = None
    powers_in_all: Bound | None = None
    swayed: Bound | None = None
    apart: Bound | None = None
    joined: Bound | None = None
    normalised: Bound | None = None
    backwards: Bound | None = None
    inputs: Bound | None = None
    by_number: Bound | None = None
    computed: Bound | None = None
    met: Bound | None = None
    natural: Bound | None = None
    raised: Bound | None = None
    drawn: Bound | None = None
    rounded: Bound | None = None
    widened: Bound | None = None
    exchanged: Bound | None = None
    shared: Bound | None = None
    handed: Bound | None = None
    passed: Bound | None = None
    thread_reads: Bound | None = None
    taken: Bound | None = None
    barriers: Bound | None = None
    thread_writes: Bound | None = None
    block_writes: Bound | None = None
    shuffled: Bound | None = None
    by_a_warp: Bound | None = None
    exponentials: Bound | None = None
    idle: Bound | None = None
    vanished: Bound | None = None
    multiplications: Bound | None = None
    fragments: Bound | None = None
    coarse: Bound | None = None
    copies: Bound | None = None
    overlapped: Bound | None = None
    sent: Bound | None = None
    messages: Bound | None = None
    rounds: Bound | None = None
    astray: Bound | None = None
    compared: Bound | None = None
    received: Bound | None = None
    work: Bound | None = None
    at_once: Bound | None = None
    clock: Bound | None = None
    waited: Bound | None = None

    def of_kernels(self) -> Budget:
        """With what is so of all Triton kernels: they load the inputs that they use, do at least half of the products
        that they may, but where a bound has a least of its own, and compute number by number what softmax, masks and
        scales need, and no product once more.

        A product takes a multiplication for each pair of numbers that meet, however it is written: as logarithms, as
        squares, along one axis. What honest kernels compute for two tiles is some numbers for each score and each
        element of the tiles, less than half as much as is allowed here; and one exponential for each score, with one
        for each query by which they rescale, at most an eighth more.
        """
        products, met, drawn = self.products, self.met, self.drawn
        if products is not None:
            most = products.most
            least = products.least or (lambda given: most(given) // 2)
            products = replace(products, least=least, everywhere=True)
            met = met or Bound(lambda given: most(given) // 2)  # S and P V

        def of(once: int, twice: int, rows: int, word: int) -> Callable[[Arguments], int]:
            """Halves of a product, and for each number that is loaded so many, more where no tiles meet."""

            def bound(given: Arguments) -> int:
                pairs = once * met.most(given) // 2 if met else 0
                words = word * drawn.most(given) if drawn else 0
                return pairs + (twice if met else rows) * self._loaded(given) + words

            return bound

        by_number = self.by_number or Bound(of(1, 3, 16, 4), BY_NUMBER if met else OF_ROWS)
        meeting = bool(met) and by_number is not self.by_number  # whole tiles, of which little may be loaded
        return replace(
            self,
            inputs=Bound(lambda given: self._loaded_bytes(given) // 2, INPUTS),
            again=ONE_TILE_EACH if met and self.programs and self.programs.exactly else self.again,
            launches=self.launches or launched(1, "the grid has all tiles"),
            copied=Bound(_bytes_apart, NOT_CONTIGUOUS),
            rounded=self.rounded or Bound(lambda given: 0, IN_FLOAT32),
            products=products,
            product_calls=self.product_calls and replace(self.product_calls, everywhere=True),
            by_number=replace(by_number, everywhere=bool(met)),
            powers_in_all=self.powers_in_all
            or (met and Bound(lambda a: 3 * met.most(a) // (2 * _width(a)), OF_SCORES)),
            computed=Bound(of(4, 8, 60, A_WORD), COMPUTED if met else OF_ROWS, everywhere=meeting),
        )

    def _loaded_bytes(self, given: Arguments) -> int:
        """Those of the inputs, or fewer where not all of them may be loaded."""
        there = sum(x.nbytes for x in _floats(given))
        return there if self.loads is None else min(there, self.loads.most(given))

    def _loaded(self, given: Arguments) -> int:
        return self._loaded_bytes(given) // min((x.itemsize for x in _floats(given)), default=1)

    def formulas(self, meters: Iterable[Meter]) -> list[str]:
        """Their bounds in words, each to stand behind its own number; "" where nothing is said, or it was before."""
        bounds: list[Bound | None] = [getattr(self, meter.bound) for meter in meters]
        said = [bound.words if bound else "" for bound in bounds]
        return ["" if words in said[:place] else words for place, words in enumerate(said)]
