#pragma once

#include "options.h"

#include <stdint.h>
#include <string.h>

/// What a node with an empty unit does in a cycle, and what its host does with the answer.
///
/// The cycle's number is the first sample of each channel, so that the host can tell that it has
/// this cycle's audio.
static inline void render_unit(float *channel, uint32_t cycle, const Options *options) {
  if (options->touches) memset(channel, 0, (size_t)options->frames * sizeof *channel);
  channel[0] = (float)cycle;
}

/// - Returns: The number of the cycle in which the channel was rendered.
static inline uint32_t take_channel(float *output, const float *channel, const Options *options) {
  size_t frames = options->touches ? (size_t)options->frames : 1;
  memcpy(output, channel, frames * sizeof *channel);
  return (uint32_t)output[0];
}
