// mma, ldmatrix and cp_async as a warp of a GPU does them; the layouts are those of the PTX
// manual (see tilewise.cuh).
#include "watch.h"

#include <cmath>

using namespace simt;

#define HERE __builtin_return_address(0)
#define API __attribute__((visibility("default"), noinline))

namespace {

// Numbers that lie side by side in a matrix: as many as every processor adds up at once.
constexpr int SIDE = 4;
using Numbers = float __attribute__((vector_size(16)));
using Bits = uint32_t __attribute__((vector_size(16)));
using Halves = uint16_t __attribute__((vector_size(8)));

Numbers from_half(Halves halves) {
    const Bits h = __builtin_convertvector(halves, Bits);
    const Numbers scaled = reinterpret_cast<Numbers>((h & 0x7fff) << 13) * 0x1p112f;
    const Bits special = reinterpret_cast<Bits>((h & 0x7c00) == 0x7c00) & 0x7f800000;
    return reinterpret_cast<Numbers>(reinterpret_cast<Bits>(scaled) | special | (h & 0x8000) << 16);
}

Numbers from_bfloat(Halves b) { return reinterpret_cast<Numbers>(__builtin_convertvector(b, Bits) << 16); }

using A = Numbers[16][16 / SIDE];
using B = Numbers[16][8 / SIDE];

struct Operands {
    float* d;
    const unsigned *a, *b;
    void* place;
};

constexpr int FRAGMENTS = 6;  // words that a lane hands to others: a product could stand for shuffles

const Operands& operands(const Lane* lane) { return *static_cast<Operands*>(lane->collective->data); }

// Whether a matrix of 8 x 8 holds one number throughout, and whether that is zero.
struct Throughout {
    bool same = true, zero = true;
    template <size_t width> Throughout(const Numbers (&x)[16][width], int row, int left) {
        Bits alike = ~Bits{}, none = alike;
        for (int i = row; i < row + 8; i++)
            for (int j = left; j < left + 8 / SIDE; j++) {
                alike &= reinterpret_cast<Bits>(x[i][j] == x[row][left][0]);
                none &= reinterpret_cast<Bits>(x[i][j] == 0);
            }
        for (int i = 0; i < SIDE; i++) same &= alike[i] != 0, zero &= none[i] != 0;
    }
};

// Of the four products of 8 x 8 and 8 x 8 that a product is made of, those that say something:
// neither matrix is all zeros, as where a tile is padded, and not both hold one number
// throughout.
int used_quarters(const A& a, const B& b) {
    int used = 0;
    for (int k = 0; k < 16; k += 8) {
        const Throughout right(b, k, 0);
        for (int row = 0; row < 16; row += 8) {
            const Throughout left(a, row, k / SIDE);
            used += !left.zero && !right.zero && !(left.same && right.same);
        }
    }
    return used;
}

// Whether the sums that a product is added to end in zeros, a few of them or all: they were rounded on their way.
bool are_coarse(Lane** warp) {
    constexpr int SOME = 16;
    constexpr uint32_t LAST = 0x3f;
    int numbers = 0;
    for (int i = 0; i < WARP; i++)
        for (int r = 0; r < 4; r++) {
            const float sum = operands(warp[i]).d[r];
            uint32_t bits;
            memcpy(&bits, &sum, sizeof bits);
            if (sum == 0 || !std::isfinite(sum)) continue;
            if (bits & LAST) return false;
            numbers++;
        }
    return numbers >= SOME;
}

// The two matrices that the lanes hold, the second one by columns.
template <Numbers convert(Halves)> void assemble(Lane** warp, A& a, B& b) {
    unsigned rows[16][8], columns[8][8];  // two numbers each
    for (int i = 0; i < WARP; i++) {
        const int g = i / 4, t = i % 4;
        for (int r = 0; r < 4; r++) rows[g + r % 2 * 8][t + r / 2 * 4] = operands(warp[i]).a[r];
        for (int r = 0; r < 2; r++) columns[g][t + r * 4] = operands(warp[i]).b[r];
    }
    for (int k = 0; k < 16; k += SIDE) {
        Halves halves;
        for (int row = 0; row < 16; row++)
            memcpy(&halves, &rows[row][k / 2], sizeof halves), a[row][k / SIDE] = convert(halves);
        for (int n = 0; n < 8; n++) {
            memcpy(&halves, &columns[n][k / 2], sizeof halves);
            const Numbers column = convert(halves);
            for (int i = 0; i < SIDE; i++) b[k + i][n / SIDE][n % SIDE] = column[i];
        }
    }
}

template <Numbers convert(Halves)> void mma(Lane** warp, unsigned) {
    A a;
    B b;
    assemble<convert>(warp, a, b);
    if (watching()) {
        const auto place = operands(warp[0]).place;
        on_used(used_quarters(a, b) * WARP / 4, warp, place);
        on_shuffle(FRAGMENTS, warp[0]->warp, place);
        Line& line = counts_of(place);
        line.issued++;
        if (are_coarse(warp)) line.coarse++;
    }
    float sums[16][8];
    for (int row = 0; row < 16; row++)
        for (int n = 0; n < 8 / SIDE; n++) {
            Numbers sum{};
            for (int k = 0; k < 16; k++) sum += a[row][k / SIDE][k % SIDE] * b[k][n];
            memcpy(&sums[row][n * SIDE], &sum, sizeof sum);
        }
    for (int i = 0; i < WARP; i++) {
        const int g = i / 4, t = i % 4;
        for (int r = 0; r < 4; r++) operands(warp[i]).d[r] += launch.products * sums[g + r / 2 * 8][2 * t + r % 2];
    }
}

struct Rows {
    unsigned* r;
    const void* row;
};

template <bool transposed> void ldmatrix(Lane** warp, unsigned) {
    for (int m = 0; m < 4; m++) {
        uint16_t matrix[8][8];
        for (int i = 0; i < 8; i++) memcpy(matrix[i], static_cast<Rows*>(warp[8 * m + i]->collective->data)->row, 16);
        for (int i = 0; i < WARP; i++) {
            const int g = i / 4, t = i % 4;
            const unsigned low = transposed ? matrix[2 * t][g] : matrix[g][2 * t];
            const unsigned high = transposed ? matrix[2 * t + 1][g] : matrix[g][2 * t + 1];
            static_cast<Rows*>(warp[i]->collective->data)->r[m] = low | high << 16;
        }
    }
}

// On a GPU another address than a shared one would be cut to the bits of one.
void read_row(const void* row, void* place) {
    must_be_aligned(row, 16, place);
    if (watching()) on_access(row, 16, false, place), must_be_shared(row, "ldmatrix", place);
}

// What is passed by reference and lies in no variable of the thread's own is loaded for it, or
// stored, as on a GPU.
template <class T, size_t n> void touch(T (&numbers)[n], bool write, void* place) {
    if (!watching()) return;
    const size_t seen = is_own(numbers) ? 1 : n;
    for (size_t i = 0; i < seen; i++) on_access(&numbers[i], sizeof(T), write, place);
}

constexpr unsigned ALL = 0xffffffffu;

template <Numbers convert(Halves)>
void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], void* place) {
    current->multiplied++;
    touch(a, false, place), touch(b, false, place), touch(d, false, place), touch(d, true, place);
    Operands mine{d, a, b, place};
    together("mma_m16n8k16", ALL, place, mma<convert>, &mine);
}

}  // namespace

API void simt_mma_half(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    multiply<from_half>(d, a, b, HERE);
}
API void simt_mma_bfloat(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    multiply<from_bfloat>(d, a, b, HERE);
}
API void ldmatrix_x4(unsigned (&r)[4], const void* row) {
    read_row(row, HERE), touch(r, true, HERE);
    Rows mine{r, row};
    together("ldmatrix_x4", ALL, HERE, ldmatrix<false>, &mine);
}
API void ldmatrix_x4_trans(unsigned (&r)[4], const void* row) {
    read_row(row, HERE), touch(r, true, HERE);
    Rows mine{r, row};
    together("ldmatrix_x4_trans", ALL, HERE, ldmatrix<true>, &mine);
}

// A copy is done as late as possible: when its thread waits for it. Until then its target holds
// NaN.
API void cp_async(void* to, const void* from, bool valid) {
    must_be_aligned(to, 16, HERE);
    if (valid) must_be_aligned(from, 16, HERE);
    Copy copy{to, HERE, from, valid, false, current->multiplied};
    if (watching()) on_copy_started(copy);
    memset(to, 0xff, 16);
    current->copies.push_back(copy);
}
API void cp_async_commit() {
    current->groups.emplace_back();
    current->groups.back().swap(current->copies);
}
API void simt_cp_async_wait(int latest) {
    while (int(current->groups.size()) > latest) {
        for (const Copy& copy : current->groups.front()) {
            if (copy.valid) memcpy(copy.to, copy.from, 16);
            else memset(copy.to, 0, 16);
            if (watching()) on_copy_done(copy);
        }
        current->groups.erase(current->groups.begin());
    }
}
