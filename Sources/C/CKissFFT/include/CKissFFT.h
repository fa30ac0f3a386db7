#pragma once
#include <kissfft/kiss_fft.h>

// The library is looked up when a picture is wanted, as those for drawing are: not every system that can
// render has it.

/// The functions that are used. `kiss_fft_free` is a macro, and stands for `free`.
struct transform_library {
  __typeof__(kiss_fft_alloc) *_Nonnull kiss_fft_alloc;
  __typeof__(kiss_fft) *_Nonnull kiss_fft;
};

/// Loads the library, unless it is loaded. It stays.
///
/// Returns null when it is missing, or lacks a function. Thread-safe.
const struct transform_library *_Nullable ckissfft_load(void);
