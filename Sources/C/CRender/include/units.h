#pragma once
#include <stdbool.h>
#include "promise.h"

/// Calls a render unit's procedure.
///
/// The promise is the unit's: Swift can prove a function, but not what a pointer points to.
RENDER_THREAD static inline bool unit_render(
    bool (*_Nonnull procedure)(void *_Nonnull state, const void *_Nonnull cycle),
    void *_Nonnull state, const void *_Nonnull cycle) {
  return procedure(state, cycle);
}
