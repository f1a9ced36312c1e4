"""Ranks under the scheduler: what is counted, what is found, what leads from rank to rank; and over gloo and NCCL."""

import contextlib
import functools
import multiprocessing
import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist

from autograder.exercises import ring_attention, tree_attention
from autograder.runner.failure import describe
from autograder.runner.observe import observe
from autograder.runner.ranks.run import run, world_size
from autograder.runner.ranks.world import BYTE

HELD: list[torch.Tensor] = []
MODULE: Any = torch  # of which nobody has a copy
KEPT = {"k": None}


def shards(size, n=4):
    return {"x": [np.arange(n, dtype=np.float32) + 10 * rank for rank in range(size)]}


def seen(function, size=3, **more):
    return observe(function, shards(size) | more, "ranks", once=True)


def passed_on(x):
    """What the rank before has."""
    rank, size = dist.get_rank(), dist.get_world_size()
    y = torch.empty_like(x)
    requests = [dist.isend(x, (rank + 1) % size), dist.irecv(y, (rank - 1) % size)]
    for request in requests:
        request.wait()
    return y


def test_messages_arrive_and_are_counted_the_same_every_time():
    first, second = seen(passed_on), seen(passed_on)
    assert [x.tolist() for x in first.outputs] == [[20, 21, 22, 23], [0, 1, 2, 3], [10, 11, 12, 13]]
    assert first.counts == second.counts
    assert (first.counts["sent_bytes"], first.counts["messages"], first.counts["peak_bytes"]) == (16, 1, 16)
    assert first.counts["clock"] == BYTE * 16 and first.failure is None


def test_what_is_computed_meanwhile_hides_a_message():
    def hidden(x):
        y = torch.empty_like(x)
        requests = [dist.isend(x, 1 - dist.get_rank()), dist.irecv(y, 1 - dist.get_rank())]
        z = torch.zeros(4, 4) @ torch.zeros(4, 4)  # 64 multiplications; the message takes 16 bytes' time
        for request in requests:
            request.wait()
        return y + z[0]

    def exposed(x):
        return passed_on(x) + (torch.zeros(4, 4) @ torch.zeros(4, 4))[0]

    assert seen(hidden, 2).counts["clock"] == 64
    assert seen(exposed, 2).counts["clock"] == 64 + BYTE * 16
    assert (seen(hidden, 2).counts["waited"], seen(exposed, 2).counts["waited"]) == (0, BYTE * 16)


def waits_for_nobody(x):
    if dist.get_rank() == 2:
        dist.irecv(x.clone(), 1).wait()
    return x * 1


def all_send_first(x):
    size, rank = dist.get_world_size(), dist.get_rank()
    dist.send(x, (rank + 1) % size)
    y = torch.empty_like(x)
    dist.recv(y, (rank - 1) % size)
    return y


def only_two_reduce(x):
    if dist.get_rank() < 2:
        dist.all_reduce(x.clone())
    return x * 1


def writes_while_sending(x):
    y, z = x.clone(), torch.empty_like(x)
    requests = [dist.isend(y, 1 - dist.get_rank()), dist.irecv(z, 1 - dist.get_rank())]
    y += 1
    for request in requests:
        request.wait()
    return z


def receives_into_what_is_sent(x):
    y = x.clone()
    requests = [dist.isend(y, 1 - dist.get_rank()), dist.irecv(y, 1 - dist.get_rank())]
    for request in requests:
        request.wait()
    return y


def reads_too_early(x):
    y = torch.empty_like(x)
    requests = [dist.isend(x, 1 - dist.get_rank()), dist.irecv(y, 1 - dist.get_rank())]
    z = y * 1
    for request in requests:
        request.wait()
    return z


def reads_the_message_itself(x):
    from autograder.runner.ranks import distributed

    messages: Any = distributed._ASKED
    y = torch.empty_like(x)
    requests = [dist.isend(x, 1 - dist.get_rank()), dist.irecv(y, 1 - dist.get_rank())]
    while (message := messages[requests[1]][0]).copy is None:
        requests[1].is_completed()
    z = message.copy * 1
    for request in requests:
        request.wait()
    return z


def sizes_differ(x):
    y = torch.empty(3)
    dist.batch_isend_irecv(
        [dist.P2POp(dist.isend, x, 1 - dist.get_rank()), dist.P2POp(dist.irecv, y, 1 - dist.get_rank())]
    )
    return y


def asks_for_ever(x):
    request = dist.irecv(torch.empty_like(x), 1 - dist.get_rank())
    while not request.is_completed():
        pass
    return x * 1


def never_waits(x):
    y = torch.empty_like(x)
    dist.isend(x, 1 - dist.get_rank())
    dist.irecv(y, 1 - dist.get_rank()).wait()
    return y


def never_received(x):
    request = dist.isend(x, 1) if dist.get_rank() == 0 else None
    del request
    return x * 1


def different_collectives(x):
    y = x.clone()
    dist.all_reduce(y) if dist.get_rank() else dist.barrier()
    return y


@pytest.mark.parametrize(
    ("function", "size", "kind", "said", "line"),
    [
        (waits_for_nobody, 3, "Deadlock", "rank 2 waits in line {} for a message from rank 1, which has ended", 2),
        (all_send_first, 3, "Deadlock", "which itself waits in line {}", 2),
        (only_two_reduce, 3, "Deadlock", "in all_reduce of (4,) float32 by SUM for rank 2, which has ended", 2),
        (writes_while_sending, 2, "Overwritten", "overwrites what it is still sending since line", 3),
        (receives_into_what_is_sent, 2, "Overwritten", "receives into what it is still sending", 2),
        (reads_too_early, 2, "TooEarly", "wait for it first", 3),
        (reads_the_message_itself, 2, "TooEarly", "reads a message on its way", 8),
        (sizes_differ, 2, "Mismatch", "sends 4 numbers of float32 in line {}, and rank", 2),
        (asks_for_ever, 2, "Deadlock", "asks in line {} again and again", 2),
        (never_waits, 2, "Unfinished", "never waits for what it sends in line {}", 2),
        (never_received, 2, "Unfinished", "rank 0 sends to rank 1 in line {}, and rank 1 never receives it", 1),
        (different_collectives, 2, "Mismatch", "calls", 2),
    ],
)  # fmt: skip
def test_what_goes_wrong_between_ranks_is_said_at_once_with_its_line(function, size, kind, said, line):
    found = seen(function, size).failure
    at = function.__code__.co_firstlineno + line
    assert found.kind == kind and said.format(at) in found.message and abs(found.line - at) <= 1 and found.text


def test_an_error_on_one_rank_ends_all():
    def fails(x):
        if dist.get_rank() == 1:
            raise ValueError("mine")
        dist.barrier()
        return x

    found = seen(fails).failure
    assert (found.kind, found.message) == ("ValueError", "mine (on rank 1)")
    assert found.line == fails.__code__.co_firstlineno + 2


def test_collectives():
    def reduced(x):
        parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)
        high = x.clone()
        dist.all_reduce(high, op=dist.ReduceOp.MAX)
        total = x.clone()
        dist.all_reduce(total)
        return torch.stack(parts), high, total

    outputs = seen(reduced).outputs
    for parts, high, total in zip(*[iter(outputs)] * 3):
        assert parts.tolist() == [x.tolist() for x in shards(3)["x"]]
        assert high.tolist() == [20, 21, 22, 23] and total.tolist() == [30, 33, 36, 39]


@pytest.mark.parametrize(("at_once", "most"), [(False, 64), (True, 128)])
def test_what_a_rank_multiplies_without_waiting_is_known(at_once, most):
    def in_two_steps(x):
        for product in range(2):
            for _ in range(2 * (product == 0) if at_once else 1):
                torch.zeros(4, 4) @ torch.zeros(4, 4)
            x = passed_on(x)
        return x

    assert seen(in_two_steps).counts["work_at_once"] == most


def a_star_and_a_collective(x):
    """One round to rank 0, then one from it to all others, then an all_reduce."""
    rank, size = dist.get_rank(), dist.get_world_size()
    y = torch.empty_like(x)
    for there in (False, True):
        if rank:
            (dist.recv if there else dist.send)(x.clone(), 0)
            continue
        for job in [(dist.isend if there else dist.irecv)(y.clone(), r) for r in range(1, size)]:
            job.wait()
    dist.all_reduce(y)
    return y * 0


def test_what_each_rank_sends_is_counted_by_round():
    """Messages of 16 bytes; a collective of three ranks goes round twice, in four rounds."""
    tensors = {"x": [torch.from_numpy(x) for x in shards(3)["x"]]}
    found = run(a_star_and_a_collective, tensors, lambda file: file == __file__)
    assert found.error is None and seen(a_star_and_a_collective).counts["rounds"] == 6
    assert [r.messages for r in found.rounds] == [[0, 1, 1], [2, 0, 0], *[[1, 1, 1]] * 4]
    assert [r.sent_bytes for r in found.rounds[:2]] == [[0, 16, 16], [32, 0, 0]]
    assert sum(r.sent_bytes[1] for r in found.rounds[2:]) == 2 * 2 * 16 // 3


def test_a_barrier_is_no_message_and_each_tensor_that_is_sent_is_one():
    def row_by_row(x):
        for row in x:
            dist.barrier()
            passed_on(row[None])
        return x * 1

    assert seen(row_by_row).counts["messages"] == len(shards(3)["x"][0])


def test_messages_of_a_pair_share_a_round_unless_one_waits_for_the_other():
    def in_turns(x):
        ends = (dist.send, dist.recv) if dist.get_rank() else (dist.recv, dist.send)
        for end in ends:
            end(x.clone(), 1 - dist.get_rank())
        return x * 1

    assert (seen(passed_on, 2).counts["rounds"], seen(in_turns, 2).counts["rounds"]) == (1, 2)


def test_a_collective_that_was_not_waited_for_has_not_come():
    def early(x):
        y = x.clone()
        request = dist.all_reduce(y, async_op=True)
        z = y.clone()
        request.wait()
        return torch.stack((z, y))

    for rank, found in enumerate(seen(early).outputs):
        assert found[0].tolist() == shards(3)["x"][rank].tolist() and found[1].tolist() == [30, 33, 36, 39]


IMPORTED = dist.broadcast  # as by `from torch.distributed import broadcast`


@pytest.mark.parametrize("name", ["broadcast", "reduce", "all_to_all_single", "new_group", "get_backend"])
def test_what_the_ranks_do_not_have_says_what_there_is(name):
    def asks(x):
        (IMPORTED if name == "broadcast" else getattr(dist, name))(x, 0)

    found = seen(asks).failure
    assert found.kind == "RuntimeError" and found.message.startswith(
        f"torch.distributed.{name} is not there: the ranks"
    )
    assert "all_reduce, all_gather" in found.message


def test_only_requests_can_be_asked_for_in_a_batch():
    found = seen(lambda x: dist.P2POp(dist.all_reduce, x, 0)).failure
    assert found.kind == "ValueError" and "``isend`` or ``irecv``" in found.message


def through_a_list(x):
    HELD.append(x)
    dist.barrier()
    return torch.stack(HELD).sum(0)


def through_a_default(x, kept={}):  # noqa: B006
    kept[dist.get_rank()] = x * 1
    dist.barrier()
    return torch.stack(list(kept.values())).sum(0)


def through_a_global(x):
    global KEPT
    if dist.get_rank() == 0:
        KEPT = {"k": x}
    dist.barrier()
    return x * (1 if KEPT["k"] is None else 2)


def test_nothing_but_a_message_leads_from_rank_to_rank():
    for function in (through_a_list, through_a_default):
        assert [x.tolist() for x in seen(function).outputs] == [x.tolist() for x in shards(3)["x"]]
    assert [x[1].item() for x in seen(through_a_global).outputs] == [2, 11, 21]
    assert HELD == []


class Box:
    """What no rank has of its own: an object that a library holds."""

    kept = None


@functools.cache
def table():
    return {}


class Shelf:
    boards: dict[int, int] = {}

    def board(self):
        return self.boards


SHELF = Shelf()
BOARD = SHELF.board
FILLED = functools.partial(dict.setdefault, {})


@contextlib.contextmanager
def yielding(kept={}):  # noqa: B006
    yield kept


def test_what_remembers_is_copied_for_each_rank():
    def alone(x):
        rank = dist.get_rank()
        FILLED(rank, rank)
        with yielding() as kept:
            tables = [table(), SHELF.boards, BOARD(), kept]
        for found in tables:
            found[rank] = rank
        dist.barrier()
        return torch.tensor([len(found) for found in tables])

    outputs = seen(alone).outputs
    assert outputs is not None and [list(found) for found in outputs] == [[1, 1, 1, 1]] * 3


def generated():
    kept: dict[int, float] = {}
    while True:
        yield kept


GENERATED = generated()


def test_what_cannot_be_copied_is_not_shared():
    found = seen(lambda x: torch.tensor(len(next(GENERATED)))).failure
    assert found and "all ranks would share a generator, which cannot be copied" in found.message


def test_memory_of_another_rank_is_known_by_its_address():
    def smuggled(x):
        holder = MODULE.of_a_test  # what the screening flags in an answer
        if dist.get_rank() == 0:
            holder.kept = x
        dist.barrier()
        return x * 1 if dist.get_rank() == 0 else x + holder.kept

    MODULE.of_a_test = Box()
    try:
        found = seen(smuggled, 2).failure
    finally:
        del MODULE.of_a_test
    assert found.kind == "NotSent" and "rank 1 uses a tensor of rank 0" in found.message


def interrupted(function, *seconds):
    """What is raised when the function runs on two ranks and is interrupted, as Jupyter does, after so many seconds."""
    for later in seconds:
        threading.Timer(later, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt) as stop:
        seen(function, 2)
    return describe(stop.value)


def ranks_are_gone():
    deadline = time.monotonic() + 60
    while any("_begin" in thread.name for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return True


def test_an_endless_rank_that_is_interrupted_is_ended_and_its_line_named():
    def endless(x):
        while True:
            x = x * 1

    found = interrupted(endless, 0.3)
    assert found.line - endless.__code__.co_firstlineno in (1, 2) and found.text in ("while True:", "x = x * 1")
    assert ranks_are_gone()


def test_ranks_that_are_interrupted_while_they_end_are_ended_all_the_same():
    def stubborn(x):
        threading.Event().wait(2)  # in one call, into which nothing can be raised

    found = interrupted(stubborn, 0.3, 0.6, 0.9)
    assert found.line - stubborn.__code__.co_firstlineno == 1 and "wait(2)" in found.text
    assert ranks_are_gone()


def test_a_rank_that_goes_on_and_on_is_named_with_its_line(monkeypatch):
    monkeypatch.setattr("autograder.runner.engines.ranks.PATIENCE", 0.2)

    def endless(x):
        while dist.get_rank() == 1:
            x = x * 1
        return x

    found = seen(endless, 2).failure
    assert found.kind == "Timeout" and "rank 1 goes on and on in line" in found.message
    assert found.line - endless.__code__.co_firstlineno in (1, 2) and found.text


def test_a_thread_that_the_answer_started_is_not_left_behind():
    ended = threading.Event()

    def leaves_a_thread(x):
        threading.Thread(target=ended.wait).start()
        return x * 1

    try:
        found = seen(leaves_a_thread, 2).failure
    finally:
        ended.set()
    assert found.kind == "Timeout" and "a thread that the answer started" in found.message


def test_messages_without_end_are_refused():
    def floods(x):
        for _ in range(10**6):
            dist.isend(x, 1 - dist.get_rank())

    begin = time.monotonic()
    found = seen(floods, 2).failure
    assert found.kind == "Unfinished" and found.line == floods.__code__.co_firstlineno + 2
    assert time.monotonic() - begin < 60


def test_messages_in_16_bits_are_watched_too():
    def halves(x):
        rank, size = dist.get_rank(), dist.get_world_size()
        sent, y = x.bfloat16(), torch.empty_like(x, dtype=torch.bfloat16)
        requests = [dist.isend(sent, (rank + 1) % size), dist.irecv(y, (rank - 1) % size)]
        x += 1  # once, and not again because the watch has failed
        for request in requests:
            request.wait()
        return x + y

    def overwrites(x):
        sent = x.bfloat16()
        dist.isend(sent, 1 - dist.get_rank())
        sent += 1
        return x

    assert [x[0].item() for x in seen(halves, 2).outputs] == [11, 11]
    assert seen(overwrites, 2).failure.kind == "Overwritten"


def test_what_is_not_an_answer_is_said_of_its_rank():
    found = seen(lambda x: x * 1 if dist.get_rank() else None).failure
    assert found.kind == "TypeError" and "NoneType" in found.message and found.message.endswith("on rank 0")


def test_what_is_common_is_not_shared():
    def written(x, common):
        if dist.get_rank() == 0:
            common[0].zero_()
        dist.barrier()
        return common[0] * 1

    found = seen(written, common=(np.ones(1),))
    assert [x.item() for x in found.outputs] == [0, 1, 1] and found.inputs_changed


def test_the_least_that_a_rank_received_and_multiplied_is_counted():
    def uneven(x):
        if dist.get_rank() == 0:
            dist.recv(torch.empty_like(x), 1)
            return x * x
        if dist.get_rank() == 1:
            dist.send(x, 0)
        return torch.nn.functional.conv1d(x[None], x[None, None, :3])

    found = seen(uneven)
    assert (found.counts["received_bytes"], found.counts["work"]) == (0, 4)
    gathered = seen(lambda x: dist.all_reduce(y := x.clone()) or y)
    assert gathered.counts["received_bytes"] == 2 * 2 * 16 // 3


@pytest.mark.parametrize("op, compared", [("MAX", 4), ("MIN", 4), ("SUM", 0)])
def test_what_goes_into_a_maximum_over_all_ranks_is_counted(op, compared):
    found = seen(lambda x: dist.all_reduce(y := x.clone(), op=getattr(dist.ReduceOp, op)) or y)
    assert found.counts["compared"] == compared


@pytest.mark.parametrize("step, astray", [(1, 0), (2, 3)])
def test_messages_to_another_rank_than_the_next_are_counted(step, astray):
    def turns(x):
        rank, y = dist.get_rank(), torch.empty_like(x)
        for request in (dist.isend(x, (rank + step) % 3), dist.irecv(y, (rank - step) % 3)):
            request.wait()
        return y

    assert seen(turns).counts["astray"] == astray


def test_lists_are_shards_and_all_else_is_common():
    def both(x, lengths):
        return x[:1] * lengths[dist.get_rank()]

    assert [x.item() for x in seen(both, lengths=(2, 3, 4)).outputs] == [0, 30, 80]
    found = observe(both, {"x": shards(3)["x"], "lengths": [1]}, "ranks", once=True).failure
    assert found.kind == "ValueError" and "all of one length" in found.message


FUNCTIONS = {
    e.name: e.function for page in (ring_attention, tree_attention) for e in page.EXERCISES if e.backend == "ranks"
}


def over_links(backend, rank, size, path, cases, out):
    torch.set_num_threads(1)
    device = "cpu"
    if backend == "nccl":
        device = "cuda"
        torch.cuda.set_device(rank)
    dist.init_process_group(backend, init_method=f"file://{path}", rank=rank, world_size=size)
    for number, (name, arguments) in enumerate(cases):
        given = {key: x[rank] if type(x) is list else x for key, x in arguments.items()}
        tensors = {key: torch.from_numpy(x).to(device) if isinstance(x, np.ndarray) else x for key, x in given.items()}
        if "positions" in tensors:
            tensors["positions"] = tuple(torch.from_numpy(x).to(device) for x in tensors["positions"])
        found = FUNCTIONS[name](**tensors)
        out.put((number, rank, [x.cpu().numpy() for x in (found if type(found) is tuple else (found,))]))
    dist.barrier()
    dist.destroy_process_group()


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "backend, size",
    [
        ("gloo", 4),
        pytest.param(
            "nccl",
            2,
            marks=[pytest.mark.gpu, pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")],
        ),
    ],
)
def test_the_courses_own_run_unchanged_in_processes(backend, size, tmp_path):
    """On the cases for as many ranks, without the scheduler: over gloo, and over NCCL between GPUs."""
    exercises = [e for page in (ring_attention, tree_attention) for e in page.EXERCISES if e.backend == "ranks"]
    drawn = [(e.name, case.draw(np.random.default_rng(5))) for e in exercises for case in e.cases]
    chosen = [(name, arguments) for name, arguments in drawn if world_size(arguments) == size]
    assert {name for name, _ in chosen} == set(FUNCTIONS)
    context: Any = multiprocessing.get_context("fork" if backend == "gloo" else "spawn")  # CUDA survives no fork
    out = context.SimpleQueue()
    processes = [
        context.Process(target=over_links, args=(backend, rank, size, tmp_path / "store", chosen, out), daemon=True)
        for rank in range(size)
    ]
    for process in processes:
        process.start()
    found = {}
    for _ in range(size * len(chosen)):
        number, rank, outputs = out.get()
        found[number, rank] = outputs
    for process in processes:
        process.join(60)
        assert process.exitcode == 0
    for number, (name, arguments) in enumerate(chosen):
        here = observe(FUNCTIONS[name], arguments, "ranks", once=True).outputs or []
        there = [x for rank in range(size) for x in found[number, rank]]
        for a, b in zip(here, there, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
