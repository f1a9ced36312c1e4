// What a kernel computes, counted number by number: exponentials, with what they can be made of,
// and numbers that are rounded, to 16 bits or by what is left of a division. The library takes the exponentials; each is counted
// with the power that its result is made of, which of a masked score comes to nothing where the
// result does not: expm1(-INFINITY) is -1.
#include <cmath>

#include "watch.h"

#define API extern "C" __attribute__((visibility("default"), noinline))
#define COUNTED(name, T, parameters, x, power)                                             \
    API T simt_##name parameters noexcept {                                                \
        const T result = name x;                                                           \
        if (simt::watching()) simt::on_exponential(power, __builtin_return_address(0));    \
        return result;                                                                     \
    }
#define OF_BOTH(name, power) \
    COUNTED(name##f, float, (float x), (x), power) COUNTED(name, double, (double x), (x), power)
OF_BOTH(exp, result) OF_BOTH(exp2, result) OF_BOTH(expm1, std::exp(double(x)))
OF_BOTH(sinh, std::exp(double(x))) OF_BOTH(cosh, std::exp(double(x))) OF_BOTH(tanh, std::exp(2.0 * x))
COUNTED(powf, float, (float x, float y), (x, y), result)
COUNTED(pow, double, (double x, double y), (x, y), result)
COUNTED(ldexpf, float, (float x, int y), (x, y), std::ldexp(1.0, y))

#define REMAINDER(name, T)                                                                         \
    API T simt_##name(T x, T y) noexcept {                                                         \
        const T left = name(x, y);                                                                 \
        if (left != 0 && simt::watching()) simt::on_rounded(x, __builtin_return_address(0));       \
        return left;                                                                               \
    }
REMAINDER(fmodf, float) REMAINDER(fmod, double)

__attribute__((visibility("default"), noinline)) void simt_rounded(float x, float kept) noexcept {
    if (kept != x && simt::watching()) simt::on_rounded(x, __builtin_return_address(0));
}
