#pragma once
#include <stdbool.h>

// The system calls of a thread, by Syscall User Dispatch: while a byte in the memory of the thread says so, each system call raises a
// signal, whose handler counts the call and performs it.

#define SYSTEM_CALL_COUNT 512

/// Begins to watch the calling thread.
void system_calls_watch(void);
/// Ends it.
void system_calls_ignore(void);
/// Whether the kernel has agreed to watch a thread.
bool system_calls_are_watched(void);

/// Called for each system call, in the handler of a signal.
void system_calls_count(long number);
/// The name of a system call. Valid for ever.
const char *system_call_name(long number);
