#pragma once
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/thread.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <stdbool.h>

// JACK's library is loaded when it is needed. A program that does not use JACK neither requires the library nor waits
// for it, and the installed implementation is used, JACK's or PipeWire's.

#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))

#define JACK_FUNCTIONS(FUNCTION)                                                                   \
  FUNCTION(activate)                                                                               \
  FUNCTION(client_close)                                                                           \
  FUNCTION(connect)                                                                                \
  FUNCTION(free)                                                                                   \
  FUNCTION(get_buffer_size)                                                                        \
  FUNCTION(client_real_time_priority)                                                              \
  FUNCTION(get_client_name)                                                                        \
  FUNCTION(get_ports)                                                                              \
  FUNCTION(get_sample_rate)                                                                        \
  FUNCTION(get_uuid_for_client_name)                                                               \
  FUNCTION(on_info_shutdown)                                                                       \
  FUNCTION(on_shutdown)                                                                            \
  FUNCTION(port_by_id)                                                                             \
  FUNCTION(port_by_name)                                                                           \
  FUNCTION(port_get_latency_range)                                                                 \
  FUNCTION(port_name)                                                                              \
  FUNCTION(port_register)                                                                          \
  FUNCTION(port_uuid)                                                                              \
  FUNCTION(remove_property)                                                                        \
  FUNCTION(set_freewheel_callback)                                                                 \
  FUNCTION(set_latency_callback)                                                                   \
  FUNCTION(set_port_connect_callback)                                                              \
  FUNCTION(set_port_registration_callback)                                                         \
  FUNCTION(set_process_callback)                                                                   \
  FUNCTION(set_property)                                                                           \
  FUNCTION(set_sample_rate_callback)                                                               \
  FUNCTION(set_sync_callback)                                                                      \
  FUNCTION(set_timebase_callback)                                                                  \
  FUNCTION(set_xrun_callback)                                                                      \
  FUNCTION(transport_locate)                                                                       \
  FUNCTION(transport_start)                                                                        \
  FUNCTION(transport_stop)                                                                         \
  FUNCTION(uuid_parse)

/// The functions of JACK with these names: `jack_activate` and so on.
struct jack_library {
#define FIELD(name) __typeof__(jack_##name) *_Nonnull name;
  JACK_FUNCTIONS(FIELD)
#undef FIELD
};

/// Loads the library if it is not loaded yet, and disables its messages. It is never unloaded. Thread-safe.
///
/// Returns null if the library is not installed or lacks one of these functions.
const struct jack_library *_Nullable cjack_load(void);

/// Returns how many times `jack_client_open` has freed all clients of this process, because the library believed that their
/// server had ended.
unsigned cjack_cleanups(void);

/// Calls `jack_client_open`. Never starts a server.
///
/// `server`: the name of a server; null: the default server.
jack_client_t *_Nullable cjack_open(const char *_Nonnull name, const char *_Nullable server,
                                    jack_status_t *_Nonnull status);

// Functions for the process callback. JACK promises that they are realtime-safe.

/// Calls `jack_port_get_buffer`. The buffer of a MIDI port is for the functions `cjack_midi_…`.
float *_Nullable cjack_buffer(jack_port_t *_Nonnull port, jack_nframes_t frames) RENDER_THREAD;

/// Returns the time of the current cycle from `jack_get_cycle_times`.
///
/// `frame`: receives the first frame of the cycle, modulo 2³².
/// `elapsed`: receives the microseconds since the beginning of the cycle.
/// Returns false if JACK does not provide the time.
bool cjack_cycle(const jack_client_t *_Nonnull client, uint32_t *_Nonnull frame,
                 int64_t *_Nonnull elapsed) RENDER_THREAD;

/// Calls `jack_midi_get_event_count`.
uint32_t cjack_midi_count(void *_Nonnull buffer) RENDER_THREAD;

/// Calls `jack_midi_event_get`. Returns false if there is no such event.
bool cjack_midi_get(void *_Nonnull buffer, uint32_t index,
                    jack_midi_event_t *_Nonnull event) RENDER_THREAD;

/// Calls `jack_midi_clear_buffer`.
void cjack_midi_clear(void *_Nonnull buffer) RENDER_THREAD;

/// Returns the number of bytes that a buffer has room for, from `jack_midi_max_event_size`.
size_t cjack_midi_room(void *_Nonnull buffer) RENDER_THREAD;

/// Calls `jack_midi_event_reserve`. Returns null if there is no room.
///
/// `frame`: the frame in the cycle, not before that of the previous event.
uint8_t *_Nullable cjack_midi_reserve(void *_Nonnull buffer, jack_nframes_t frame,
                                      size_t size) RENDER_THREAD;

/// Calls `jack_transport_locate`.
void cjack_locate(jack_client_t *_Nonnull client, jack_nframes_t frame) RENDER_THREAD;

/// Returns the transport of the current cycle from `jack_transport_query`.
///
/// `position`: receives the position at the beginning of the cycle.
/// Returns whether the transport rolls.
bool cjack_transport(const jack_client_t *_Nonnull client,
                     jack_position_t *_Nonnull position) RENDER_THREAD;
