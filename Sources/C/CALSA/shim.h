#pragma once
#include <alsa/asoundlib.h>

// An error handler of alsa-lib that does nothing. It is in C because Swift has no variadic functions of C.
static inline void calsa_say_nothing(const char *file, int line, const char *function, int error,
                                     const char *format, ...) {}

// Keeps alsa-lib from printing errors. Its functions also return them.
static inline void calsa_keep_quiet(void) { snd_lib_error_set_handler(calsa_say_nothing); }
