#pragma once
#include <stdint.h>
#include "promise.h"

// Sums of multiples of 2⁻⁴⁰, by the widest vectors that the processor has: the same bits by all. In C,
// for Swift compiles no function for one processor among several.

/// Adds `count` samples to `sums`, each rounded to a multiple of 2⁻⁴⁰: as RenderCore's `FixedPoint.add`.
///
/// Full scale is ±1; each sample's size must be below 2048.
void fixed_point_add(const float *samples, int64_t *sums, long count) RENDER_THREAD;

/// Writes gain_a · a + gain_b · b, each operation rounded to the nearest float.
///
/// `steps`: what to add to each sum, in units in its last place; NULL: nothing.
void weighted_sum(
    const float *a, float gain_a, const float *b, float gain_b, const int8_t *steps, float *sums,
    long count) RENDER_THREAD;
