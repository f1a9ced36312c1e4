// A block's threads, and what they wait for. fibers.cpp runs them, collective.cpp lets them
// wait and exchange values, tensor_core.cpp multiplies, launch.cpp is what Python calls. The
// others watch.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace simt {

constexpr int WARP = 32, MOST_THREADS = 1024;
constexpr size_t STACK = 128 << 10;  // bytes of a thread's own memory
constexpr size_t FRAMES = 2 << 10;   // of them for what calls the kernel
constexpr size_t LONGEST_LOG = 4096;  // accesses of a lane before they are counted, whatever the others of its warp did
constexpr size_t MOST_SHARED = 227 << 10;  // bytes per block on an H100 or H200

struct Index {
    unsigned x, y, z;
};

struct Lane;

// Something that the threads of `mask` in a warp do together: once all of them have arrived,
// `run` is called once.
struct Collective {
    const char* name;
    unsigned mask;  // 0 as long as it is open: those that come by together
    void* place;  // where in the learner's code
    void (*run)(Lane** lanes, unsigned mask);
    void* data;  // of this lane: what it passes in and gets back
};

enum class State { ready, at_barrier, in_collective, done };

// One access to memory, waiting to be combined with those of the other lanes.
struct Access {
    uintptr_t address;
    uint32_t rounds;  // of the loops around it
    uint32_t instruction;  // its place, counted from the library's start, and what it does

    Access(uintptr_t address, uint32_t rounds, uint32_t place, size_t size, bool atomic, bool write, bool shared)
        : address(address), rounds(rounds),
          instruction(place << 8 | uint32_t(size) << 3 | atomic << 2 | write << 1 | shared) {}
    uint32_t place() const { return instruction >> 8; }
    uint32_t size() const { return instruction >> 3 & 31; }
    bool atomic() const { return instruction >> 2 & 1; }
    bool write() const { return instruction >> 1 & 1; }
    bool shared() const { return instruction & 1; }
};

// Who touched a cell of memory: the thread, numbered through the grid from 1 (0: nobody), and
// when.
struct Mark {
    uint32_t thread, interval, warp_interval, place;
};

// One that a thread is in: where it begins and ends, and a number that stands for the thread's
// rounds in it and in the loops around it.
struct Loop {
    uintptr_t first, last;
    uint32_t rounds;
    uintptr_t within = 0;  // where the loop within it begins that was left last
    uint32_t left_in = 0, left_at = 0;  // in which rounds of this one, and after which of that one
};

struct Copy {  // of cp_async
    void *to, *place;
    const void* from;
    bool valid, fetched;  // from main memory, if anybody watches
    uint64_t multiplied;  // products that its thread had taken part in when it was started
};

// One thread of the block. What every step reads comes first, in one line of the cache.
struct alignas(64) Lane {
    char* stack;
    unsigned number, warp;  // within the block, of its warp
    Mark now;               // that it leaves, but for the place
    uintptr_t at;  // where it has last been, and the innermost loop that this is in
    Loop loop;     // all of the kernel is the outermost
    std::vector<Access> accesses;  // since the warp last met
    std::vector<Loop> around;      // the other loops
    std::vector<Loop> left;        // those that it has left last, the innermost first
    uint32_t left_in;              // in which rounds of those around them
    State state;
    unsigned lane;  // within the warp
    Index index;
    void* stack_pointer;
    void* barrier;  // where it waits
    int vote;
    Collective* collective;
    std::vector<Copy> copies;
    std::vector<std::vector<Copy>> groups;  // committed copies, the oldest first
    int under_way;                          // copies from main memory that it has not waited for
    uint64_t multiplied;                    // products that it has taken part in
};

struct Block {
    Index index, size, grid, first;  // first: the index with which the grid begins, and as many follow it (see far.py)
    unsigned threads, number;
    char* dynamic_shared;
    size_t dynamic_size;
    int votes;  // threads whose predicate was true at the last barrier
};

extern Block block;
extern Lane* current;  // the running thread, null outside a kernel
extern Lane* latest;   // that which runs or ran last

// fibers.cpp
void run_block(void (*entry)(void**), void** arguments);
void wait_for_scheduler();  // called by a thread whose state is no longer ready
[[noreturn]] void stop_launch();  // leave the kernel from anywhere in it

// collective.cpp
void together(const char* name, unsigned mask, void* place, void (*run)(Lane**, unsigned), void* data);

}  // namespace simt
