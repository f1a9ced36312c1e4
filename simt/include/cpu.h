// CUDA C++ for g++ and clang++. A block's threads are fibers on one core: each runs until it has to wait for others.
// No system header is used or reachable, as with NVRTC. What is only declared here is defined in runtime/.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __shared__ static __attribute__((aligned(128), used))  // used: never treated as a constant
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict

typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX __FLT_MAX__
#define INT_MAX __INT_MAX__

// Where a thread is.

struct uint3 {
    unsigned x, y, z;
};
typedef uint3 dim3;

__attribute__((const)) uint3 simt_thread_index() noexcept;
__attribute__((const)) uint3 simt_block_index() noexcept;
__attribute__((const)) uint3 simt_block_size() noexcept;
__attribute__((const)) uint3 simt_grid_size() noexcept;
void* simt_dynamic_shared() noexcept;
#define threadIdx simt_thread_index()
#define blockIdx simt_block_index()
#define blockDim simt_block_size()
#define gridDim simt_grid_size()
#define warpSize 32

// Waiting for each other, and exchanging values within a warp.

void __syncthreads();
int __syncthreads_or(int);
int __syncthreads_and(int);
int __syncthreads_count(int);
void __syncwarp(unsigned mask = 0xffffffffu);
unsigned __activemask();
unsigned __ballot_sync(unsigned mask, int predicate);
int __any_sync(unsigned mask, int predicate);
int __all_sync(unsigned mask, int predicate);

#define SIMT_SHUFFLES(T)                                                        \
    T __shfl_sync(unsigned mask, T value, int lane, int width = 32);            \
    T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);   \
    T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32); \
    T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32);
SIMT_SHUFFLES(int)
SIMT_SHUFFLES(unsigned)
SIMT_SHUFFLES(float)
SIMT_SHUFFLES(double)
SIMT_SHUFFLES(long long)

#define SIMT_ATOMICS(T)                       \
    T atomicAdd(T* address, T value);         \
    T atomicMax(T* address, T value);         \
    T atomicMin(T* address, T value);         \
    T atomicExch(T* address, T value);        \
    T atomicCAS(T* address, T was, T value);
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
SIMT_ATOMICS(float)
SIMT_ATOMICS(double)
#undef SIMT_SHUFFLES
#undef SIMT_ATOMICS

inline void __threadfence() {}
inline void __threadfence_block() {}

// Arithmetic.

extern "C" {
int printf(const char*, ...);
float expf(float) noexcept; float exp2f(float) noexcept; float logf(float) noexcept; float log2f(float) noexcept;
float log1pf(float) noexcept; float expm1f(float) noexcept; float sqrtf(float) noexcept; float tanhf(float) noexcept;
float sinf(float) noexcept; float cosf(float) noexcept; float powf(float, float) noexcept; float fabsf(float) noexcept;
float fmaxf(float, float) noexcept; float fminf(float, float) noexcept; float fmaf(float, float, float) noexcept;
float floorf(float) noexcept; float ceilf(float) noexcept; float roundf(float) noexcept; float rintf(float) noexcept;
float fmodf(float, float) noexcept; float erff(float) noexcept;
double exp(double) noexcept; double exp2(double) noexcept; double log(double) noexcept; double log2(double) noexcept;
double sqrt(double) noexcept; double pow(double, double) noexcept; double fabs(double) noexcept;
double fmax(double, double) noexcept; double fmin(double, double) noexcept;
}
#define SIMT_INLINE inline __attribute__((always_inline))
SIMT_INLINE float exp(float x) { return expf(x); }
SIMT_INLINE float exp2(float x) { return exp2f(x); }
SIMT_INLINE float log(float x) { return logf(x); }
SIMT_INLINE float log2(float x) { return log2f(x); }
SIMT_INLINE float sqrt(float x) { return sqrtf(x); }
SIMT_INLINE float fabs(float x) { return fabsf(x); }
SIMT_INLINE float fmax(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE float fmin(float a, float b) { return fminf(a, b); }
SIMT_INLINE float rsqrtf(float x) { return 1 / sqrtf(x); }
SIMT_INLINE float __expf(float x) { return expf(x); }
SIMT_INLINE float __logf(float x) { return logf(x); }
SIMT_INLINE float __log2f(float x) { return log2f(x); }
SIMT_INLINE float __powf(float x, float y) { return powf(x, y); }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __frcp_rn(float x) { return 1 / x; }
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE bool isnan(float x) { return __builtin_isnan(x); }
SIMT_INLINE bool isinf(float x) { return __builtin_isinf(x); }
SIMT_INLINE bool isfinite(float x) { return __builtin_isfinite(x); }
SIMT_INLINE int abs(int x) { return x < 0 ? -x : x; }
SIMT_INLINE int min(int a, int b) { return b < a ? b : a; }
SIMT_INLINE int max(int a, int b) { return a < b ? b : a; }
SIMT_INLINE unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
SIMT_INLINE unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
SIMT_INLINE long long min(long long a, long long b) { return b < a ? b : a; }
SIMT_INLINE long long max(long long a, long long b) { return a < b ? b : a; }
SIMT_INLINE float min(float a, float b) { return fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
SIMT_INLINE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
SIMT_INLINE int __ffs(int x) { return __builtin_ffs(x); }

SIMT_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SIMT_INLINE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SIMT_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SIMT_INLINE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }

template <class T> SIMT_INLINE T __ldg(const T* p) { return *p; }

// Vectors. They are copied through one register, so that what is one access on a GPU is one access here. Constructors
// are constexpr, since nothing would run those of shared memory.

#define SIMT_COPIES(V, T, bytes)                                                                         \
    typedef T Register __attribute__((vector_size(bytes), may_alias));                                   \
    SIMT_INLINE V(const V& v) { *reinterpret_cast<Register*>(this) = reinterpret_cast<const Register&>(v); } \
    SIMT_INLINE V& operator=(const V& v) {                                                               \
        *reinterpret_cast<Register*>(this) = reinterpret_cast<const Register&>(v);                       \
        return *this;                                                                                    \
    }
#define SIMT_VECTORS(T, name)                                                                            \
    struct alignas(2 * sizeof(T)) name##2 {                                                              \
        T x, y;                                                                                          \
        constexpr name##2(T x = 0, T y = 0) : x(x), y(y) {}                                              \
        SIMT_COPIES(name##2, T, 2 * sizeof(T))                                                           \
    };                                                                                                   \
    struct alignas(4 * sizeof(T)) name##4 {                                                              \
        T x, y, z, w;                                                                                    \
        constexpr name##4(T x = 0, T y = 0, T z = 0, T w = 0) : x(x), y(y), z(z), w(w) {}                \
        SIMT_COPIES(name##4, T, 4 * sizeof(T))                                                           \
    };                                                                                                   \
    SIMT_INLINE name##2 make_##name##2(T x, T y) { return name##2(x, y); }                               \
    SIMT_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }
SIMT_VECTORS(float, float)
SIMT_VECTORS(int, int)
SIMT_VECTORS(unsigned, uint)
#undef SIMT_VECTORS
#undef SIMT_COPIES

// 16-bit numbers: conversions round to the nearest, ties to even; arithmetic is that of float, rounded.

SIMT_INLINE float simt_half_to_float(unsigned short h) {
    const float scaled = __uint_as_float((h & 0x7fffu) << 13) * 0x1p112f;
    const unsigned special = (h & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0;
    return __uint_as_float(__float_as_uint(scaled) | special | (h & 0x8000u) << 16);
}

SIMT_INLINE unsigned short simt_float_to_half(float x) {
    const unsigned bits = __float_as_uint(x), sign = bits >> 16 & 0x8000u;
    unsigned f = bits & 0x7fffffffu;
    if (f >= 0x47800000u) return sign | (f > 0x7f800000u ? 0x7fffu : 0x7c00u);
    if (f < 0x38800000u) return sign | (__float_as_uint(__uint_as_float(f) + 0.5f) - 0x3f000000u);  // subnormal
    f += 0xfffu + (f >> 13 & 1);
    return sign | (f - 0x38000000u) >> 13;
}

SIMT_INLINE float simt_bfloat_to_float(unsigned short b) { return __uint_as_float(unsigned(b) << 16); }

SIMT_INLINE unsigned short simt_float_to_bfloat(float x) {
    const unsigned f = __float_as_uint(x);
    return (f & 0x7fffffffu) > 0x7f800000u ? 0x7fff : (f + 0x7fffu + (f >> 16 & 1)) >> 16;
}

#define SIMT_SHORT_FLOAT(T, from, to)                                                                    \
    struct T {                                                                                           \
        unsigned short bits;                                                                             \
        constexpr T() : bits(0) {}                                                                       \
        SIMT_INLINE T(float x) : bits(from(x)) {}                                                        \
        SIMT_INLINE explicit T(double x) : bits(from(float(x))) {}                                       \
        SIMT_INLINE explicit T(int x) : bits(from(float(x))) {}                                          \
        SIMT_INLINE operator float() const { return to(bits); }                                          \
        SIMT_INLINE T& operator+=(T x) { return *this = T(float(*this) + float(x)); }                    \
        SIMT_INLINE T& operator-=(T x) { return *this = T(float(*this) - float(x)); }                    \
        SIMT_INLINE T& operator*=(T x) { return *this = T(float(*this) * float(x)); }                    \
    };                                                                                                   \
    SIMT_INLINE T operator+(T a, T b) { return T(float(a) + float(b)); }                                 \
    SIMT_INLINE T operator-(T a, T b) { return T(float(a) - float(b)); }                                 \
    SIMT_INLINE T operator*(T a, T b) { return T(float(a) * float(b)); }                                 \
    SIMT_INLINE T operator/(T a, T b) { return T(float(a) / float(b)); }                                 \
    SIMT_INLINE T operator-(T a) { return T(-float(a)); }
SIMT_SHORT_FLOAT(__half, simt_float_to_half, simt_half_to_float)
SIMT_SHORT_FLOAT(__nv_bfloat16, simt_float_to_bfloat, simt_bfloat_to_float)
#undef SIMT_SHORT_FLOAT
typedef __half half;

SIMT_INLINE float __half2float(__half x) { return x; }
SIMT_INLINE __half __float2half(float x) { return __half(x); }
SIMT_INLINE __half __float2half_rn(float x) { return __half(x); }
SIMT_INLINE float __bfloat162float(__nv_bfloat16 x) { return x; }
SIMT_INLINE __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
SIMT_INLINE __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }

// The functions of tilewise.cuh.

#ifdef BF16
typedef __nv_bfloat16 element;
#else
typedef __half element;
#endif
SIMT_INLINE float to_float(element x) { return x; }
SIMT_INLINE element to_element(float x) { return element(x); }
SIMT_INLINE unsigned pack(float low, float high) {
    return element(low).bits | unsigned(element(high).bits) << 16;
}

#ifdef BF16
void simt_mma_bfloat(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]);
#define mma_m16n8k16 simt_mma_bfloat
#else
void simt_mma_half(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]);
#define mma_m16n8k16 simt_mma_half
#endif
void ldmatrix_x4(unsigned (&r)[4], const void* row);
void ldmatrix_x4_trans(unsigned (&r)[4], const void* row);
void cp_async(void* to, const void* from, bool valid = true);
void cp_async_commit();
void simt_cp_async_wait(int latest);
template <int N> SIMT_INLINE void cp_async_wait() { simt_cp_async_wait(N); }

// How a launch passes its arguments: as an array of pointers, like the CUDA driver. Not watched.

#define SIMT_UNWATCHED __attribute__((no_sanitize("thread")))
template <class... P> struct simt_types {};
template <size_t... I> struct simt_indices {};
template <size_t N, size_t... I> struct simt_count : simt_count<N - 1, N - 1, I...> {};
template <size_t... I> struct simt_count<0, I...> { typedef simt_indices<I...> type; };
template <class... P, size_t... I>
SIMT_UNWATCHED void simt_call(void (*kernel)(P...), void** arguments, simt_indices<I...>) {
    kernel(*static_cast<P*>(arguments[I])...);
}
template <class... P> SIMT_UNWATCHED void simt_enter(void (*kernel)(P...), void** arguments) {
    simt_call(kernel, arguments, typename simt_count<sizeof...(P)>::type());
}
template <class T> struct simt_kind { static constexpr char value = '?'; };  // no launch can pass it
template <class T> struct simt_kind<T*> { static constexpr char value = 'p'; };
template <> struct simt_kind<int> { static constexpr char value = 'i'; };
template <> struct simt_kind<unsigned> { static constexpr char value = 'i'; };
template <> struct simt_kind<bool> { static constexpr char value = 'b'; };
template <> struct simt_kind<float> { static constexpr char value = 'f'; };
template <class... P> SIMT_INLINE const char* simt_kinds(void (*)(P...)) {
    static const char kinds[] = {simt_kind<P>::value..., 0};
    return kinds;
}
// Follows the text of NAME.cu.
#define SIMT_KERNEL(NAME)                                                                 \
    extern "C" SIMT_UNWATCHED void simt_entry(void** arguments) { simt_enter(NAME, arguments); } \
    extern "C" const char* simt_parameters() { return simt_kinds(NAME); }
