// What Python gives a launch, and what the launch finds out.
#pragma once

#include <map>

#include "block.h"

namespace simt {

struct Line {  // of the learner's code
    uint64_t loaded, stored;                              // bytes of global memory
    uint64_t requests, sectors, least_sectors;            // by warps, to global memory
    uint64_t load_sectors, store_sectors;
    uint64_t shared_requests, wavefronts, least_wavefronts;  // to shared memory; votes are requests
    uint64_t multiplied, copied;  // by lanes of mma; bytes that cp_async copies while its thread multiplies
    uint64_t overlapped;                                  // lanes of mma, of a warp whose copies are under way
    uint64_t shared_bytes, barriers;                      // read and written by lanes; passed by blocks
    uint64_t exponentials, vanished, shuffles;            // taken by lanes; those next to 0 or infinite; made by warps
    uint64_t rounded;                                     // numbers that conversions to 16 bits have changed
};

struct Variable {  // of static shared memory, or a tensor
    uintptr_t start, end;
    size_t itemsize;
    bool shared, rows;  // rows: it has more than one index
    std::string name;
};

enum class Fault { FAULTS };  // simt.errors names them

struct Place {  // of the code from `offset` on
    uint64_t offset;
    int64_t line;
};

struct LaunchState {
    bool watched, faulted;
    float products;       // what each product of tensor cores is multiplied with
    // The most bytes of global memory that one thread has loaded, one thread has stored, one block has moved.
    uint64_t busiest_loader, busiest_thread, busiest_block;
    uint64_t busiest_reader, busiest_writer;  // the most bytes of shared memory that one thread has read, has written
    uint64_t most_exponentials;  // that one thread has taken
    uint64_t most_vanished;      // of those of one block, that came out next to 0 or infinite
    uintptr_t base, module_start, module_end, static_start, static_end;
    std::vector<Variable> variables;
    std::vector<Place> places;        // sorted
    std::map<int, Line> lines;
    Fault fault_kind;
    std::string fault_message;
    int fault_line;
};

extern LaunchState launch;

void begin_printing();

}  // namespace simt
