// What the course's kernels use beyond plain CUDA C++: 16-bit numbers under one name, and the instructions behind
// tensor cores and asynchronous copies. On a GPU these are PTX; without one, cpu.h has the same functions.
//
// Define BF16 for __nv_bfloat16 in place of __half.
#pragma once

#ifdef __CUDACC__

#ifdef __CUDACC_RTC__  // which comes without math.h and stdint.h
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define FLT_MAX __int_as_float(0x7f7fffff)
#define INT_MAX 2147483647
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
typedef long long intptr_t;
#endif

#ifdef BF16
#include <cuda_bf16.h>
typedef __nv_bfloat16 element;
__device__ __forceinline__ float to_float(element x) { return __bfloat162float(x); }
__device__ __forceinline__ element to_element(float x) { return __float2bfloat16_rn(x); }
#define TILEWISE_TYPE "bf16"
#else
#include <cuda_fp16.h>
typedef __half element;
__device__ __forceinline__ float to_float(element x) { return __half2float(x); }
__device__ __forceinline__ element to_element(float x) { return __float2half_rn(x); }
#define TILEWISE_TYPE "f16"
#endif

// Two numbers as one register of two elements; `low` lies first in memory.
__device__ __forceinline__ unsigned pack(float low, float high) {
    unsigned both;
    asm("cvt.rn." TILEWISE_TYPE "x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

// D += A B on tensor cores, by one warp: A is 16 x 16, B 16 x 8, D 16 x 8 in float.
// With g = lane / 4 and t = lane % 4 a lane holds
//   a[0] = A[g][2t, 2t+1]    a[1] = A[g+8][2t, 2t+1]    a[2] = A[g][2t+8, 2t+9]    a[3] = A[g+8][2t+8, 2t+9]
//   b[0] = B[2t, 2t+1][g]    b[1] = B[2t+8, 2t+9][g]
//   d[0], d[1] = D[g][2t, 2t+1]    d[2], d[3] = D[g+8][2t, 2t+1]
__device__ __forceinline__ void mma_m16n8k16(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." TILEWISE_TYPE "." TILEWISE_TYPE ".f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ __forceinline__ unsigned shared_address(const void* p) { return __cvta_generic_to_shared(p); }

// Four 8 x 8 matrices of elements from shared memory. Lane i gives the address of row i % 8 (16 bytes, aligned) of
// matrix i / 8. Afterwards r[m] of a lane holds elements 2t, 2t+1 of row g of matrix m; with _trans, of its transpose.
__device__ __forceinline__ void ldmatrix_x4(unsigned (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}

__device__ __forceinline__ void ldmatrix_x4_trans(unsigned (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(row)) : "memory");
}

// Start copying 16 bytes from global to shared memory; if `valid` is false, write zeros and do not read `from`.
__device__ __forceinline__ void cp_async(void* to, const void* from, bool valid = true) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :: "r"(shared_address(to)), "l"(from), "r"(valid ? 16 : 0) : "memory");
}

// The copies that this thread has started since the last commit become one group.
__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Wait until at most N of this thread's latest groups are still under way.
template <int N> __device__ __forceinline__ void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory");
}

#else
#include "cpu.h"
#endif
