// Constants of the standard headers, for whoever includes one of these: neither NVRTC nor the
// CPU's compiler is given any. Functions and types are those of CUDA, without a GPU of cpu.h.
#pragma once
#include "tilewise.cuh"

#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LLONG_MAX
#define INT64_MIN LLONG_MIN
#define UINT64_MAX ULLONG_MAX

#define FLT_MIN 1.17549435e-38f
#define FLT_EPSILON 1.1920929e-07f
#define HUGE_VALF INFINITY
#define M_E 2.718281828459045
#define M_LN2 0.6931471805599453
#define M_LOG2E 1.4426950408889634
#define M_PI 3.141592653589793

#undef assert  // what it says is not looked at, as where NDEBUG is defined
#define assert(condition) static_cast<void>(0)
