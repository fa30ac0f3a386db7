#pragma once
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The part of <alsa/asoundlib.h> that plays sound. The sequencer is CALSA's: a declaration that two modules
// had would be only one's for Swift, and not always the same one's.
#include <alsa/global.h>
#include <alsa/input.h>
#include <alsa/output.h>
#include <alsa/error.h>
#include <alsa/conf.h>
#include <alsa/pcm.h>

// Swift has no functions that take any number of arguments, as alsa-lib's error handler does.
static inline void calsapcm_say_nothing(const char *file, int line, const char *function, int error,
                                        const char *format, ...) {}

// Keeps alsa-lib from printing errors; what fails says so by what it returns as well.
static inline void calsapcm_keep_quiet(void) { snd_lib_error_set_handler(calsapcm_say_nothing); }
