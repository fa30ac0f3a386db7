#pragma once
#include <CRender.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts what the code of loaded libraries does on a render thread that may block: allocations, locks and system calls.
//
// Calls of functions of the C library are counted by replacing their addresses in the tables through which other libraries call
// them. System calls are counted by Linux' Syscall User Dispatch, which is switched by a byte in the memory of the thread. Neither
// changes what the calls do, and both cost next to nothing outside of a watched section. The replacement cannot be undone: it is for
// processes that exist in order to be watched.

/// What a counted call does.
enum realtime_probe_kind { PROBE_ALLOCATION, PROBE_LOCK, PROBE_SYSTEM_CALL };

/// The number of calls of one function, or of one system call.
struct realtime_probe_figure {
  /// The name of the function or of the system call. Valid for ever.
  const char *_Nonnull name;
  enum realtime_probe_kind kind;
  uint64_t count;
};

/// Replaces the addresses in all libraries that are loaded now, and sets all figures to 0. Threads: one at a time.
void realtime_probe_install(void);

/// Begins a watched section of the calling thread. Sections cannot be nested. The first call of a thread asks the kernel for its
/// system calls.
void realtime_probe_begin(void) RENDER_THREAD;

/// Ends the section.
///
/// Returns whether the section has computed with denormal numbers, if they are not flushed to zero; always false on processors
/// that do not say so.
bool realtime_probe_end(void) RENDER_THREAD;

/// Whether system calls are counted: on amd64, since Linux 5.11, and after a section has begun.
bool realtime_probe_counts_system_calls(void);

/// Whether the processor says that it has computed with denormal numbers.
bool realtime_probe_finds_denormals(void);

/// Writes the figures that are not 0.
///
/// Returns their number, which is at most `capacity`.
size_t realtime_probe_figures(struct realtime_probe_figure *_Nonnull figures, size_t capacity);
