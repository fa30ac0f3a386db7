#pragma once
#include <stdbool.h>

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
