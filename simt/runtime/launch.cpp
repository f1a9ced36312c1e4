// What Python calls: one launch, block after block, and its report as JSON.
#include "watch.h"

#include <pthread.h>

#include <csetjmp>
#include <csignal>
#include <ucontext.h>
#include <cstdlib>

namespace simt {

LaunchState launch;
sigjmp_buf way_out;

namespace {

constexpr int SIGNALS[] = {SIGINT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
pthread_t launcher;
constexpr int STOPPED = 1, INTERRUPTED = 2, OUT_OF_TIME = 3;

void* place_of(void* context) {
#ifdef __x86_64__
    const uintptr_t at = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
    if (at >= launch.module_start && at < launch.module_end) return reinterpret_cast<void*>(at + 1);
#endif
    (void)context;
    return nullptr;
}

// The learner's line in which the thread that runs or waits is, or from which it called what it is in; 0 if none is
// found.
int line_now(void* context) {
    int line = 0;
    if (void* place = place_of(context)) line = line_at(place);
#ifdef __x86_64__
    if (!latest) return line;
    const auto stack = reinterpret_cast<uintptr_t>(latest->stack);
    auto top = static_cast<uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
    if (top < stack || top >= stack + STACK) top = reinterpret_cast<uintptr_t>(latest->stack_pointer);  // it waits
    for (uintptr_t at = top; !line && at < stack + STACK; at += sizeof(uintptr_t)) {
        const auto word = *reinterpret_cast<const uintptr_t*>(at);
        if (word >= launch.module_start && word < launch.module_end) line = line_at(reinterpret_cast<void*>(word));
    }
#endif
    return line;
}

void on_signal(int number, siginfo_t*, void* context) {
    const char* what = number == SIGFPE ? "divides a whole number by zero"
                       : number == SIGILL || number == SIGTRAP
                           ? "runs into a trap"
                           : "uses an address that belongs to nothing, or overflows its stack";
    if (!pthread_equal(pthread_self(), launcher)) {  // in another thread of the process
        if (number == SIGINT || number == SIGALRM) pthread_kill(launcher, number);
        else signal(number, SIG_DFL);  // it is raised again, and ends the process as it would have
        return;
    }
    if (number == SIGINT || number == SIGALRM) {
        launch.fault_line = line_now(context);
        siglongjmp(way_out, number == SIGINT ? INTERRUPTED : OUT_OF_TIME);
    }
    if (current) fault(Fault::Crash, thread_name(*current) + " " + what, place_of(context));
    else fault(Fault::Crash, "the kernel has damaged the memory of its runtime", nullptr);
    siglongjmp(way_out, STOPPED);
}

// Handles signals while it lives.
struct Signals {
    struct sigaction before[std::size(SIGNALS)];
    stack_t stack_before;
    Signals() {
        static char memory[64 << 10];
        stack_t stack{};
        stack.ss_sp = memory, stack.ss_size = sizeof memory;
        sigaltstack(&stack, &stack_before);
        struct sigaction action {};
        action.sa_sigaction = on_signal;
        action.sa_flags = SA_ONSTACK | SA_SIGINFO;
        for (size_t i = 0; i < std::size(SIGNALS); i++) sigaction(SIGNALS[i], &action, &before[i]);
    }
    ~Signals() {
        for (size_t i = 0; i < std::size(SIGNALS); i++) sigaction(SIGNALS[i], &before[i], nullptr);
        sigaltstack(&stack_before, nullptr);
    }
};

std::string quoted(const std::string& text) {
    std::string said = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') said += '\\';
        said += c;
    }
    return said + "\"";
}

// As a list, in their order.
template <class Counts> std::string numbers(const Counts& counts) {
    uint64_t each[sizeof(Counts) / sizeof(uint64_t)];
    memcpy(each, &counts, sizeof each);
    std::string said;
    for (uint64_t number : each) said += (said.empty() ? "[" : ", ") + std::to_string(number);
    return said + "]";
}

// Of the first numbers of all tensors.
uint64_t seed_of(const std::vector<Variable>& variables) {
    constexpr size_t FEW = 4096;  // bytes of each
    uint64_t seed = 0xcbf29ce484222325;
    for (const Variable& v : variables)
        for (size_t i = 0; !v.shared && i < std::min<size_t>(v.end - v.start, FEW); i++)
            seed = (seed ^ reinterpret_cast<const unsigned char*>(v.start)[i]) * 0x100000001b3;
    return seed;
}

std::string report;

}  // namespace
}  // namespace simt

using namespace simt;

// Variables and places as Python's ctypes lays them out.
struct GivenVariable {
    uint64_t start, end, itemsize, shared, rows;
    const char* name;
};
struct Given {
    void (*entry)(void**);
    void** arguments;
    unsigned grid[3], block[3], first[3];
    uint64_t dynamic_shared;
    int watched, variables, places, altered;
    float products;
    const GivenVariable* variable;
    const Place* place;
    uint64_t base, module_start, module_end, static_start, static_end;
    const char *file, *text;
};

// 0, STOPPED by a fault, INTERRUPTED or OUT_OF_TIME.
extern "C" __attribute__((visibility("default"))) int simt_launch(const Given* given) {
    launch = LaunchState{};
    launch.watched = given->watched;
    launch.products = given->products;
    launch.altered = given->altered;
    launch.base = given->base;
    launch.module_start = given->module_start, launch.module_end = given->module_end;
    launch.file = given->file, launch.text = given->text;
    launch.static_start = given->static_start, launch.static_end = given->static_end;
    for (int i = 0; i < given->variables; i++) {
        const GivenVariable& v = given->variable[i];
        launch.variables.push_back({v.start, v.end, v.itemsize, v.shared != 0, v.rows != 0, v.name});
    }
    launch.seed = seed_of(launch.variables);
    launch.places.assign(given->place, given->place + given->places);
    block = Block{};
    block.size = {given->block[0], given->block[1], given->block[2]};
    block.grid = {given->grid[0], given->grid[1], given->grid[2]};
    block.first = {given->first[0], given->first[1], given->first[2]};
    block.threads = block.size.x * block.size.y * block.size.z;
    block.dynamic_size = given->dynamic_shared;
    static char* shared = static_cast<char*>(std::aligned_alloc(1024, MOST_SHARED + 1024));
    block.dynamic_shared = shared;
    if (block.dynamic_size) {
        const uintptr_t start = reinterpret_cast<uintptr_t>(shared);
        for (Variable& v : launch.variables)
            if (v.shared && v.start == 0) v.start = start, v.end = start + block.dynamic_size;
    }
    launcher = pthread_self();
    Signals signals;
    const int code = sigsetjmp(way_out, 1);
    if (code == 0) {
        begin_watch();
        begin_printing();
        for (unsigned z = 0; z < block.grid.z; z++)
            for (unsigned y = 0; y < block.grid.y; y++)
                for (unsigned x = 0; x < block.grid.x; x++, block.number++) {
                    block.index = {block.first.x + x, block.first.y + y, block.first.z + z};
                    run_block(given->entry, given->arguments);
                }
    }
    current = nullptr;
    return code ? code : launch.faulted ? STOPPED : 0;
}

// The line at which the last launch was stopped, 0 if it is not known.
extern "C" __attribute__((visibility("default"))) int simt_line() { return launch.fault_line; }

extern "C" __attribute__((visibility("default"))) const char* simt_report() {
    report = "{\"kind\": " + std::to_string(int(launch.fault_kind)) + ", \"message\": " + quoted(launch.fault_message) +
             ", \"line\": " + std::to_string(launch.fault_line) +
             ", \"most\": " + numbers(launch.most) + ", \"lines\": {";
    bool first = true;
    for (const auto& [number, line] : launch.lines) {
        report += (first ? "" : ", ") + quoted(std::to_string(number)) + ": " + numbers(line);
        first = false;
    }
    report += "}}";
    return report.c_str();
}
