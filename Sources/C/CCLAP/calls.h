/// Calls of a host's functions by the render thread, which the host promises to be free of locks. Swift cannot call through
/// a pointer under `@_noLocks`.
#pragma once
#include "events.h"

#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))

/// The number of events of a cycle.
RENDER_THREAD static inline uint32_t cclap_event_count(const clap_input_events_t *list) {
  return list && list->size && list->get ? list->size(list) : 0;
}

/// Returns an event of a cycle, or null.
RENDER_THREAD static inline const clap_event_header_t *cclap_event(const clap_input_events_t *list, uint32_t index) {
  return list->get(list, index);
}

RENDER_THREAD static inline bool cclap_push(const clap_output_events_t *list, const clap_event_header_t *event) {
  return list && list->try_push && list->try_push(list, event);
}

/// Sends a channel message to the host. Returns false if there is no room.
RENDER_THREAD static inline bool cclap_push_midi(const clap_output_events_t *list, uint32_t frame, uint8_t status, uint8_t first,
                                   uint8_t second) {
  clap_event_midi_t event = {{sizeof event, frame, CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_MIDI, 0}, 0, {status, first, second}};
  return cclap_push(list, &event.header);
}

/// Sends a system exclusive message, with F0 and F7, to the host. Returns false if there is no room.
RENDER_THREAD static inline bool cclap_push_sysex(const clap_output_events_t *list, uint32_t frame, const uint8_t *bytes,
                                    uint32_t count) {
  clap_event_midi_sysex_t event = {
      {sizeof event, frame, CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_MIDI_SYSEX, 0}, 0, bytes, count};
  return cclap_push(list, &event.header);
}

/// Sends a parameter's value to the host. Returns false if there is no room.
RENDER_THREAD static inline bool cclap_push_value(const clap_output_events_t *list, clap_id parameter, double value) {
  clap_event_param_value_t event = {
      {sizeof event, 0, CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_PARAM_VALUE, 0}, parameter, 0, -1, -1, -1, -1, value};
  return cclap_push(list, &event.header);
}
