// The scheduler: every thread of a block runs on its own stack until it waits for others.
#include <sys/mman.h>

#include <algorithm>
#include <csetjmp>

#include "watch.h"

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace simt {

Block block;
Lane* current = nullptr;
Lane* latest;
extern sigjmp_buf way_out;

namespace {

constexpr size_t GUARD = 4096;
std::array<Lane, MOST_THREADS> lanes;
void (*kernel)(void**);
void** kernel_arguments;

void thread_main();

#ifdef __x86_64__

void* scheduler_stack;
extern "C" void simt_switch(void** save, void* load);
asm(R"(
.text
.type simt_switch, @function
simt_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size simt_switch, .-simt_switch
)");

// Both are threads, or null: the scheduler.
void change(Lane* from, Lane* to) {
    simt_switch(from ? &from->stack_pointer : &scheduler_stack, to ? to->stack_pointer : scheduler_stack);
}

void prepare(Lane& lane) {
    void** top = reinterpret_cast<void**>(lane.stack + STACK) - 1;  // the alignment that a called function expects
    *--top = reinterpret_cast<void*>(thread_main);
    lane.stack_pointer = top - 6;
}

#else

ucontext_t scheduler_context;
std::array<ucontext_t, MOST_THREADS> contexts;

void change(Lane* from, Lane* to) {
    swapcontext(from ? &contexts[from->number] : &scheduler_context, to ? &contexts[to->number] : &scheduler_context);
}

void prepare(Lane& lane) {
    ucontext_t& context = contexts[lane.number];
    getcontext(&context);
    context.uc_stack.ss_sp = lane.stack;
    context.uc_stack.ss_size = STACK;
    makecontext(&context, thread_main, 0);
}

#endif

// The first thread from `number` on, of this warp, that can continue; null if there is none.
Lane* ready_from(unsigned number, unsigned warp) {
    const unsigned end = std::min(block.threads, (warp + 1) * WARP);
    while (number < end && lanes[number].state != State::ready) number++;
    return number < end ? &lanes[number] : nullptr;
}

// Threads hand over to each other, one after the other until none of the warp is left: going by
// the scheduler would take two changes for each.
void hand_over(Lane* from, Lane* to) {
    current = to;
    if (to) latest = to;
    change(from, to);
}

void leave(Lane& lane) { hand_over(&lane, ready_from(lane.number + 1, lane.warp)); }

void thread_main() {
    kernel(kernel_arguments);
    current->state = State::done;
    leave(*current);
    __builtin_unreachable();
}

void make_stacks(unsigned threads) {
    static unsigned made = 0;
    for (; made < threads; made++) {
        void* memory =
            mmap(nullptr, GUARD + STACK + GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) {
            fault(Fault::LaunchError, "there is no memory for the threads of a block", nullptr);
            stop_launch();
        }
        // What overflows the stack, or runs out of an array over its top, stops at the guards.
        lanes[made].stack = static_cast<char*>(memory) + GUARD;
        mprotect(lanes[made].stack, STACK, PROT_READ | PROT_WRITE);
    }
}

void begin(unsigned threads) {
    for (unsigned i = 0; i < threads; i++) {
        Lane& lane = lanes[i];
        const Index& size = block.size;
        lane.state = State::ready;
        lane.index = {i % size.x, i / size.x % size.y, i / size.x / size.y};
        lane.number = i, lane.warp = i / WARP, lane.lane = i % WARP;
        lane.collective = nullptr;
        lane.at = 0, leave_loops(lane);
        lane.accesses.clear(), lane.copies.clear(), lane.groups.clear(), lane.under_way = 0, lane.multiplied = 0;
        prepare(lane);
    }
}

// The lanes of a warp, null where the block has none.
void members(unsigned warp, Lane** found) {
    for (unsigned i = 0; i < WARP; i++) {
        const unsigned number = warp * WARP + i;
        found[i] = number < block.threads ? &lanes[number] : nullptr;
    }
}

// Resume the lanes whose collective is complete. False if there were none.
bool complete(Lane** warp) {
    bool any = false;
    for (unsigned i = 0; i < WARP; i++) {
        if (!warp[i] || warp[i]->state != State::in_collective) continue;
        const Collective wanted = *warp[i]->collective;
        bool all = wanted.mask;
        for (unsigned j = 0; j < WARP && all; j++) {
            if (!(wanted.mask >> j & 1)) continue;
            Lane* other = warp[j];
            all = other && other->state == State::in_collective && other->collective->mask == wanted.mask &&
                  other->collective->name == wanted.name;
        }
        if (!all) continue;
        wanted.run(warp, wanted.mask);
        bool whole = true;
        for (unsigned j = 0; j < WARP; j++) whole &= wanted.mask >> j & 1 || !warp[j] || warp[j]->state == State::done;
        for (unsigned j = 0; j < WARP && whole; j++)
            if (warp[j]) leave_loops(*warp[j]);
        for (unsigned j = 0; j < WARP; j++)
            if (wanted.mask >> j & 1) warp[j]->state = State::ready;
        any = true;
    }
    return any;
}

// Nobody else can come before those that wait have gone on: where masks are open, the lanes that
// are first in the text, in the same rounds of all loops, make one. The others may meet them
// behind it. False if no mask is open.
bool close_a_mask(Lane** warp) {
    std::vector<Lane*> open;
    for (unsigned i = 0; i < WARP; i++)
        if (warp[i] && warp[i]->state == State::in_collective && !warp[i]->collective->mask) open.push_back(warp[i]);
    if (open.empty()) return false;
    const auto earlier = [](Lane* a, Lane* b) { return a->collective->place < b->collective->place; };
    const Lane& first = **std::min_element(open.begin(), open.end(), earlier);
    const auto apart = [&](Lane* lane) {
        return lane->collective->place != first.collective->place || lane->loop.rounds != first.loop.rounds;
    };
    open.erase(std::remove_if(open.begin(), open.end(), apart), open.end());
    unsigned mask = 0;
    for (Lane* lane : open) mask |= 1u << lane->lane;
    for (Lane* lane : open) lane->collective->mask = mask;
    return true;
}

// No thread can continue: say which wait where, and stop.
[[noreturn]] void stuck(Lane& waiting) {
    const bool at_barrier = waiting.state == State::at_barrier;
    void* place = at_barrier ? waiting.barrier : waiting.collective->place;
    std::vector<unsigned> here, elsewhere, gone;
    int other_line = 0;
    for (unsigned i = 0; i < block.threads; i++) {
        Lane& lane = lanes[i];
        if (!at_barrier && lane.warp != waiting.warp) continue;
        if (!at_barrier && !(waiting.collective->mask >> lane.lane & 1)) continue;
        void* where = lane.state == State::at_barrier ? lane.barrier
                      : lane.state == State::done     ? nullptr
                                                      : lane.collective->place;
        if (lane.state == State::done) gone.push_back(i);
        else if (line_of(where) == line_of(place)) here.push_back(i);
        else elsewhere.push_back(i), other_line = line_of(where);
    }
    std::string said = threads_named(here) + (here.size() == 1 ? " waits" : " wait") + " at " +
                       (at_barrier ? "__syncthreads" : waiting.collective->name) + " for ";
    if (!elsewhere.empty())
        said += threads_named(elsewhere) + ", which wait" + (elsewhere.size() == 1 ? "s" : "") + " in line " +
                std::to_string(other_line);
    if (!elsewhere.empty() && !gone.empty()) said += ", and for ";
    if (!gone.empty()) said += threads_named(gone) + ", which ha" + (gone.size() == 1 ? "s" : "ve") + " returned";
    if (elsewhere.empty() && gone.empty()) said += "lanes that the block does not have";
    said += at_barrier ? ": every thread of a block has to reach the same barrier"
                       : ": every lane named in the mask has to reach it";
    fault(at_barrier ? Fault::DivergentBarrier : Fault::DivergentWarp, said, place);
    stop_launch();
}

// Whether all threads are at one barrier, which then opens.
bool open_barrier() {
    Lane* first = nullptr;
    unsigned waiting = 0, done = 0;
    for (unsigned i = 0; i < block.threads; i++) {
        if (lanes[i].state == State::done) done++;
        if (lanes[i].state != State::at_barrier) continue;
        if (first && lanes[i].barrier != first->barrier && line_of(lanes[i].barrier) != line_of(first->barrier))
            stuck(*first);
        waiting++;
        if (!first) first = &lanes[i];
    }
    if (!first) return false;
    if (waiting + done == block.threads && done) stuck(*first);
    if (waiting < block.threads) return false;
    if (watching()) on_barrier(first->barrier);
    block.votes = 0;
    for (unsigned i = 0; i < block.threads; i++) {
        lanes[i].state = State::ready;
        leave_loops(lanes[i]);
        block.votes += lanes[i].vote != 0;
    }
    return true;
}

}  // namespace

void wait_for_scheduler() { leave(*current); }

void stop_launch() {
    current = nullptr;
    siglongjmp(way_out, 1);
}

// Nobody promises which warp comes first, and no kernel knows: behind the first block it hangs on what tensors hold.
static bool begins_with_last_warp() {
    return block.number && (launch.seed + block.number * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd >> 63;
}

void run_block(void (*entry)(void**), void** arguments) {
    kernel = entry, kernel_arguments = arguments;
    make_stacks(block.threads);
    begin(block.threads);
    begin_block(lanes.data());
    const unsigned warps = (block.threads + WARP - 1) / WARP;
    const bool backwards = begins_with_last_warp();
    for (;;) {
        bool any = false;
        for (unsigned turn = 0; turn < warps; turn++) {
            const unsigned w = backwards ? warps - 1 - turn : turn;
            Lane* warp[WARP];
            members(w, warp);
            do {
                if (Lane* first = ready_from(w * WARP, w)) hand_over(nullptr, first), any = true;
                flush(warp);
            } while (complete(warp) || ready_from(w * WARP, w) || close_a_mask(warp));
        }
        if (open_barrier()) {
            if (launch.altered) alter_what_was_written();
            next_interval(lanes.data());
            continue;
        }
        Lane* waiting = nullptr;
        for (unsigned i = 0; i < block.threads && !waiting; i++)
            if (lanes[i].state == State::in_collective) waiting = &lanes[i];
        for (unsigned i = 0; i < block.threads && !waiting; i++)
            if (lanes[i].state == State::at_barrier) waiting = &lanes[i];
        if (!waiting) return end_block();
        if (!any) stuck(*waiting);
    }
}

}  // namespace simt
