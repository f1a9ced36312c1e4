// Barriers, shuffles, votes and atomics: the functions of cpu.h in which threads meet.
#include "watch.h"

using namespace simt;

#define HERE __builtin_return_address(0)
#define API __attribute__((visibility("default"), noinline))

struct uint3 {
    unsigned x, y, z;
};

API uint3 simt_thread_index() noexcept { return {current->index.x, current->index.y, current->index.z}; }
API uint3 simt_block_index() noexcept { return {block.index.x, block.index.y, block.index.z}; }
API uint3 simt_block_size() noexcept { return {block.size.x, block.size.y, block.size.z}; }
API uint3 simt_grid_size() noexcept {
    const Index &n = block.grid, &f = block.first;
    return {n.x + 2 * f.x, n.y + 2 * f.y, n.z + 2 * f.z};
}
API void* simt_dynamic_shared() noexcept { return block.dynamic_shared; }

namespace simt {

static void wait_for(Collective mine) {
    current->collective = &mine;
    current->state = State::in_collective;
    wait_for_scheduler();
}

void together(const char* name, unsigned mask, void* place, void (*run)(Lane**, unsigned), void* data) {
    if (!(mask >> current->lane & 1)) {
        fault(Fault::DivergentWarp, thread_name(*current) + " calls " + name + " with a mask that leaves itself out",
              place);
        stop_launch();
    }
    wait_for({name, mask, place, run, data});
}

namespace {

int barrier(int vote, void* place) {
    current->barrier = place;
    current->vote = vote;
    current->state = State::at_barrier;
    wait_for_scheduler();
    return block.votes;
}

// It tells each thread of all others, and counts as if each warp had read a number of each lane.
int vote_at_barrier(int mine, void* place) {
    if (watching() && current->lane == 0) on_vote(WARP, place);
    return barrier(mine, place);
}

void sync_warp(Lane** warp, unsigned mask) {
    for (int i = 0; watching() && i < WARP; i++)
        if (mask >> i & 1) on_warp_barrier(*warp[i]);
    next_warp_interval(warp);
}

// Who comes by together tells as much as a vote.
void tell_mask(Lane** warp, unsigned mask) {
    const Lane& first = *warp[__builtin_ctz(mask)];
    if (watching()) on_vote_in_warp(true, first.warp, first.collective->place);
    for (int i = 0; i < WARP; i++)
        if (mask >> i & 1) *static_cast<unsigned*>(warp[i]->collective->data) = mask;
}

struct Vote {
    bool mine, of_each;  // whether the lanes hear what each of them said
    unsigned all;
};

void vote(Lane** warp, unsigned mask) {
    const Lane& first = *warp[__builtin_ctz(mask)];
    if (watching())
        on_vote_in_warp(static_cast<Vote*>(first.collective->data)->of_each, first.warp, first.collective->place);
    unsigned all = 0;
    for (int i = 0; i < WARP; i++)
        if (mask >> i & 1 && static_cast<Vote*>(warp[i]->collective->data)->mine) all |= 1u << i;
    for (int i = 0; i < WARP; i++)
        if (mask >> i & 1) static_cast<Vote*>(warp[i]->collective->data)->all = all;
}

struct Shuffle {
    uint64_t mine, theirs;
    int from;  // the lane whose value is wanted
    int words;  // of 4 bytes, as a GPU shuffles them
};

void shuffle(Lane** warp, unsigned mask) {
    const Collective& first = *warp[__builtin_ctz(mask)]->collective;
    const unsigned number = warp[__builtin_ctz(mask)]->warp;
    if (watching()) on_shuffle(static_cast<Shuffle*>(first.data)->words, number, first.place);
    for (int i = 0; i < WARP; i++) {
        if (!(mask >> i & 1)) continue;
        Shuffle& s = *static_cast<Shuffle*>(warp[i]->collective->data);
        const bool there = mask >> s.from & 1;
        s.theirs = there ? static_cast<Shuffle*>(warp[s.from]->collective->data)->mine : ~uint64_t(0);  // undefined
    }
}

template <class T> T shuffled(const char* name, unsigned mask, T value, int from, void* place) {
    Shuffle s{0, 0, from & (WARP - 1), sizeof value > 4 ? 2 : 1};
    memcpy(&s.mine, &value, sizeof value);
    together(name, mask, place, shuffle, &s);
    memcpy(&value, &s.theirs, sizeof value);
    return value;
}

constexpr unsigned OFTEN = 4096;  // atomics, behind which others have their turn where nobody watches

// changes: what is there, and does not merely put another value in its place.
template <class T, class F> T atomically(T* address, F change, void* place, bool changes = true) {
    if (watching()) {
        on_atomic_read(address, sizeof(T), changes, place);
        on_access(address, sizeof(T), true, place, true);
    } else {
        static unsigned calls;
        if (++calls % OFTEN == 0) wait_for_scheduler();  // one that others of its warp wait for may be among them
    }
    const T was = *address;
    *address = change(was);
    return was;
}

}  // namespace
}  // namespace simt

API void __syncthreads() { barrier(0, HERE); }
API int __syncthreads_or(int x) { return vote_at_barrier(x, HERE) > 0; }
API int __syncthreads_and(int x) { return vote_at_barrier(x, HERE) == int(block.threads); }
API int __syncthreads_count(int x) { return vote_at_barrier(x, HERE); }
API void __syncwarp(unsigned mask) {
    const unsigned threads = block.threads - current->warp * WARP;  // in the last warp, which may be incomplete
    together("__syncwarp", threads < WARP ? mask & ((1u << threads) - 1) : mask, HERE, sync_warp, nullptr);
}
API unsigned __activemask() {
    unsigned active = 0;
    wait_for({"__activemask", 0, HERE, tell_mask, &active});
    return active;
}
API unsigned __ballot_sync(unsigned mask, int predicate) {
    Vote v{predicate != 0, true, 0};
    together("__ballot_sync", mask, HERE, vote, &v);
    return v.all;
}
API int __any_sync(unsigned mask, int predicate) {
    Vote v{predicate != 0, false, 0};
    together("__any_sync", mask, HERE, vote, &v);
    return v.all != 0;
}
API int __all_sync(unsigned mask, int predicate) {
    Vote v{predicate != 0, false, 0};
    together("__all_sync", mask, HERE, vote, &v);
    return v.all == mask;
}

// Within groups of `width` lanes; a lane that would reach outside its group gets its own value back.
#define SHUFFLES(T)                                                                                              \
    API T __shfl_sync(unsigned mask, T value, int lane, int width) {                                             \
        const int mine = current->lane, group = mine & ~(width - 1);                                             \
        return shuffled("__shfl_sync", mask, value, group + (lane & (width - 1)), HERE);                         \
    }                                                                                                            \
    API T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width) {                                    \
        const int mine = current->lane, from = mine - int(delta);                                                \
        return shuffled("__shfl_up_sync", mask, value, from < (mine & ~(width - 1)) ? mine : from, HERE);        \
    }                                                                                                            \
    API T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width) {                                  \
        const int mine = current->lane, from = mine + int(delta);                                                \
        return shuffled("__shfl_down_sync", mask, value, from > (mine | (width - 1)) ? mine : from, HERE);       \
    }                                                                                                            \
    API T __shfl_xor_sync(unsigned mask, T value, int lanes, int width) {                                        \
        const int mine = current->lane, from = mine ^ lanes;                                                     \
        return shuffled("__shfl_xor_sync", mask, value, from > (mine | (width - 1)) ? mine : from, HERE);        \
    }
SHUFFLES(int)
SHUFFLES(unsigned)
SHUFFLES(float)
SHUFFLES(double)
SHUFFLES(long)
SHUFFLES(unsigned long)
SHUFFLES(long long)
SHUFFLES(unsigned long long)

#define ATOMICS(T)                                                                                               \
    API T atomicAdd(T* p, T x) { return atomically(p, [=](T was) { return was + x; }, HERE); }                   \
    API T atomicMax(T* p, T x) { return atomically(p, [=](T was) { return was < x ? x : was; }, HERE); }         \
    API T atomicMin(T* p, T x) { return atomically(p, [=](T was) { return x < was ? x : was; }, HERE); }         \
    API T atomicExch(T* p, T x) { return atomically(p, [=](T) { return x; }, HERE, false); }                          \
    API T atomicCAS(T* p, T old, T x) { return atomically(p, [=](T was) { return was == old ? x : was; }, HERE); }
ATOMICS(int)
ATOMICS(unsigned)
ATOMICS(unsigned long long)
ATOMICS(float)
ATOMICS(double)
#define ATOMICS_OF_BITS(T)                                                                                       \
    API T atomicSub(T* p, T x) { return atomically(p, [=](T was) { return was - x; }, HERE); }                   \
    API T atomicAnd(T* p, T x) { return atomically(p, [=](T was) { return was & x; }, HERE); }                   \
    API T atomicOr(T* p, T x) { return atomically(p, [=](T was) { return was | x; }, HERE); }                    \
    API T atomicXor(T* p, T x) { return atomically(p, [=](T was) { return was ^ x; }, HERE); }
ATOMICS_OF_BITS(int)
ATOMICS_OF_BITS(unsigned)
API unsigned atomicInc(unsigned* p, unsigned most) {
    return atomically(p, [=](unsigned was) { return was >= most ? 0 : was + 1; }, HERE);
}
API unsigned atomicDec(unsigned* p, unsigned most) {
    return atomically(p, [=](unsigned was) { return was == 0 || was > most ? most : was - 1; }, HERE);
}
