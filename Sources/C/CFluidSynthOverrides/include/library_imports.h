#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Makes libfluidsynth call a function instead of one that it imports, or that it exports and calls itself.
///
/// Changes the import table of that library alone, as the linker fills it when a program defines a function of the name.
/// Unlike that, it works in a plugin, in Python, and whatever libraries the process has loaded before; other libraries
/// are not affected. Users of libfluidsynth elsewhere in the process are, so a replacement must behave as the function
/// does unless the calling thread has asked for something else.
///
/// Returns whether the library imports the function and its table could be changed. On processors other than x86-64 and
/// arm64: false. Realtime: no. Threads: one at a time; the library may run on others.
bool library_import_redirect(const char *name, void *replacement);

/// Finds the addresses of the library's static variables, as a range without its end. Returns whether there are some.
/// Realtime: no. Threads: any.
bool library_variables(uintptr_t *begin, uintptr_t *end);
