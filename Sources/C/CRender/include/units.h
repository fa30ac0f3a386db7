#pragma once
#include <stdbool.h>
#include "promise.h"

/// Calls a render unit's procedure.
///
/// The promise is that of the unit: Swift can check a function, but not the target of a function pointer.
RENDER_THREAD static inline bool unit_render(
    bool (*_Nonnull procedure)(void *_Nonnull state, const void *_Nonnull cycle),
    void *_Nonnull state, const void *_Nonnull cycle) {
  return procedure(state, cycle);
}
