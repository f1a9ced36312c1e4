"""What points hang on is said in the contract: an engineer who reads the docstring knows every rule."""

import inspect
import re

import pytest

from autograder.runner.meters import METERS
from autograder.spec.catalogue import exercises
from autograder.spec.exercise import Exercise

SAID = {  # in words of the contract; "as in" another function's is enough
    "memory": r"memory:|\bcopied|read where it lies",
    "held": "between two calls|memory: as in|what is kept does not",
    "floats": "between two calls|memory: as in",
    "made": "written where|stays where|never copied|memory: as in",
    "copied": r"\b(nothing is|not|never|is|are) copied|read where it lies|memory:",
    "copied_keys": r"\b(not|never) copied|read where it lies|nothing of the size of k|not out of it again",
    "loads": "traffic|bytes|memory|loaded|moves",
    "again": r"traffic|\bonce\b|loaded",
    "repeated": "those of x once",
    "inputs": "traffic|bytes|memory|loaded|moves",  # they are loaded
    "stores": "traffic|bytes|memory|stored|moves",
    "sectors": "sector",
    "scattered_loads": "neighbouring lanes",
    "scattered_stores": "neighbouring lanes",
    "conflicts": "bank",
    "busiest": "program",
    "block": "block|128|thread for each row|warp for each",
    "thread": "thread|warp",
    "thread_loads": "thread|warp",
    "passed": "belongs to one of",
    "handed": "goes through shared memory",
    "thread_reads": r"reads? (there )?at most|as in `center_row`|up to four",
    "taken": "numbers of others",
    "barriers": "barriers",
    "thread_writes": "two numbers of each|up to four",
    "block_writes": "two numbers of each",
    "programs": "program",
    "launches": "launch",
    "region": "consecutive|neighbouring",
    "pieces": "consecutive",
    "out_of_order": "in order",
    "widest": "no load",
    "operators": "operations",
    "products": "computed once|multiplie|products",
    "product_calls": r"tile_n keys at a time|tiles are multiplied, each once|the most consecutive queries at a time",
    "product_rows": "`chunk` queries",
    "apart": "consecutive",
    "joined": "no query meets another",
    "at_a_time": r"no product more than one|(of|and) tile_n keys|one block of keys at a time|`queries_outside`|"
    "not with each other",
    "powers": r"whole rows of scores|(of|and) tile_n keys|one block of keys at a time|`queries_outside`|"
    "no product more than one|no more exponentials|no exponential among",
    "powers_in_all": r"six for each query|one exponential|no row of o is|each tile is multiplied once|"
    "what they multiply is multiplied once|as for `split_decode`",
    "swayed": r"whole rows of scores|m' = max\(m|`queries_outside`|next chunk continues|one block of keys",
    "normalised": r"divided once|normalised after|O' = .* / l'",
    "natural": "to base 2",
    "raised": r"\bexp\b|softmax|attention|gradients? of",  # which takes an exponential of each score
    "rounded": r"sums[^.]*float32|ed in float32|\bas in `|sum of two|maximum|y_hij|as `split_decode` returns",
    "widened": r"summed in float32",
    "backwards": "autograd can differentiate",
    "by_number": "computed once|multiplie|products|traffic|bytes|memory|loaded|moves",  # a few for each number
    "computed": "computed once|multiplie|products|traffic|bytes|memory|loaded|moves",
    "asked": r"asked for|tile of (keys|queries) that (one of its \w+ )?sees",
    "narrow": "64 bits",
    "exchanged": "shared memory|its lanes share",
    "shuffled": "shuffle|through shared memory",
    "by_a_warp": "a warp shuffles or votes at most",
    "exponentials": "exponential|as in `block_softmax`",
    "idle": "one thread for each query",
    "vanished": r"to\s+hide|hidden",
    "overlapped": "comes by cp_async",
    "multiplications": "tensor core|mma",
    "fragments": "no products are made|each product once",
    "coarse": "summed in float32|and nothing else|as in `flash_mma`",
    "copies": "cp_async",
    "steps": "steps|lines",
    "shared": r"registers|a lane holds|go(es)? through shared memory|a thread holds",
    "sent": r"\bmessages\b.*(times|numbers|tensor|tree)|messages and time as there",
    "messages": r"\bmessages\b",
    "rounds": r"\brounds\b",
    "astray": r"round the ring|as `ring_attention`",
    "compared": "finds the largest",
    "received": r"\bmessages\b.*times|messages and time as there",
    "work": r"time:|time as there",  # what is asked for cannot be done with less
    "at_once": r"before anything of the next step",
    "clock": r"time:|time as there",
    "waited": r"a block is on its way while|are on their way at once|time as there|travel while",
}


@pytest.mark.parametrize("exercise", [e for e in exercises().values() if e.cases], ids=lambda e: e.name)
def test_every_budget_is_said_in_the_contract(exercise: Exercise):
    contract = inspect.getdoc(exercise.function) or ""
    contract += exercise.source.split("#include")[0] if exercise.backend == "cuda" else ""
    contract = re.sub(r"\n(// )?", " ", contract)
    bounds = [meter.bound for meter in METERS if getattr(exercise.budget, meter.bound)]
    unsaid = [b for b in bounds if not re.search(SAID[b], contract, re.IGNORECASE)]
    assert not unsaid or re.search("as in `flash_|those of the three", contract)
