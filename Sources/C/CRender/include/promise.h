#pragma once
/// Marks a function that a render thread may call: it neither allocates nor locks, and blocks only if its comment says
/// so. The Swift compiler trusts the mark; RealtimeSanitizer checks it.
#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))
