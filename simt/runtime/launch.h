// What Python gives a launch, and what the launch finds out.
#pragma once

#include <map>

#include "block.h"

namespace simt {

// simt.counts names what is counted, and says in what. Line: of the learner's code.
struct Line {
    uint64_t LINE_COUNTS;
};
struct Most {
    uint64_t MOST_COUNTS;
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
    uint64_t seed;        // of what no kernel knows
    int altered;          // 1: shared memory, 2: main memory, 0: neither; see alter_what_was_written
    Most most;
    uintptr_t base, module_start, module_end, static_start, static_end;
    std::string file, text;  // what compilers call the kernel, and its code, comments blank
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
