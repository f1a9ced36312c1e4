// What one instruction of a warp asks for: the sectors of 32 bytes that it touches, or the
// passes over 32 banks that it takes. Lanes make a request together that come by a place in the
// same rounds of all loops.
#include <unordered_map>

#include "watch.h"

namespace simt {

namespace {

constexpr size_t SCATTERED = 3;  // times as many requests as a lane has visits: they go one behind the other
constexpr uint32_t NONE = ~0u;

struct Request {
    Access access;  // that of its first lane
    uint32_t next = NONE;  // the request of which a lane is part that comes by once more
    int n = 0;
    unsigned lanes[WARP];
    uintptr_t addresses[WARP];

    explicit Request(const Access& access) : access(access) {}
    void add(int lane, uintptr_t address) { lanes[n] = lane, addresses[n++] = address; }
};

// Which instruction this is, in which rounds of the loops around it.
uint64_t visit(const Access& a) { return uint64_t(a.rounds) << 32 | a.instruction; }

// How many values there are. Mostly they are in order.
int distinct(uintptr_t* values, int n) {
    if (!std::is_sorted(values, values + n)) std::sort(values, values + n);
    return int(std::unique(values, values + n) - values);
}

// Whether what lies from `low` on, up to an access at `high`, has no two words in one bank.
bool in_one_pass(uintptr_t low, uintptr_t high, const Access& access) {
    return !access.atomic() && (high + access.size() - 1) / 4 - low / 4 < 32;
}

// The passes that some lanes take for what the first of them asks for.
int passes(const uintptr_t* addresses, int n, const Access& access) {
    const size_t size = access.size();
    uintptr_t words[4 * WARP], low = ~uintptr_t(0), high = 0;
    int m = 0;
    for (int i = 0; i < n; i++) low = std::min(low, addresses[i]), high = std::max(high, addresses[i]);
    if (in_one_pass(low, high, access)) return 1;
    for (int i = 0; i < n; i++)
        for (size_t b = 0; b < size; b += 4) words[m++] = addresses[i] / 4 + b / 4;
    if (!access.atomic()) m = distinct(words, m);  // atomic ones go one behind the other, at one address too
    int banks[32] = {}, most = 0;
    for (int i = 0; i < m; i++) most = std::max(most, ++banks[words[i] % 32]);
    return most;
}

// Calls `serve` for those lanes of a request to shared memory that are served at once, then for
// the next ones.
template <class F> void by_turns(const Request& r, F serve) {
    const int group = r.access.size() <= 4 ? 5 : r.access.size() <= 8 ? 4 : 3;  // of 2 to that many lanes
    for (int from = 0, to = 0; from < r.n; from = to) {
        while (to < r.n && r.lanes[to] >> group == r.lanes[from] >> group) to++;
        serve(r.addresses + from, to - from);
    }
}

Line& line_of(const Request& r) { return counts_of(reinterpret_cast<char*>(launch.base) + r.access.place()); }

// Lanes that do not go on where the lane before them ends, or do not end where it begins, whichever are fewer.
uint64_t scattered_lanes(const Request& r) {
    uint64_t forwards = 0, backwards = 0;
    for (int i = 1; i < r.n; i++) {
        const uintptr_t moved = r.addresses[i] - r.addresses[i - 1];
        const uintptr_t apart = (r.lanes[i] - r.lanes[i - 1]) * uintptr_t(r.access.size());
        forwards += moved != apart, backwards += moved != -apart;
    }
    return std::min(forwards, backwards);
}

void count(const Request& r, Line& line) {
    const uint64_t bytes = uint64_t(r.n) * r.access.size();
    if (r.access.shared()) {
        line.shared_requests++, line.shared_bytes += bytes;
        by_turns(r, [&](const uintptr_t* addresses, int n) { line.wavefronts += passes(addresses, n, r.access); });
        return;
    }
    uintptr_t sectors[WARP];
    for (int i = 0; i < r.n; i++) sectors[i] = r.addresses[i] / 32;  // an aligned access lies in one
    const int n = distinct(sectors, r.n);
    (r.access.write() ? line.stored : line.loaded) += bytes;
    (r.access.write() ? line.store_sectors : line.load_sectors) += n;
    (r.access.write() ? line.scattered_stores : line.scattered_loads) += scattered_lanes(r);
    line.requests++, line.sectors += n;
}

// How few sectors or passes would do for lanes that ask for this all at once.
void count_least(Request& r, Line& line) {
    if (r.access.shared()) by_turns(r, [&](const uintptr_t*, int) { line.least_wavefronts++; });
    else line.least_sectors += (distinct(r.addresses, r.n) * r.access.size() + 31) / 32;
}

// Lanes that come by a place in the same rounds of all loops make one request; or their k-th
// visits to it do.
std::vector<Request> apart(Lane** lanes, int n, bool by_rounds) {
    struct Chain {
        uint32_t first;  // the request of the lanes' first visits
        uint32_t last;   // that of the latest visit of `lane`
        int lane;
    };
    std::vector<Request> requests;
    std::unordered_map<uint64_t, Chain> chains;
    for (int i = 0; i < n; i++) {
        const int lane = lanes[i]->lane;
        for (const Access& a : lanes[i]->accesses) {
            Chain& chain =
                chains.try_emplace(by_rounds ? visit(a) : a.instruction, Chain{NONE, NONE, -1}).first->second;
            uint32_t& next = chain.lane == lane ? requests[chain.last].next : chain.first;
            const uint32_t mine = next == NONE ? next = uint32_t(requests.size()) : next;
            if (mine == requests.size()) requests.emplace_back(a);
            requests[mine].add(lane, a.address);
            chain.last = mine, chain.lane = lane;
        }
    }
    return requests;
}

// Lanes took different paths. What they ask for takes least if those make a request that come
// by together; but lanes that go one behind the other, in many more requests than the visits of
// any of them, save no passes by that.
void count_apart(Lane** lanes, int n) {
    struct Visits {
        size_t requests, most, of_lanes[WARP];
    };
    std::unordered_map<uint32_t, Visits> visits;
    std::vector<Request> made = apart(lanes, n, true);
    for (const Request& r : made) {
        Visits& here = visits[r.access.instruction];
        here.requests++;
        for (int i = 0; i < r.n; i++) here.most = std::max(here.most, ++here.of_lanes[r.lanes[i]]);
    }
    const auto scattered = [&](const Request& r) {
        const Visits& here = visits[r.access.instruction];
        return here.requests > SCATTERED * here.most;
    };
    bool any = false;
    for (Request& r : made) {
        Line& line = line_of(r);
        count(r, line);
        if (scattered(r)) any = true;
        else count_least(r, line);
    }
    if (!any) return;
    for (Request& r : apart(lanes, n, false))
        if (scattered(r)) count_least(r, line_of(r));
}

// Whether all lanes have made the same requests, one after the other.
bool alike(Lane** lanes, int n) {
    const std::vector<Access>& first = lanes[0]->accesses;
    for (int i = 1; i < n; i++) {
        const std::vector<Access>& mine = lanes[i]->accesses;
        const auto same = [](const Access& a, const Access& b) { return visit(a) == visit(b); };
        if (!std::equal(first.begin(), first.end(), mine.begin(), mine.end(), same)) return false;
    }
    return true;
}

// The requests that all lanes have made, one after the other. Most are to shared memory, of lanes that are served at
// once.
void count_alike(Lane** lanes, int n) {
    const Access* logs[WARP];
    Request r(lanes[0]->accesses[0]);
    for (int i = 0; i < n; i++) logs[i] = lanes[i]->accesses.data(), r.add(lanes[i]->lane, 0);
    for (size_t j = 0; j < lanes[0]->accesses.size(); j++) {
        r.access = logs[0][j];
        uintptr_t low = ~uintptr_t(0), high = 0;
        for (int i = 0; i < n; i++) {
            const uintptr_t address = r.addresses[i] = logs[i][j].address;
            low = std::min(low, address), high = std::max(high, address);
        }
        Line& line = line_of(r);
        const size_t size = r.access.size();
        if (r.access.shared() && size <= 4 && in_one_pass(low, high, r.access)) {
            line.shared_requests++, line.shared_bytes += n * size;
            line.wavefronts++, line.least_wavefronts++;
        } else {
            count(r, line), count_least(r, line);
        }
    }
}

// Whether lanes that are apart are counted later: some can go on, no log is full, and the others may meet them again.
bool may_go_on(Lane** lanes, int n) {
    const auto goes_on = [](const Lane* lane) { return lane->state == State::ready; };
    const auto is_full = [](const Lane* lane) { return lane->accesses.size() >= LONGEST_LOG; };
    return std::any_of(lanes, lanes + n, goes_on) && std::none_of(lanes, lanes + n, is_full);
}

}  // namespace

void flush(Lane** warp) {
    Lane* lanes[WARP];
    int n = 0;
    for (int i = 0; i < WARP; i++)
        if (warp[i] && !warp[i]->accesses.empty()) lanes[n++] = warp[i];
    if (!n) return;
    if (alike(lanes, n)) count_alike(lanes, n);
    else if (may_go_on(lanes, n)) return;
    else count_apart(lanes, n);
    for (int i = 0; i < n; i++) lanes[i]->accesses.clear();
}

}  // namespace simt
