#pragma once
/// Marks what a render thread may call: it neither allocates nor locks, and blocks only where it says so.
/// The Swift compiler believes it; RealtimeSanitizer checks it.
#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))
