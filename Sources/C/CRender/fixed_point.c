#include "fixed_point.h"
#include <string.h>

// A fused multiply-add rounds once, while processors without it round twice.
#pragma STDC FP_CONTRACT OFF

// Adding 3 · 2¹¹ to a sample makes the lowest bit of the sum worth 2⁻⁴⁰; see `FixedPoint`.
static inline __attribute__((always_inline)) int64_t fixed(double sample) {
  const double mover = 6144.0;
  double moved = sample + mover;
  int64_t origin, bits;
  memcpy(&origin, &mover, sizeof origin);
  memcpy(&bits, &moved, sizeof bits);
  return bits - origin;
}

static inline __attribute__((always_inline)) void add(
    const float *samples, int64_t *sums, long count) {
  for (long i = 0; i < count; i++) sums[i] += fixed(samples[i]);
}

// As `narrow` and then `add`.
static inline __attribute__((always_inline)) void add_narrowed(
    const double *samples, int64_t *sums, long count) {
  for (long i = 0; i < count; i++) sums[i] += fixed((float)samples[i]);
}

static inline __attribute__((always_inline)) void narrow(
    const double *samples, float *restrict output, long count) {
  // Zero is added as in the library, which adds to an output of zeroes: −0 becomes 0.
  for (long i = 0; i < count; i++) output[i] = (float)samples[i] + 0.0f;
}

static inline __attribute__((always_inline)) void weigh(
    const float *a, float gain_a, const float *b, float gain_b, const int8_t *steps,
    float *restrict sums, long count) {
  if (!steps) {
    for (long i = 0; i < count; i++) sums[i] = gain_a * a[i] + gain_b * b[i];
    return;
  }
  for (long i = 0; i < count; i++) {
    float sum = gain_a * a[i] + gain_b * b[i];
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    bits += (uint32_t)(int32_t)steps[i];
    memcpy(&sums[i], &bits, sizeof bits);
  }
}

struct kernels {
  void (*add)(const float *, int64_t *, long);
  void (*add_narrowed)(const double *, int64_t *, long);
  void (*narrow)(const double *, float *, long);
  void (*weigh)(const float *, float, const float *, float, const int8_t *, float *, long);
};

#define KERNELS(name, attribute)                                                                  \
  attribute static void add_##name(const float *samples, int64_t *sums, long count) {             \
    add(samples, sums, count);                                                                    \
  }                                                                                               \
  attribute static void add_narrowed_##name(const double *samples, int64_t *sums, long count) {   \
    add_narrowed(samples, sums, count);                                                           \
  }                                                                                               \
  attribute static void narrow_##name(const double *samples, float *output, long count) {         \
    narrow(samples, output, count);                                                               \
  }                                                                                               \
  attribute static void weigh_##name(                                                             \
      const float *a, float gain_a, const float *b, float gain_b, const int8_t *steps,            \
      float *sums, long count) {                                                                  \
    weigh(a, gain_a, b, gain_b, steps, sums, count);                                              \
  }                                                                                               \
  static const struct kernels name = {                               \
      add_##name, add_narrowed_##name, narrow_##name, weigh_##name};

KERNELS(plain, )
static const struct kernels *chosen = &plain;

#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
KERNELS(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw"))))

__attribute__((constructor)) static void choose(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2")) chosen = &avx2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
      && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    chosen = &avx512;
}
#endif

void fixed_point_add(const float *samples, int64_t *sums, long count) {
  chosen->add(samples, sums, count);
}

void fixed_point_add_narrowed(const double *samples, int64_t *sums, long count) {
  chosen->add_narrowed(samples, sums, count);
}

void samples_narrow(const double *samples, float *output, long count) {
  chosen->narrow(samples, output, count);
}

void weighted_sum(
    const float *a, float gain_a, const float *b, float gain_b, const int8_t *steps, float *sums,
    long count) {
  chosen->weigh(a, gain_a, b, gain_b, steps, sums, count);
}
