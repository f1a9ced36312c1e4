// CUDA C++ for g++ and clang++. A block's threads are fibers on one core: each runs until it has to wait for others.
// No system header is used or reachable, as with NVRTC. What is only declared here is defined in runtime/.
#pragma once

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#if defined(__clang__) || __GNUC__ < 10
#define SIMT_CONSTANT
#else
#define SIMT_CONSTANT __constinit  // or g++ would have a thread begin the life of structs
#endif
// Used: never treated as a constant. The tag becomes part of the name in the library, where nothing else tells.
#define __shared__ static SIMT_CONSTANT __attribute__((__aligned__(128), __used__, __abi_tag__("shared")))
#define __align__(n) __attribute__((__aligned__(n)))
#define __forceinline__ inline __attribute__((__always_inline__))
#define __noinline__  // a call by value is watched only within its caller
#define __launch_bounds__(...)
#define __restrict__ __restrict
#ifndef __clang__
#define __builtin_assume(x) ((void)0)
#endif

typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX __FLT_MAX__
constexpr int INT_MAX = __INT_MAX__;

#define SIMT_INLINE inline __attribute__((__always_inline__))

// Vectors. They are copied through one register, so that what is one access on a GPU is one access here. Without a
// value they hold none, as on a GPU; constructors are constexpr, since nothing would run those of shared memory.

#define SIMT_COPIES(V, T, bytes)                                                                         \
    typedef T simt_register __attribute__((vector_size(bytes), may_alias));                                   \
    V() = default;                                                                                       \
    SIMT_INLINE V(const V& v) { *reinterpret_cast<simt_register*>(this) = reinterpret_cast<const simt_register&>(v); } \
    SIMT_INLINE V& operator=(const V& v) {                                                               \
        *reinterpret_cast<simt_register*>(this) = reinterpret_cast<const simt_register&>(v);                       \
        return *this;                                                                                    \
    }
#define SIMT_TWO(T, name)                                                                                \
    struct alignas(2 * sizeof(T)) name##2 {                                                              \
        T x, y;                                                                                          \
        constexpr name##2(T x, T y = 0) : x(x), y(y) {}                                                  \
        SIMT_COPIES(name##2, T, 2 * sizeof(T))                                                           \
    };                                                                                                   \
    SIMT_INLINE name##2 make_##name##2(T x, T y) { return name##2(x, y); }
#define SIMT_VECTORS(T, name)                                                                            \
    SIMT_TWO(T, name)                                                                                    \
    struct name##3 {                                                                                     \
        T x, y, z;                                                                                       \
    };                                                                                                   \
    struct alignas(4 * sizeof(T)) name##4 {                                                              \
        T x, y, z, w;                                                                                    \
        constexpr name##4(T x, T y = 0, T z = 0, T w = 0) : x(x), y(y), z(z), w(w) {}                    \
        SIMT_COPIES(name##4, T, 4 * sizeof(T))                                                           \
    };                                                                                                   \
    SIMT_INLINE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                              \
    SIMT_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return name##4(x, y, z, w); }
SIMT_VECTORS(float, float)
SIMT_VECTORS(int, int)
SIMT_VECTORS(unsigned, uint)
SIMT_VECTORS(short, short)
SIMT_VECTORS(unsigned short, ushort)
SIMT_VECTORS(signed char, char)
SIMT_VECTORS(unsigned char, uchar)
SIMT_TWO(double, double)
SIMT_TWO(long long, longlong)
SIMT_TWO(unsigned long long, ulonglong)
#undef SIMT_VECTORS
#undef SIMT_TWO

// Where a thread is.

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 i) : x(i.x), y(i.y), z(i.z) {}
};

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
SIMT_SHUFFLES(long)
SIMT_SHUFFLES(unsigned long)
SIMT_SHUFFLES(long long)
SIMT_SHUFFLES(unsigned long long)
#undef SIMT_SHUFFLES

#define SIMT_ATOMICS(T)                       \
    T atomicAdd(T* address, T value);         \
    T atomicMax(T* address, T value);         \
    T atomicMin(T* address, T value);         \
    T atomicExch(T* address, T value);        \
    T atomicCAS(T* address, T was, T value);
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
SIMT_ATOMICS(unsigned long long)
SIMT_ATOMICS(float)
SIMT_ATOMICS(double)
#undef SIMT_ATOMICS
#define SIMT_ATOMICS(T)                       \
    T atomicSub(T* address, T value);         \
    T atomicAnd(T* address, T value);         \
    T atomicOr(T* address, T value);          \
    T atomicXor(T* address, T value);
SIMT_ATOMICS(int)
SIMT_ATOMICS(unsigned)
#undef SIMT_ATOMICS
unsigned atomicInc(unsigned* address, unsigned most);
unsigned atomicDec(unsigned* address, unsigned most);

inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}
inline void __trap() { __builtin_trap(); }

// Arithmetic.

extern "C" int printf(const char*, ...) __asm__("simt_printf");
#define SIMT_OF_ONE(name)                                                    \
    extern "C" float name##f(float) noexcept;                                \
    extern "C" double name(double) noexcept;                                 \
    SIMT_INLINE float name(float x) { return name##f(x); }
#define SIMT_OF_TWO(name)                                                    \
    extern "C" float name##f(float, float) noexcept;                         \
    extern "C" double name(double, double) noexcept;                         \
    SIMT_INLINE float name(float x, float y) { return name##f(x, y); }
SIMT_OF_ONE(log) SIMT_OF_ONE(log2) SIMT_OF_ONE(log10)
SIMT_OF_ONE(log1p) SIMT_OF_ONE(sqrt) SIMT_OF_ONE(cbrt) SIMT_OF_ONE(sin) SIMT_OF_ONE(cos) SIMT_OF_ONE(tan)
SIMT_OF_ONE(asin) SIMT_OF_ONE(acos) SIMT_OF_ONE(atan)
SIMT_OF_ONE(erf) SIMT_OF_ONE(erfc) SIMT_OF_ONE(fabs) SIMT_OF_ONE(floor) SIMT_OF_ONE(ceil) SIMT_OF_ONE(round)
SIMT_OF_ONE(rint) SIMT_OF_ONE(nearbyint) SIMT_OF_ONE(trunc)
SIMT_OF_TWO(fmax) SIMT_OF_TWO(fmin) SIMT_OF_TWO(hypot) SIMT_OF_TWO(atan2)
SIMT_OF_TWO(copysign) SIMT_OF_TWO(fdim)
#undef SIMT_OF_ONE
#undef SIMT_OF_TWO
// Powers are counted on their way to the library, and remainders: less its own, a number is rounded. Const: what is
// taken twice in vain is taken once, as on a GPU.
#define SIMT_POWER(name, T, ...) extern "C" T name(__VA_ARGS__) noexcept __asm__("simt_" #name) __attribute__((const));
#define SIMT_POWERS(name)                                                    \
    SIMT_POWER(name##f, float, float)                                        \
    SIMT_POWER(name, double, double)                                         \
    SIMT_INLINE float name(float x) { return name##f(x); }
SIMT_POWERS(exp) SIMT_POWERS(exp2) SIMT_POWERS(expm1) SIMT_POWERS(sinh) SIMT_POWERS(cosh) SIMT_POWERS(tanh)
SIMT_POWER(powf, float, float, float)
SIMT_POWER(pow, double, double, double)
SIMT_POWER(ldexpf, float, float, int)
SIMT_POWER(fmodf, float, float, float)
SIMT_POWER(fmod, double, double, double)
SIMT_INLINE float pow(float x, float y) { return powf(x, y); }
SIMT_INLINE float fmod(float x, float y) { return fmodf(x, y); }
#undef SIMT_POWERS
#undef SIMT_POWER
extern "C" float fmaf(float, float, float) noexcept;
extern "C" double fma(double, double, double) noexcept;
SIMT_INLINE float fma(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE float exp10f(float x) { return powf(10, x); }
SIMT_INLINE float rsqrtf(float x) { return 1 / sqrtf(x); }
SIMT_INLINE float rsqrt(float x) { return 1 / sqrtf(x); }
SIMT_INLINE double rsqrt(double x) { return 1 / sqrt(x); }
// The fast functions are as far off as a GPU's: in powers, logarithms and quotients by as many steps, in sines of what
// is left of the angle after whole turns. So that they differ from the exact ones tells nobody where a kernel runs.
SIMT_INLINE float simt_turned(float x) {
    const float turns = x * 0.15915494f;
    return (turns - rintf(turns)) * 6.2831853f;
}
SIMT_INLINE float __expf(float x) { return exp2f(x * 1.44269504f); }
SIMT_INLINE float __exp10f(float x) { return exp2f(x * 3.32192809f); }
SIMT_INLINE float __log2f(float x) { return log2f(x) * 1.00000012f; }
SIMT_INLINE float __logf(float x) { return log2f(x) * 0.69314718f; }
SIMT_INLINE float __log10f(float x) { return log2f(x) * 0.30103f; }
SIMT_INLINE float __powf(float x, float y) { return exp2f(y * log2f(x)); }
SIMT_INLINE float __sinf(float x) { return sinf(simt_turned(x)); }
SIMT_INLINE float __cosf(float x) { return cosf(simt_turned(x)); }
SIMT_INLINE float __fdividef(float a, float b) { return a * (1 / b); }
SIMT_INLINE float fdividef(float a, float b) { return __fdividef(a, b); }
SIMT_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMT_INLINE float __fsub_rn(float a, float b) { return a - b; }
SIMT_INLINE float __fmul_rn(float a, float b) { return a * b; }
SIMT_INLINE float __fdiv_rn(float a, float b) { return a / b; }
SIMT_INLINE float __frcp_rn(float x) { return 1 / x; }
SIMT_INLINE float __fsqrt_rn(float x) { return sqrtf(x); }
SIMT_INLINE float __frsqrt_rn(float x) { return 1 / sqrtf(x); }
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SIMT_INLINE float __saturatef(float x) { return x > 0 ? fminf(x, 1) : 0; }
SIMT_INLINE bool isnan(float x) { return __builtin_isnan(x); }
SIMT_INLINE bool isinf(float x) { return __builtin_isinf(x); }
SIMT_INLINE bool isfinite(float x) { return __builtin_isfinite(x); }
SIMT_INLINE bool isnan(double x) { return __builtin_isnan(x); }
SIMT_INLINE bool isinf(double x) { return __builtin_isinf(x); }
SIMT_INLINE bool isfinite(double x) { return __builtin_isfinite(x); }
SIMT_INLINE bool signbit(float x) { return __builtin_signbit(x); }
SIMT_INLINE int abs(int x) { return x < 0 ? -x : x; }
SIMT_INLINE long long abs(long long x) { return x < 0 ? -x : x; }
SIMT_INLINE float abs(float x) { return fabsf(x); }
SIMT_INLINE double abs(double x) { return fabs(x); }
#define SIMT_MIN_MAX(R, A, B)                                                \
    SIMT_INLINE R min(A a, B b) { return (R)b < (R)a ? (R)b : (R)a; }        \
    SIMT_INLINE R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
#define SIMT_MIN_MAX_OF(T)                                                   \
    SIMT_MIN_MAX(T, T, T)                                                    \
    SIMT_MIN_MAX(unsigned T, unsigned T, unsigned T)                         \
    SIMT_MIN_MAX(unsigned T, T, unsigned T)                                  \
    SIMT_MIN_MAX(unsigned T, unsigned T, T)
SIMT_MIN_MAX_OF(int) SIMT_MIN_MAX_OF(long) SIMT_MIN_MAX_OF(long long)
#undef SIMT_MIN_MAX_OF
#undef SIMT_MIN_MAX
SIMT_INLINE float min(float a, float b) { return fminf(a, b); }
SIMT_INLINE float max(float a, float b) { return fmaxf(a, b); }
SIMT_INLINE double min(double a, double b) { return fmin(a, b); }
SIMT_INLINE double max(double a, double b) { return fmax(a, b); }
SIMT_INLINE int __popcll(unsigned long long x) {
    int ones = 0;
    for (; x; x &= x - 1) ones++;
    return ones;
}
SIMT_INLINE int __popc(unsigned x) { return __popcll(x); }
SIMT_INLINE int __clz(int x) { return x ? __builtin_clz(x) : 32; }
SIMT_INLINE int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
SIMT_INLINE int __ffs(int x) { return __builtin_ffs(x); }
SIMT_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMT_INLINE int __mul24(int a, int b) { return a * b; }
SIMT_INLINE int __mulhi(int a, int b) { return (long long)a * b >> 32; }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
SIMT_INLINE unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++) reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}

SIMT_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SIMT_INLINE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SIMT_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SIMT_INLINE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
SIMT_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SIMT_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SIMT_INLINE int __float2int_rn(float x) { return int(rintf(x)); }
SIMT_INLINE int __float2int_rz(float x) { return int(x); }
SIMT_INLINE int __float2int_rd(float x) { return int(floorf(x)); }
SIMT_INLINE int __float2int_ru(float x) { return int(ceilf(x)); }
SIMT_INLINE float __int2float_rn(int x) { return x; }
SIMT_INLINE float __uint2float_rn(unsigned x) { return x; }
SIMT_INLINE float __double2float_rn(double x) { return x; }

// Loads and stores that say which cache to use.
template <class T> struct simt_same { typedef T type; };  // T is that of the pointer alone
#define SIMT_CACHED(load, store)                                             \
    template <class T> SIMT_INLINE T load(const T* p) { return *p; }         \
    template <class T> SIMT_INLINE void store(T* p, const typename simt_same<T>::type& x) { *p = x; }
SIMT_CACHED(__ldca, __stwb)
SIMT_CACHED(__ldcg, __stcg)
SIMT_CACHED(__ldcs, __stcs)
SIMT_CACHED(__ldcv, __stwt)
#undef SIMT_CACHED
template <class T> SIMT_INLINE T __ldg(const T* p) { return *p; }
template <class T> SIMT_INLINE T __ldlu(const T* p) { return *p; }

// Sums, maxima and so on over the lanes of a mask.
#define SIMT_REDUCED(name, T, change)                                        \
    SIMT_INLINE T name(unsigned mask, T x) {                                 \
        T all = __shfl_sync(mask, x, __builtin_ctz(mask));                   \
        for (unsigned left = mask & (mask - 1); left; left &= left - 1) {    \
            const T next = __shfl_sync(mask, x, __builtin_ctz(left));        \
            all = change;                                                    \
        }                                                                    \
        return all;                                                          \
    }
SIMT_REDUCED(__reduce_add_sync, int, all + next)
SIMT_REDUCED(__reduce_add_sync, unsigned, all + next)
SIMT_REDUCED(__reduce_min_sync, int, min(all, next))
SIMT_REDUCED(__reduce_min_sync, unsigned, min(all, next))
SIMT_REDUCED(__reduce_max_sync, int, max(all, next))
SIMT_REDUCED(__reduce_max_sync, unsigned, max(all, next))
#undef SIMT_REDUCED

// 16-bit numbers: conversions round to the nearest, ties to even; arithmetic is that of float, rounded.

void simt_rounded(float x, float kept) noexcept;  // counted: what a conversion to 16 bits has changed

SIMT_INLINE float simt_half_to_float(unsigned short h) {
    const float scaled = __uint_as_float((h & 0x7fffu) << 13) * 0x1p112f;
    const unsigned special = ((h & 0x7c00u) == 0x7c00u) * 0x7f800000u;  // a branch would be watched
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

// What CUDA's have under no name, or another, is private, so that no template tells the two apart by it.
#define SIMT_SHORT_FLOAT(T, from, to)                                                                    \
    class T {                                                                                            \
        unsigned short bits;                                                                             \
        friend struct simt_bits;                                                                         \
                                                                                                         \
    public:                                                                                              \
        T() = default;                                                                                   \
        SIMT_INLINE T(float x) : bits(from(x)) { simt_rounded(x, to(bits)); }                            \
        SIMT_INLINE explicit T(double x) : T(float(x)) {}                                                \
        SIMT_INLINE explicit T(int x) : T(float(x)) {}                                                   \
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
struct simt_bits {  // those of a number of either kind
    template <class T> SIMT_INLINE static unsigned short of(T a) { return a.bits; }
    template <class T> SIMT_INLINE static T with(unsigned short bits) {
        T a;
        a.bits = bits;
        return a;
    }
};
SIMT_SHORT_FLOAT(__half, simt_float_to_half, simt_half_to_float)
SIMT_SHORT_FLOAT(__nv_bfloat16, simt_float_to_bfloat, simt_bfloat_to_float)
#undef SIMT_SHORT_FLOAT
typedef __half half;
typedef __nv_bfloat16 nv_bfloat16;

// What both kinds have; `number` is what CUDA calls them within the names of its functions.
#define SIMT_SHORT_FUNCTIONS(T, T2, number)                                                              \
    struct alignas(4) T2 {                                                                               \
        T x, y;                                                                                          \
        SIMT_INLINE T2(T x, T y) : x(x), y(y) {}                                                         \
        SIMT_COPIES(T2, unsigned short, 4)                                                               \
    };                                                                                                   \
    SIMT_INLINE float __##number##2float(T a) { return a; }                                              \
    SIMT_INLINE T __float2##number(float a) { return T(a); }                                             \
    SIMT_INLINE T __float2##number##_rn(float a) { return T(a); }                                        \
    SIMT_INLINE T __int2##number##_rn(int a) { return T(float(a)); }                                     \
    SIMT_INLINE unsigned short __##number##_as_ushort(T a) { return simt_bits::of(a); }                  \
    SIMT_INLINE T __ushort_as_##number(unsigned short a) { return simt_bits::with<T>(a); }              \
    SIMT_INLINE T __hadd(T a, T b) { return a + b; }                                                     \
    SIMT_INLINE T __hsub(T a, T b) { return a - b; }                                                     \
    SIMT_INLINE T __hmul(T a, T b) { return a * b; }                                                     \
    SIMT_INLINE T __hdiv(T a, T b) { return a / b; }                                                     \
    SIMT_INLINE T __hfma(T a, T b, T c) { return T(fmaf(a, b, c)); }                                     \
    SIMT_INLINE T __hneg(T a) { return -a; }                                                             \
    SIMT_INLINE T __habs(T a) { return T(fabsf(a)); }                                                    \
    SIMT_INLINE T __hmax(T a, T b) { return T(fmaxf(a, b)); }                                            \
    SIMT_INLINE T __hmin(T a, T b) { return T(fminf(a, b)); }                                            \
    SIMT_INLINE bool __hlt(T a, T b) { return float(a) < float(b); }                                     \
    SIMT_INLINE bool __hgt(T a, T b) { return float(a) > float(b); }                                     \
    SIMT_INLINE bool __heq(T a, T b) { return float(a) == float(b); }                                    \
    SIMT_INLINE bool __hisnan(T a) { return isnan(float(a)); }                                           \
    SIMT_INLINE T hexp(T a) { return T(expf(a)); }                                                       \
    SIMT_INLINE T hexp2(T a) { return T(exp2f(a)); }                                                     \
    SIMT_INLINE T hlog(T a) { return T(logf(a)); }                                                       \
    SIMT_INLINE T hsqrt(T a) { return T(sqrtf(a)); }                                                     \
    SIMT_INLINE T hrcp(T a) { return T(1 / float(a)); }                                                  \
    SIMT_INLINE T2 make_##number##2(T a, T b) { return T2(a, b); }                                       \
    SIMT_INLINE T2 __halves2##number##2(T a, T b) { return T2(a, b); }                                   \
    SIMT_INLINE T2 __##number##2##number##2(T a) { return T2(a, a); }                                    \
    SIMT_INLINE T2 __float2##number##2_rn(float a) { return T2(T(a), T(a)); }                            \
    SIMT_INLINE T2 __floats2##number##2_rn(float a, float b) { return T2(T(a), T(b)); }                  \
    SIMT_INLINE T2 __float22##number##2_rn(float2 a) { return T2(T(a.x), T(a.y)); }                      \
    SIMT_INLINE float2 __##number##22float2(T2 a) { return float2(a.x, a.y); }                           \
    SIMT_INLINE T __low2##number(T2 a) { return a.x; }                                                   \
    SIMT_INLINE T __high2##number(T2 a) { return a.y; }                                                  \
    SIMT_INLINE float __low2float(T2 a) { return a.x; }                                                  \
    SIMT_INLINE float __high2float(T2 a) { return a.y; }                                                 \
    SIMT_INLINE T2 __hadd2(T2 a, T2 b) { return T2(a.x + b.x, a.y + b.y); }                              \
    SIMT_INLINE T2 __hsub2(T2 a, T2 b) { return T2(a.x - b.x, a.y - b.y); }                              \
    SIMT_INLINE T2 __hmul2(T2 a, T2 b) { return T2(a.x * b.x, a.y * b.y); }                              \
    SIMT_INLINE T2 __hfma2(T2 a, T2 b, T2 c) { return T2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); } \
    SIMT_INLINE T2 __hmax2(T2 a, T2 b) { return T2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }                \
    SIMT_INLINE T2 __hmin2(T2 a, T2 b) { return T2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }                \
    SIMT_INLINE T2 operator+(T2 a, T2 b) { return __hadd2(a, b); }                                       \
    SIMT_INLINE T2 operator-(T2 a, T2 b) { return __hsub2(a, b); }                                       \
    SIMT_INLINE T2 operator*(T2 a, T2 b) { return __hmul2(a, b); }                                       \
    SIMT_SHUFFLED(T, unsigned short)                                                                     \
    SIMT_SHUFFLED(T2, unsigned)
#define SIMT_SHUFFLED_BY(name, T, As, by)                                                                \
    SIMT_INLINE T name(unsigned mask, T value, by, int width = 32) {                                     \
        *(As*)&value = name(mask, unsigned(*(As*)&value), other, width);                                 \
        return value;                                                                                    \
    }
#define SIMT_SHUFFLED(T, As)                                                                             \
    SIMT_SHUFFLED_BY(__shfl_sync, T, As, int other)                                                      \
    SIMT_SHUFFLED_BY(__shfl_up_sync, T, As, unsigned other)                                              \
    SIMT_SHUFFLED_BY(__shfl_down_sync, T, As, unsigned other)                                            \
    SIMT_SHUFFLED_BY(__shfl_xor_sync, T, As, int other)
SIMT_SHORT_FUNCTIONS(__half, __half2, half)
SIMT_SHORT_FUNCTIONS(__nv_bfloat16, __nv_bfloat162, bfloat16)
#undef SIMT_SHORT_FUNCTIONS
#undef SIMT_SHUFFLED
#undef SIMT_SHUFFLED_BY
#undef SIMT_COPIES
typedef __half2 half2;
typedef __nv_bfloat162 nv_bfloat162;

// The functions of tilewise.cuh.

#ifdef BF16
typedef __nv_bfloat16 element;
#else
typedef __half element;
#endif
SIMT_INLINE float to_float(element x) { return x; }
SIMT_INLINE element to_element(float x) { return element(x); }
SIMT_INLINE unsigned pack(float low, float high) {
    return simt_bits::of(element(low)) | unsigned(simt_bits::of(element(high))) << 16;
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

#define SIMT_UNWATCHED __attribute__((__no_sanitize__("thread")))
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
