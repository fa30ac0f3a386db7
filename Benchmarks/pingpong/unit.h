#pragma once

#include "options.h"

#include <stdint.h>
#include <string.h>

/// Renders a channel as a node with an empty unit does.
///
/// The first sample is the cycle's number, so that the host can verify that it has this cycle's audio.
static inline void render_unit(float *channel, uint32_t cycle, const Options *options) {
  if (options->touches) memset(channel, 0, (size_t)options->frames * sizeof *channel);
  channel[0] = (float)cycle;
}

/// Copies a channel as a host does: all frames with `--touch`, otherwise the first sample only.
///
/// - Returns: The number of the cycle in which the channel was rendered.
static inline uint32_t copy_channel(float *output, const float *channel, const Options *options) {
  size_t frames = options->touches ? (size_t)options->frames : 1;
  memcpy(output, channel, frames * sizeof *channel);
  return (uint32_t)output[0];
}
