#pragma once
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts of <alsa/asoundlib.h> for PCM devices and the sequencer.
#include <alsa/global.h>
#include <alsa/input.h>
#include <alsa/output.h>
#include <alsa/error.h>
#include <alsa/conf.h>
#include <alsa/pcm.h>
#include <alsa/timer.h>
#include <alsa/seq_event.h>
#include <alsa/seq.h>
#include <alsa/seqmid.h>

// An error handler of alsa-lib that does nothing. It is in C because Swift has no variadic functions of C.
static inline void calsa_say_nothing(const char *file, int line, const char *function, int error,
                                     const char *format, ...) {}

// Keeps alsa-lib from printing errors. Its functions also return them.
static inline void calsa_keep_quiet(void) { snd_lib_error_set_handler(calsa_say_nothing); }
