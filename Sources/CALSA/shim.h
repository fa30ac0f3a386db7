#pragma once
#include <alsa/asoundlib.h>

// Swift has no functions that take any number of arguments, as alsa-lib's error handler does.
static inline void calsa_say_nothing(const char *file, int line, const char *function, int error,
                                     const char *format, ...) {}

// Keeps alsa-lib from printing errors; what fails says so by what it returns as well.
static inline void calsa_keep_quiet(void) { snd_lib_error_set_handler(calsa_say_nothing); }
