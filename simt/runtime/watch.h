// The instruments. memory.cpp locates every access and compares it with what others did there,
// arrays.cpp judges indices, requests.cpp counts what warps ask for, loops.cpp tells which lanes
// come by together, watch.cpp counts the rest and names what is found. Compilers call the functions of hooks.cpp,
// the headers those of arithmetic.cpp.
#pragma once

#include <algorithm>

#include "launch.h"

namespace simt {

// watch.cpp
void begin_watch();
void begin_block(Lane* lanes);
void end_block();
bool watching();
bool says_more(Fault kind);  // than what is said already
[[gnu::cold]] void fault(Fault kind, const std::string& message, void* place);  // the first one counts
extern std::vector<Line*> counts;  // of the line of each place of the code; null where none was asked for
[[gnu::cold]] Line& new_counts_of(void* place);
int line_of(void* place);
int line_at(void* place);  // the same, remembering nothing, as a handler of signals has to
std::string index_text(const Index& i, const Index& size);
std::string thread_name(const Lane&);
std::string threads_named(const std::vector<unsigned>& numbers);
std::string plural(size_t n, const char* noun);
std::string element(const Variable& v, long at);
std::string element(uintptr_t address);
void on_used(uint64_t lanes, Lane** warp, void* place);  // by a product: 32, less where operands are all zeros
void on_barrier(void* place);                            // by a block
void on_warp_barrier(const Lane&);                       // by a lane, with others of its warp
void on_vote(int requests, void* place);                 // by a warp, which counts as so many requests
void on_shuffle(int words, unsigned warp, void* place);  // by a warp, of so many times 4 bytes
void on_vote_in_warp(bool of_each, unsigned warp, void* place);  // whether each lane hears what each said
void on_exponential(double power, void* place);          // by a lane
void on_rounded(float x, void* place);                   // by a lane

// memory.cpp
void begin_memory();  // of a launch
void begin_block_in_memory(Lane* lanes);
void end_block_in_memory();
void next_interval(Lane* lanes);  // every thread has passed a barrier
void alter_what_was_written(int by = -1);  // by each of the block's warps, or by one, once, where the launch says so
void next_warp_interval(Lane**);  // the warp has passed __syncwarp
void on_memory(uintptr_t address, size_t size, bool write, void* place, bool atomic);
template <size_t size> void on_read(uintptr_t address, void* place);  // the same for most accesses, faster
void on_atomic_read(const void* pointer, size_t size, bool needed, void* place);  // an atomic returns what was there
void on_copy_started(Copy&);
void on_copy_done(const Copy&);
void must_be_shared(const void* pointer, const char* name, void* place);
[[noreturn, gnu::cold]] void misaligned(uintptr_t address, size_t size, void* place);
[[noreturn, gnu::cold]] void too_deep(uintptr_t reached, void* place);

// arrays.cpp
struct Subscript;
void forget_subscripts();  // of the launch before
void on_subscript(const Subscript*, long index, void* place);  // that is not among those of its array

// requests.cpp
void flush(Lane** lanes);  // combine a warp's accesses, unless lanes that are apart go on: lanes[32], null where there is none

// loops.cpp
void forget_loops();      // of the launch before
void leave_loops(Lane&);  // threads that have met are in the same rounds of all loops

// Those of a place's line.
inline Line& counts_of(void* place) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(place) - launch.module_start;
    return at < counts.size() && counts[at] ? *counts[at] : new_counts_of(place);
}

// size: a power of 2.
inline void must_be_aligned(const void* pointer, size_t size, void* place) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    if (address & (size - 1)) misaligned(address, size, place);
}

// Whether it points to what is the running thread's own.
inline bool is_own(const void* pointer) {
    return reinterpret_cast<uintptr_t>(pointer) - reinterpret_cast<uintptr_t>(current->stack) < STACK;
}

// Every access to memory: `else_` is called of what is not a thread's own. What is is touched by no other, but must
// have room; variables that no access shows take room too: those of calls within each other, and what lies before an
// array.
template <class F>
[[gnu::always_inline]] inline void if_own(const void* pointer, size_t size, void* place, F else_) {
    if (!current) return;
    const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
    const uintptr_t frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    const bool own = is_own(pointer);
    const uintptr_t reached = own ? std::min(address, frame) : frame;
    const uintptr_t least = reinterpret_cast<uintptr_t>(current->stack) + STACK - MOST_OF_A_THREAD - FRAMES;
    if (reached < least) too_deep(reached, place);
    if (!own) else_(address);
    else if (size == 16) must_be_aligned(pointer, size, place);
}

inline void on_access(const void* pointer, size_t size, bool write, void* place, bool atomic = false) {
    if_own(pointer, size, place, [=](uintptr_t address) { on_memory(address, size, write, place, atomic); });
}

template <size_t size> void on_read_access(const void* pointer, void* place) {
    if_own(pointer, size, place, [=](uintptr_t address) { on_read<size>(address, place); });
}

}  // namespace simt
