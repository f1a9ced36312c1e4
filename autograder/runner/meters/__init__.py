"""What is counted of a call beside its value. A meter is declared here, and nowhere else by name."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

# Whether a call is made again, with other numbers or without its helpers: what it prints has been printed, or will be.
CALLED_AGAIN = ContextVar("called_again", default=False)


@dataclass(frozen=True)
class Meter:
    """One count of a call.

    name: its key in an Observation's counts and in results.json. kind, label: what results.json and the card call a
    broken budget; meters of one kind have one label, and are said in one sentence. bound: the field of `Budget` that
    limits it. over, used: what the answer did, for an answer over its budget and for a right one, {} being the count,
    and {s} the ending of what is counted where it is not 1. in_bytes: whether the count is bytes. everywhere: whether
    the bound holds in all cases, and not in those alone that are made for it (where a mask sends a warp's lanes
    different ways, they meet in the banks). is_least: whether the bound is the least that it takes. is_quiet: whether
    it only guards against a way around the exercise: a card says it only where it is bounded, and folded. of_values:
    whether it counts by what comes out, which wrong values spoil. follows: kinds of meters whose broken budgets break
    this one too, and are said alone.
    """

    name: str
    kind: str
    label: str
    bound: str
    over: str
    used: str
    in_bytes: bool = False
    everywhere: bool = True
    is_least: bool = False
    is_quiet: bool = False
    of_values: bool = False
    follows: tuple[str, ...] = ()

    @property
    def bounded(self) -> str:
        """What stands before the bound."""
        return "at least" if self.is_least else "allowed"

    def is_broken(self, count: int, bound: int) -> bool:
        """Whether the count is on the wrong side of the bound."""
        return count < bound if self.is_least else count > bound


METERS = (
    Meter("peak_bytes", "memory", "memory", "memory",
          "allocated {} at its peak", "{} at the peak", in_bytes=True),
    Meter("held_bytes", "memory", "memory", "held",
          "kept {} between operations", "{} kept between operations", in_bytes=True, is_quiet=True),
    Meter("floats_held", "memory", "memory", "floats",
          "kept {} of floating-point numbers between operations", "{} of floating-point numbers kept", in_bytes=True,
          is_quiet=True),
    Meter("floats_made", "memory", "memory", "made",
          "allocated, or wrote over, {} of floating-point numbers, those that are gone again too",
          "{} of floating-point numbers made",
          in_bytes=True, everywhere=False, is_quiet=True),
    Meter("copied_inputs", "memory", "memory", "copied",
          "copied {} of the arguments, all copies together", "{} of the arguments copied", in_bytes=True,
          is_quiet=True),
    Meter("copied_keys", "memory", "memory", "copied_keys",
          "copied {} of keys and values, all copies together", "{} of keys and values copied", in_bytes=True,
          is_quiet=True),
    Meter("steps", "steps", "steps", "steps", "executed {} line{s}", "{} line{s} executed"),
    Meter("loaded_bytes", "traffic", "traffic", "loads", "loaded {}", "loaded {}", in_bytes=True),
    Meter("loaded_again", "traffic", "traffic", "again",
          "loaded {} once more that the same program had loaded", "{} loaded once more by a program", in_bytes=True,
          is_quiet=True),
    Meter("repeated_bytes", "traffic", "traffic", "repeated",
          "loaded {} more than once", "{} loaded more than once", in_bytes=True, is_quiet=True),
    Meter("stored_bytes", "traffic", "traffic", "stores", "stored {}", "stored {}", in_bytes=True),
    Meter("input_bytes", "traffic", "traffic", "inputs",
          "loaded {} of the inputs in kernels", "{} of them of the inputs", in_bytes=True, everywhere=False,
          is_least=True, is_quiet=True),
    Meter("sectors", "sectors", "sectors", "sectors",
          "touched {} sector{s} of 32 bytes in main memory", "{} sector{s} of 32 bytes touched"),
    Meter("scattered_loads", "sectors", "sectors", "scattered_loads",
          "loaded in {} lane{s} what does not lie next to what the lane before loads",
          "{} lane{s} whose loads do not lie next to the lane before", is_quiet=True),
    Meter("scattered_stores", "sectors", "sectors", "scattered_stores",
          "stored in {} lane{s} what does not lie next to what the lane before stores",
          "{} lane{s} whose stores do not lie next to the lane before", is_quiet=True),
    Meter("bank_conflicts", "conflicts", "banks", "conflicts",
          "waited {} time{s} for a bank of shared memory", "{} conflict{s}", everywhere=False),
    Meter("busiest_bytes", "sharing", "sharing", "busiest",
          "moved {} in one program", "at most {} moved by one program", in_bytes=True, is_quiet=True,
          follows=("traffic",)),
    Meter("block_bytes", "sharing", "sharing", "block",
          "moved {} in one block", "at most {} moved by one block", in_bytes=True, is_quiet=True,
          follows=("traffic",)),
    Meter("thread_loads", "sharing", "sharing", "thread_loads",
          "loaded {} in one thread", "at most {} loaded by one thread", in_bytes=True, is_quiet=True,
          follows=("traffic",)),
    Meter("thread_bytes", "sharing", "sharing", "thread",
          "stored {} in one thread", "at most {} stored by one thread", in_bytes=True, is_quiet=True,
          follows=("traffic",)),
    Meter("programs", "grid", "grid", "programs", "ran {} program{s}", "{} program{s}", is_quiet=True),
    Meter("launches", "grid", "grid", "launches", "launched a kernel {} time{s}", "a kernel launched {} time{s}",
          is_quiet=True),
    Meter("widest_access", "tiles", "tiles", "widest",
          "loaded or stored {} element{s} at once", "at most {} element{s} at once", is_quiet=True),
    Meter("stored_region", "tiles", "tiles", "region",
          "stored in one program what lies in a block of {} element{s}",
          "at most {} element{s} in the block that a program stores", is_quiet=True,
          follows=("grid", "sharing")),
    Meter("stored_pieces", "tiles", "tiles", "pieces",
          "stored in one program {} piece{s} of a result that lie apart",
          "at most {} piece{s} of a result stored by one program", is_quiet=True, follows=("grid", "sharing")),
    Meter("out_of_order", "tiles", "tiles", "out_of_order",
          "stored before the tiles of earlier programs in {} program{s}",
          "{} program{s} out of order", is_quiet=True, follows=("grid", "sharing")),
    Meter("asked_elements", "visits", "tiles visited", "asked",
          "asked for {} element{s}, masked ones too", "{} element{s} asked for, masked ones too", is_quiet=True,
          follows=("traffic",)),
    Meter("narrow_offsets", "offsets", "offsets", "narrow",
          "computed {} offset{s} from block numbers in 32 bits", "{} offset{s} from block numbers in 32 bits",
          is_quiet=True),
    Meter("operators", "operators", "operators", "operators",
          "ran {} operation{s} of torch", "{} operation{s} of torch", is_quiet=True),
    Meter("products", "products", "products", "products",
          "did {} multiplication{s} in matrix products", "{} multiplication{s} in matrix products", everywhere=False,
          is_quiet=True, follows=("traffic", "visits")),
    Meter("backward_products", "products", "products", "backwards",
          "did {} multiplication{s} in a backward pass of autograd",
          "{} multiplication{s} in a backward pass of autograd", everywhere=False, is_least=True, is_quiet=True),
    Meter("product_calls", "products", "products", "product_calls",
          "ran {} matrix product{s}", "{} matrix product{s}", everywhere=False, is_quiet=True,
          follows=("traffic", "visits")),
    Meter("product_rows", "products", "products", "product_rows",
          "took {} row{s} of scores at once", "at most {} row{s} of scores at once", is_quiet=True),
    Meter("product_of_a_head", "products", "products", "at_a_time",
          "did {} multiplication{s} of a head in one matrix product",
          "at most {} multiplication{s} of a head in one matrix product", everywhere=False, is_quiet=True,
          follows=("tiles",)),
    Meter("powers_at_once", "products", "products", "powers",
          "took {} exponential{s} at once", "at most {} exponential{s} at once", everywhere=False, is_quiet=True),
    Meter("powers", "products", "products", "powers_in_all",
          "took {} exponential{s} in all", "{} exponential{s} in all", everywhere=False, is_quiet=True),
    Meter("powers_swayed", "products", "products", "swayed",
          "took {} exponential{s} of a query that hang on one of the last keys",
          "{} exponential{s} of a query that hang on one of the last keys", everywhere=False, is_quiet=True,
          of_values=True),
    Meter("rows_apart", "tiles", "tiles", "apart",
          "took {} row{s} of the arguments between which others lie",
          "{} row{s} taken between which others lie", is_quiet=True),
    Meter("joined", "products", "products", "joined",
          "added, compared or ordered {} number{s} along an axis",
          "{} number{s} added, compared or ordered along an axis", is_quiet=True),
    Meter("by_number", "products", "products", "by_number",
          "multiplied {} number{s} one by one, exponentials and divisions too",
          "{} number{s} multiplied one by one, exponentials and divisions too",
          everywhere=False, is_quiet=True, follows=("traffic", "visits")),
    Meter("computed", "products", "products", "computed",
          "computed {} number{s} one by one", "{} number{s} computed one by one", everywhere=False, is_quiet=True,
          follows=("traffic", "visits")),
    Meter("exponentials", "exponentials", "exponentials", "raised",
          "took {} exponential{s}", "{} exponential{s}", everywhere=False, is_least=True, is_quiet=True),
    Meter("natural", "exponentials", "exponentials", "natural",
          "took {} exponential{s} to base e", "{} exponential{s} to base e", is_quiet=True),
    Meter("rounded", "precision", "precision", "rounded",
          "computed {} number{s} in 16 or 64 bits, or of numbers rounded to 16",
          "{} number{s} computed in 16 or 64 bits, or of rounded ones", is_quiet=True),
    Meter("coarse_sums", "precision", "precision", "coarse",
          "added {} product{s} on tensor cores to sums that all end in zeros",
          "{} product{s} on tensor cores added to sums that all end in zeros", everywhere=False, is_quiet=True),
    Meter("widened", "precision", "precision", "widened",
          "computed {} number{s} in 64 bits", "{} number{s} computed in 64 bits", is_quiet=True),
    Meter("normalised", "divisions", "divisions", "normalised",
          "came to {} row{s} of outputs that are divided", "{} row{s} of divided outputs", everywhere=False,
          is_quiet=True, of_values=True),
    Meter("shared_requests", "exchange", "shared memory", "exchanged",
          "asked shared memory, or for votes, {} time{s}", "{} request{s} to shared memory and votes", is_quiet=True),
    Meter("shared_bytes", "exchange", "shared memory", "shared",
          "wrote and read {} in shared memory", "{} written and read in shared memory", in_bytes=True,
          everywhere=False, is_quiet=True),
    Meter("handed_bytes", "handed", "shared memory", "handed",
          "read {} of shared memory that other threads had written", "{} of shared memory read that others had written",
          in_bytes=True, everywhere=False, is_least=True, is_quiet=True),
    Meter("passed_bytes", "sharing", "sharing", "passed",
          "loaded {} of main memory that other warps had stored",
          "{} of main memory loaded that other warps had stored", in_bytes=True, is_quiet=True, follows=("traffic",)),
    Meter("thread_reads", "exchange", "shared memory", "thread_reads",
          "read {} of shared memory in one thread", "at most {} of shared memory read by one thread", in_bytes=True,
          is_quiet=True),
    Meter("thread_taken", "exchange", "shared memory", "taken",
          "read {} of shared memory in one thread that others had written",
          "at most {} of shared memory read by one thread that others had written", in_bytes=True, is_quiet=True),
    Meter("thread_barriers", "waiting", "barriers", "barriers",
          "passed {} barrier{s} in one thread", "at most {} barrier{s} passed by one thread", is_quiet=True,
          follows=("traffic",)),
    Meter("thread_writes", "exchange", "shared memory", "thread_writes",
          "wrote {} to shared memory in one thread", "at most {} of shared memory written by one thread", in_bytes=True,
          is_quiet=True),
    Meter("block_writes", "exchange", "shared memory", "block_writes",
          "wrote {} to shared memory in one block", "at most {} of shared memory written by one block", in_bytes=True,
          is_quiet=True),
    Meter("shuffles", "shuffles", "shuffles", "shuffled",
          "shuffled {} time{s}", "{} shuffle{s}", is_quiet=True),
    Meter("warp_shuffles", "shuffles", "shuffles", "by_a_warp",
          "shuffled or voted {} time{s} in one warp", "at most {} shuffle{s} and votes of one warp", is_quiet=True),
    Meter("thread_exponentials", "sharing", "sharing", "exponentials",
          "took {} exponential{s} in one thread", "at most {} exponential{s} in one thread", is_quiet=True,
          follows=("traffic",)),
    Meter("idle_threads", "sharing", "sharing", "idle",
          "took hardly an exponential in {} thread{s} of a block", "{} thread{s} of a block with hardly an exponential",
          everywhere=False, is_quiet=True, of_values=True, follows=("traffic",)),
    Meter("vanished", "hidden", "hidden keys", "vanished",
          "took {} exponential{s} that come out as 0 or infinite in one block",
          "at most {} exponential{s} that are 0 or infinite in one block",
          everywhere=False, is_quiet=True, of_values=True, follows=("traffic",)),
    Meter("multiplications", "multiplications", "tensor cores", "multiplications",
          "multiplied {} pair{s} of fragments on tensor cores", "{} multiplication{s} on tensor cores", is_least=True),
    Meter("fragments", "multiplications", "tensor cores", "fragments",
          "multiplied {} pair{s} of fragments on tensor cores", "{} pair{s} of fragments multiplied",
          everywhere=False, is_quiet=True, follows=("traffic", "hidden")),
    Meter("sent_bytes", "messages", "messages", "sent",
          "sent {} from one rank", "{} sent by a rank at most", in_bytes=True),
    Meter("messages", "messages", "messages", "messages",
          "sent {} message{s} from one rank", "{} message{s} from a rank at most", is_quiet=True),
    Meter("rounds", "messages", "messages", "rounds",
          "sent in {} round{s}, one behind the other", "{} round{s} of messages", is_quiet=True),
    Meter("astray", "messages", "messages", "astray",
          "sent {} message{s} to another rank than the next", "{} message{s} past the next rank", is_quiet=True),
    Meter("compared", "maxima", "maxima", "compared",
          "brought {} number{s} to a maximum over all ranks", "at least {} number{s} brought to a maximum by each rank",
          is_least=True, is_quiet=True),
    Meter("received_bytes", "received", "keys and values", "received",
          "received {} on the rank that received least", "at least {} received by each rank", in_bytes=True,
          is_least=True, is_quiet=True),
    Meter("work", "work", "products", "work",
          "did {} multiplication{s} where the clock counts, on the rank with fewest",
          "at least {} multiplication{s} by each rank", everywhere=False, is_least=True, is_quiet=True),
    Meter("clock", "time", "clock", "clock",
          "was done on its slowest rank after {} multiplication{s}, waiting included",
          "slowest rank done after {} multiplication{s}", everywhere=False),
    Meter("waited", "time", "clock", "waited",
          "stood still on one rank for as long as {} multiplication{s}",
          "a rank waited for as long as {} multiplication{s} at most", everywhere=False, is_quiet=True),
    Meter("work_at_once", "time", "clock", "at_once",
          "did {} multiplication{s} on one rank without waiting for a message",
          "at most {} multiplication{s} between two waits", everywhere=False, is_quiet=True, follows=("messages",)),
    Meter("copied_bytes", "copies", "copies", "copies",
          "copied {} with cp_async while it multiplied", "{} copied with cp_async while multiplying",
          in_bytes=True, is_least=True),
    Meter("overlapped", "copies", "copies", "overlapped",
          "multiplied {} pair{s} of fragments while tiles came", "{} pair{s} of fragments multiplied while tiles came",
          is_least=True, is_quiet=True),
)  # fmt: skip
