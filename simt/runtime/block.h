// A block's threads, and what they wait for. fibers.cpp runs them, collective.cpp lets them wait and exchange values,
// tensor_core.cpp multiplies, watch.cpp checks every access, loops.cpp tells which are made together, launch.cpp is what Python calls.
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
constexpr size_t MOST_SHARED = 227 << 10;  // bytes per block on an H100 or H200

struct Index {
    unsigned x, y, z;
};

struct Lane;

// Something that the threads of `mask` in a warp do together: once all of them have arrived, `run` is called once.
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
    void* place;
    uint32_t rounds;  // of the loops around it
    uint16_t size;
    bool write, shared, atomic;
};

// One that a thread is in: where it begins and ends, and a number that stands for the thread's rounds in it and in the
// loops around it.
struct Loop {
    uintptr_t first, last;
    uint32_t rounds;
};

struct Copy {  // of cp_async
    void *to, *place;
    const void* from;
    bool valid;
    uint64_t multiplied;  // by the block's lanes until it was started
};

// One thread of the block.
struct Lane {
    State state;
    Index index;
    unsigned number, warp, lane;  // within the block, of its warp, within the warp
    void* stack_pointer;
    char* stack;
    void* barrier;  // where it waits
    int vote;
    Collective* collective;
    std::vector<Access> accesses;  // since the warp last met
    uintptr_t at;  // where it has last been, and the loops that this is in: the innermost, and those around it
    Loop loop;     // all of the kernel is the outermost
    std::vector<Loop> around;
    std::vector<Copy> copies;
    std::vector<std::vector<Copy>> groups;  // committed copies, the oldest first
    int under_way;                          // copies that read memory, and that it has not waited for
};

struct Block {
    Index index, size, grid;
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

// loops.cpp
void leave_loops(Lane&);  // threads that have met are in the same rounds of all loops

// watch.cpp
struct Variable {  // of static shared memory, or a tensor
    uintptr_t start, end;
    size_t itemsize;
    bool shared;
    std::string name;
};
enum class Fault { FAULTS };  // simt.errors names them
void fault(Fault kind, const std::string& message, void* place);  // the first one counts
void begin_watch();
void begin_block();
void next_interval();             // every thread has passed a barrier
void next_warp_interval(Lane&);   // the warp has passed __syncwarp
void flush(Lane** lanes);         // combine the accesses of a warp: lanes[32], null where there is none
void on_access(const void* address, size_t size, bool write, void* place, bool atomic = false);
void must_be_aligned(const void* address, size_t size, void* place);
void on_copy_started(const Copy&);
void on_copy_done(const Copy&);
void on_multiplied();                                    // by a lane, together with its warp
void on_used(uint64_t lanes, Lane** warp, void* place);  // by a product: 32, less where operands are all zeros
void on_barrier(void* place);                            // by a block
void on_vote(void* place);                               // by a warp
void on_shuffle(int words, void* place);                 // by a warp, of so many times 4 bytes
void on_exponential(double power, void* place);          // by a lane
int line_of(void* place);
int line_at(void* place);  // the same, remembering nothing, as a handler of signals has to
std::string thread_name(const Lane&);
std::string threads_named(const std::vector<unsigned>& numbers);
bool watching();

}  // namespace simt
