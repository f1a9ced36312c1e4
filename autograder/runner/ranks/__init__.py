"""W ranks in one process: an answer written against `torch.distributed`, run under a scheduler that sees every message.

Each rank is a thread with a copy of the answer's names, and exactly one runs at a time; the baton passes where a rank
waits. Real processes over gloo would cost an import of torch each, show a deadlock as a time-out, and hide when a
message was read. Here a deadlock is known the moment that no rank can go on, a message arrives as late as it may, and
the same call gives the same counts on every machine. That the same functions run unchanged in processes over gloo is
what tests/runner/test_ranks.py holds the course's own to.

Read in this order: `world` (ranks, messages, clocks), `distributed` (the functions that answers call), `watch` (what a
rank may touch, and what it costs), `namespace` (the names of a rank), `run` (one call on all ranks).
"""
