// mma, ldmatrix and cp_async as a warp of a GPU does them; the layouts are those of the PTX manual (see tilewise.cuh).
#include "watch.h"

using namespace simt;

#define HERE __builtin_return_address(0)
#define API __attribute__((visibility("default"), noinline))

namespace {

float from_half(uint16_t h) {
    const uint32_t magnitude = (h & 0x7fffu) << 13, sign = uint32_t(h & 0x8000) << 16;
    float x;
    memcpy(&x, &magnitude, 4);
    x *= 0x1p112f;
    uint32_t bits;
    memcpy(&bits, &x, 4);
    bits |= sign | ((h & 0x7c00) == 0x7c00 ? 0x7f800000u : 0);
    memcpy(&x, &bits, 4);
    return x;
}

float from_bfloat(uint16_t b) {
    const uint32_t bits = uint32_t(b) << 16;
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

struct Operands {
    float* d;
    const unsigned *a, *b;
    void* place;
};

// Whether a matrix of 8 x 8 holds one number throughout, and whether that is zero.
struct Throughout {
    bool same = true, zero = true;
    template <size_t rows> Throughout(const float (&x)[rows][16], int first, int left) {
        for (int row = first; row < first + 8; row++)
            for (int k = left; k < left + 8; k++) {
                same &= x[row][k] == x[first][left];
                zero &= x[row][k] == 0;
            }
    }
};

// Of the four products of 8 x 8 and 8 x 8 that a product is made of, those that say something: neither matrix is all
// zeros, as where a tile is padded, and not both hold one number throughout.
int used_quarters(const float (&A)[16][16], const float (&B)[8][16]) {
    int used = 0;
    for (int k = 0; k < 16; k += 8) {
        const Throughout b(B, 0, k);
        for (int row = 0; row < 16; row += 8) {
            const Throughout a(A, row, k);
            used += !a.zero && !b.zero && !(a.same && b.same);
        }
    }
    return used;
}

template <float convert(uint16_t)> void mma(Lane** warp, unsigned) {
    float A[16][16], B[8][16];  // B by columns
    for (int i = 0; i < WARP; i++) {
        const Operands& o = *static_cast<Operands*>(warp[i]->collective->data);
        const int g = i / 4, t = i % 4;
        for (int r = 0; r < 4; r++)
            for (int j = 0; j < 2; j++) A[g + r % 2 * 8][2 * t + r / 2 * 8 + j] = convert(o.a[r] >> 16 * j);
        for (int r = 0; r < 2; r++)
            for (int j = 0; j < 2; j++) B[g][2 * t + r * 8 + j] = convert(o.b[r] >> 16 * j);
    }
    if (watching()) on_used(used_quarters(A, B) * WARP / 4, warp, static_cast<Operands*>(warp[0]->collective->data)->place);
    for (int i = 0; i < WARP; i++) {
        float* d = static_cast<Operands*>(warp[i]->collective->data)->d;
        const int g = i / 4, t = i % 4;
        for (int r = 0; r < 4; r++) {
            const float *row = A[g + r / 2 * 8], *column = B[2 * t + r % 2];
            float sum = 0;
            for (int k = 0; k < 16; k++) sum += row[k] * column[k];
            d[r] += launch.products * sum;
        }
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

void read_row(const void* row, void* place) {
    must_be_aligned(row, 16, place);
    if (watching()) on_access(row, 16, false, place);
}

// What is passed by reference and lies in no variable of the thread's own is loaded for it, or stored, as on a GPU.
template <class T, size_t n> void touch(T (&numbers)[n], bool write, void* place) {
    if (!watching()) return;
    for (T& number : numbers) on_access(&number, sizeof number, write, place);
}

constexpr unsigned ALL = 0xffffffffu;

template <float convert(uint16_t)>
void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2], void* place) {
    if (watching()) on_multiplied();
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

// A copy is done as late as possible: when its thread waits for it. Until then its target holds NaN.
API void cp_async(void* to, const void* from, bool valid) {
    must_be_aligned(to, 16, HERE);
    if (valid) must_be_aligned(from, 16, HERE);
    const Copy copy{to, HERE, from, valid, launch.multiplied};
    if (watching()) on_copy_started(copy);
    memset(to, 0xff, 16);
    current->copies.push_back(copy);
    current->under_way += valid;
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
            current->under_way -= copy.valid;
            if (watching()) on_copy_done(copy);
        }
        current->groups.erase(current->groups.begin());
    }
}
