#pragma once
#include <stdint.h>
#include "promise.h"

// Sums of multiples of 2⁻⁴⁰, with the widest vectors of the processor. The result is the same bit for bit on all
// processors. These functions are in C because Swift cannot compile a function for several processors.

/// Adds `count` samples to `sums`, each rounded to a multiple of 2⁻⁴⁰, as RenderCore's `FixedPoint.add` does.
///
/// Full scale is ±1; the magnitude of each sample must be below 2048.
void fixed_point_add(const float *samples, int64_t *sums, long count) RENDER_THREAD;

/// Adds `count` samples to `sums`, each rounded to a float first, as `samples_narrow` and `fixed_point_add` do.
void fixed_point_add_narrowed(const double *samples, int64_t *sums, long count) RENDER_THREAD;

/// Rounds `count` samples to floats. Negative zero becomes zero.
void samples_narrow(const double *samples, float *output, long count) RENDER_THREAD;

/// Writes gain_a · a + gain_b · b to `sums`, each operation rounded to the nearest float.
///
/// `steps`: a number of units in the last place to add to each sum; NULL: none.
void weighted_sum(
    const float *a, float gain_a, const float *b, float gain_b, const int8_t *steps, float *sums,
    long count) RENDER_THREAD;
