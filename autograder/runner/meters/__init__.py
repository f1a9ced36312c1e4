"""What is counted of a call beside its value. A meter is declared here, and nowhere else by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Meter:
    """One count of a call.

    name: its key in an Observation's counts and in results.json. kind, label: what results.json and the card call a
    broken budget; meters of one kind are said in one sentence. bound: the field of `Budget` that limits it. over,
    used: what the answer did, for an answer over its budget and for a right one. in_bytes: whether the count is
    bytes. everywhere: whether the bound holds in all cases, and not in those alone that are made for it (where a
    mask sends a warp's lanes different ways, they meet in the banks). is_least: whether the bound is the least that
    it takes. is_quiet: whether it only guards against a way around the exercise: a card says it only where it is
    bounded, and folded. of_values: whether it counts by what comes
    out, which wrong values spoil. follows: kinds of meters whose broken budgets break this one too, and are said alone.
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
    Meter("copied_inputs", "memory", "memory", "copied",
          "copied {} of the arguments, all copies together", "{} of the arguments copied", in_bytes=True,
          everywhere=False, is_quiet=True),
    Meter("steps", "steps", "steps", "steps", "executed {} lines", "{} lines executed"),
    Meter("loaded_bytes", "traffic", "traffic", "loads", "loaded {}", "loaded {}", in_bytes=True),
    Meter("stored_bytes", "traffic", "traffic", "stores", "stored {}", "stored {}", in_bytes=True),
    Meter("input_bytes", "traffic", "traffic", "inputs",
          "loaded {} of the inputs in kernels", "{} of them of the inputs", in_bytes=True, everywhere=False,
          is_least=True, is_quiet=True),
    Meter("sectors", "sectors", "sectors", "sectors",
          "touched {} sectors of 32 bytes in main memory", "{} sectors of 32 bytes touched"),
    Meter("bank_conflicts", "conflicts", "banks", "conflicts",
          "waited {} times for a bank of shared memory", "{} conflicts", everywhere=False),
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
    Meter("programs", "grid", "grid", "programs", "ran {} programs", "{} programs", is_quiet=True),
    Meter("widest_access", "tiles", "tiles", "widest",
          "loaded or stored {} elements at once", "at most {} elements at once", is_quiet=True),
    Meter("asked_elements", "visits", "tiles visited", "asked",
          "asked for {} elements, masked ones too", "{} elements asked for, masked ones too", is_quiet=True,
          follows=("traffic",)),
    Meter("narrow_offsets", "offsets", "offsets", "narrow",
          "computed {} offsets from block numbers in 32 bits", "{} offsets from block numbers in 32 bits",
          is_quiet=True),
    Meter("operators", "operators", "operators", "operators",
          "ran {} operations of torch", "{} operations of torch", is_quiet=True),
    Meter("products", "products", "products", "products",
          "did {} multiplications in matrix products", "{} multiplications in matrix products", everywhere=False,
          is_quiet=True, follows=("traffic", "visits")),
    Meter("backward_products", "products", "products", "backwards",
          "did {} multiplications in a backward pass of autograd", "{} multiplications in a backward pass of autograd",
          everywhere=False, is_least=True, is_quiet=True),
    Meter("product_calls", "products", "products", "product_calls",
          "ran {} matrix products", "{} matrix products", everywhere=False, is_quiet=True,
          follows=("traffic", "visits")),
    Meter("by_number", "products", "products", "by_number",
          "multiplied {} numbers one by one, exponentials and divisions too",
          "{} numbers multiplied one by one, exponentials and divisions too",
          everywhere=False, is_quiet=True, follows=("traffic", "visits")),
    Meter("computed", "products", "products", "computed",
          "computed {} numbers one by one", "{} numbers computed one by one", everywhere=False, is_quiet=True,
          follows=("traffic", "visits")),
    Meter("natural", "exponentials", "exponentials", "natural",
          "took {} exponentials to base e", "{} exponentials to base e", is_quiet=True),
    Meter("rounded", "precision", "precision", "rounded",
          "computed {} numbers in 16 bits, or of numbers rounded to them",
          "{} numbers computed in 16 bits, or of rounded ones", is_quiet=True),
    Meter("normalised", "divisions", "divisions", "normalised",
          "came to {} rows of outputs that are divided", "{} rows of divided outputs", everywhere=False, is_quiet=True),
    Meter("shared_requests", "exchange", "shared memory", "exchanged",
          "asked shared memory, or for votes, {} times", "{} requests to shared memory and votes", is_quiet=True),
    Meter("shared_bytes", "exchange", "shared memory", "shared",
          "wrote and read {} in shared memory", "{} written and read in shared memory", in_bytes=True,
          everywhere=False, is_quiet=True),
    Meter("thread_reads", "exchange", "shared memory", "thread_reads",
          "read {} of shared memory in one thread", "at most {} of shared memory read by one thread", in_bytes=True,
          is_quiet=True),
    Meter("thread_writes", "exchange", "shared memory", "thread_writes",
          "wrote {} to shared memory in one thread", "at most {} of shared memory written by one thread", in_bytes=True,
          is_quiet=True),
    Meter("shuffles", "exchange", "shuffles", "shuffled",
          "shuffled {} times", "{} shuffles", is_quiet=True),
    Meter("thread_exponentials", "sharing", "sharing", "exponentials",
          "took {} exponentials in one thread", "at most {} exponentials in one thread", is_quiet=True,
          follows=("traffic",)),
    Meter("vanished", "hidden", "hidden keys", "vanished",
          "took {} exponentials that come out as 0 or infinite in one block",
          "at most {} exponentials that are 0 or infinite in one block",
          everywhere=False, is_quiet=True, of_values=True, follows=("traffic",)),
    Meter("multiplications", "multiplications", "tensor cores", "multiplications",
          "multiplied {} pairs of fragments on tensor cores", "{} multiplications on tensor cores", is_least=True),
    Meter("sent_bytes", "messages", "messages", "sent",
          "sent {} from one rank", "{} sent by a rank at most", in_bytes=True),
    Meter("messages", "messages", "messages", "messages",
          "sent {} messages from one rank", "{} messages from a rank at most", is_quiet=True),
    Meter("rounds", "messages", "messages", "rounds",
          "sent in {} rounds, one behind the other", "{} rounds of messages", is_quiet=True),
    Meter("astray", "messages", "messages", "astray",
          "sent {} messages to another rank than the next", "{} messages past the next rank", is_quiet=True),
    Meter("received_bytes", "received", "keys and values", "received",
          "received {} on the rank that received least", "at least {} received by each rank", in_bytes=True,
          is_least=True, is_quiet=True),
    Meter("work", "work", "products", "work",
          "did {} multiplications where the clock counts, on the rank with fewest",
          "at least {} multiplications by each rank", everywhere=False, is_least=True, is_quiet=True),
    Meter("clock", "time", "clock", "clock",
          "was done on its slowest rank after {} multiplications, waiting included",
          "slowest rank done after {} multiplications", everywhere=False),
    Meter("work_at_once", "time", "clock", "at_once",
          "did {} multiplications on one rank without waiting for a message",
          "at most {} multiplications between two waits", everywhere=False, is_quiet=True, follows=("messages",)),
    Meter("copied_bytes", "copies", "copies", "copies",
          "copied {} with cp_async while it multiplied", "{} copied with cp_async while multiplying",
          in_bytes=True, is_least=True),
    Meter("overlapped", "copies", "copies", "overlapped",
          "multiplied {} pairs of fragments while tiles came", "{} pairs of fragments multiplied while tiles came",
          is_least=True, is_quiet=True),
)  # fmt: skip
