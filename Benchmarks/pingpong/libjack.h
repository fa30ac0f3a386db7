#pragma once

#include <stddef.h>
#include <stdint.h>

// The JACK declarations that are used here. The library is loaded at run time, so that neither it nor its
// headers are needed to build the package.
// Source: jack/jack.h, jack/types.h and jack/midiport.h of JACK 1.9.

typedef struct JackClient JackClient;
typedef struct JackPort JackPort;
typedef struct {
  uint32_t time;
  size_t size;
  uint8_t *buffer;
} JackMIDIEvent;

enum { JACK_NO_START_SERVER = 1, JACK_USE_EXACT_NAME = 2, JACK_SERVER_NAME = 4 };
enum { JACK_PORT_IS_INPUT = 1, JACK_PORT_IS_OUTPUT = 2 };
#define JACK_AUDIO_TYPE "32 bit float mono audio"
#define JACK_MIDI_TYPE "8 bit raw midi"

#define JACK_FUNCTIONS(FUNCTION)                                                                   \
  FUNCTION(JackClient *, client_open, (const char *name, int options, int *status, ...))           \
  FUNCTION(int, client_close, (JackClient *))                                                      \
  FUNCTION(int, activate, (JackClient *))                                                          \
  FUNCTION(int, set_process_callback, (JackClient *, int (*)(uint32_t frames, void *), void *))    \
  FUNCTION(JackPort *, port_register,                                                              \
           (JackClient *, const char *name, const char *type, unsigned long flags,                 \
            unsigned long size))                                                                   \
  FUNCTION(void *, port_get_buffer, (JackPort *, uint32_t frames))                                 \
  FUNCTION(int, connect, (JackClient *, const char *source, const char *destination))              \
  FUNCTION(void, set_error_function, (void (*)(const char *)))                                     \
  FUNCTION(void, set_info_function, (void (*)(const char *)))                                      \
  FUNCTION(void, midi_clear_buffer, (void *))                                                      \
  FUNCTION(int, midi_event_write, (void *, uint32_t offset, const uint8_t *, size_t))              \
  FUNCTION(uint32_t, midi_get_event_count, (void *))                                               \
  FUNCTION(int, midi_event_get, (JackMIDIEvent *, void *, uint32_t index))

#define FIELD(result, name, parameters) result(*name) parameters;
typedef struct {
  JACK_FUNCTIONS(FIELD)
} JackLibrary;
#undef FIELD

/// Valid after `load_jack`.
extern JackLibrary jack;

/// Ends the process if the library is not installed.
void load_jack(void);
