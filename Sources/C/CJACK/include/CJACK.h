#pragma once
#include <jack/jack.h>
#include <stdbool.h>

// JACK's library is looked up when it is wanted: a program that never speaks to JACK neither needs it
// nor waits for it, and the one is found that runs, be it JACK's or PipeWire's.

#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))

#define JACK_FUNCTIONS(FUNCTION)                                                                   \
  FUNCTION(activate)                                                                               \
  FUNCTION(client_close)                                                                           \
  FUNCTION(connect)                                                                                \
  FUNCTION(free)                                                                                   \
  FUNCTION(get_buffer_size)                                                                        \
  FUNCTION(get_client_name)                                                                        \
  FUNCTION(get_ports)                                                                              \
  FUNCTION(get_sample_rate)                                                                        \
  FUNCTION(on_info_shutdown)                                                                       \
  FUNCTION(port_get_latency_range)                                                                 \
  FUNCTION(port_name)                                                                              \
  FUNCTION(port_register)                                                                          \
  FUNCTION(set_buffer_size_callback)                                                               \
  FUNCTION(set_latency_callback)                                                                   \
  FUNCTION(set_process_callback)                                                                   \
  FUNCTION(set_sample_rate_callback)                                                               \
  FUNCTION(set_xrun_callback)

/// JACK's functions of these names: `jack_activate` and so on.
struct jack_library {
#define FIELD(name) __typeof__(jack_##name) *_Nonnull name;
  JACK_FUNCTIONS(FIELD)
#undef FIELD
};

/// Loads the library, unless it is loaded. It stays, and prints nothing from then on.
///
/// Returns null when there is none, or one without these functions.
const struct jack_library *_Nullable cjack_load(void);

/// `jack_client_open` without its other arguments: never starts a server.
///
/// `server`: a server's name; null: the usual one.
jack_client_t *_Nullable cjack_open(const char *_Nonnull name, const char *_Nullable server,
                                    jack_status_t *_Nonnull status);

// What the process callback calls; the promise is JACK's.

/// `jack_port_get_buffer`.
float *_Nullable cjack_buffer(jack_port_t *_Nonnull port, jack_nframes_t frames) RENDER_THREAD;

/// Where JACK's time is: `jack_get_cycle_times`.
///
/// `frame`: gets the first frame of the cycle, modulo 2³².
/// `elapsed`: gets the microseconds that have passed since the cycle began.
/// Returns whether JACK knows.
bool cjack_cycle(const jack_client_t *_Nonnull client, uint32_t *_Nonnull frame,
                 int64_t *_Nonnull elapsed) RENDER_THREAD;
