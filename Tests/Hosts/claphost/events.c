// Lists of events.
#include "claphost.h"

clap_event_header_t header(uint16_t type, uint32_t size, uint32_t frame) {
  return (clap_event_header_t){size, frame, CLAP_CORE_EVENT_SPACE_ID, type, 0};
}

void add_event(Events *events, const void *event) {
  const clap_event_header_t *new_one = event;
  expect(events->count < EVENTS, "a check has too many events");
  // Memory of exactly this size shows valgrind what reads beyond it.
  clap_event_header_t *copy = malloc(new_one->size);
  memcpy(copy, event, new_one->size);
  uint32_t index = events->count++;
  for (; index > 0 && events->list[index - 1]->time > copy->time; index--)
    events->list[index] = events->list[index - 1];
  events->list[index] = copy;
}

void clear_events(Events *events) {
  for (uint32_t i = 0; i < events->count; i++) free(events->list[i]);
  events->count = 0;
}

static uint32_t size_of_list(const clap_input_events_t *list) { return ((const Events *)list->ctx)->count; }

static const clap_event_header_t *event_of_list(const clap_input_events_t *list, uint32_t index) {
  const Events *events = list->ctx;
  expect(index < events->count, "the plugin asks for event %u of %u", index, events->count);
  return events->list[index];
}

clap_input_events_t input_list(const Events *events) {
  return (clap_input_events_t){(void *)events, size_of_list, event_of_list};
}

void add_note(Events *events, uint32_t frame, uint16_t type, int key, int channel, int32_t note_id, double velocity) {
  clap_event_note_t note = {.header = header(type, sizeof note, frame),
                            .note_id = note_id,
                            .port_index = (int16_t)(type == CLAP_EVENT_NOTE_ON || key >= 0 ? 0 : -1),
                            .channel = (int16_t)channel,
                            .key = (int16_t)key,
                            .velocity = velocity};
  add_event(events, &note);
}

void add_midi(Events *events, uint32_t frame, uint8_t status, uint8_t data1, uint8_t data2) {
  clap_event_midi_t midi = {.header = header(CLAP_EVENT_MIDI, sizeof midi, frame), .data = {status, data1, data2}};
  add_event(events, &midi);
}

void add_value(Events *events, uint32_t frame, clap_id parameter, void *cookie, double value) {
  clap_event_param_value_t event = {.header = header(CLAP_EVENT_PARAM_VALUE, sizeof event, frame),
                                    .param_id = parameter,
                                    .cookie = cookie,
                                    .note_id = -1,
                                    .port_index = -1,
                                    .channel = -1,
                                    .key = -1,
                                    .value = value};
  add_event(events, &event);
}

clap_event_transport_t random_transport(void) {
  double beats = chance_between(-4, 1000), tempo = chance_between(20, 300), seconds = beats * 60 / tempo;
  clap_event_transport_t transport = {
      .header = header(CLAP_EVENT_TRANSPORT, sizeof transport, 0),
      .flags = chance(256),
      .song_pos_beats = (clap_beattime)(beats * (double)CLAP_BEATTIME_FACTOR),
      .song_pos_seconds = (clap_sectime)(seconds * (double)CLAP_SECTIME_FACTOR),
      .tempo = tempo,
      .tempo_inc = chance(2) ? chance_between(-1e-4, 1e-4) : 0,
      .loop_end_beats = 16 * CLAP_BEATTIME_FACTOR,
      .loop_end_seconds = (clap_sectime)(16 * 60 / tempo * (double)CLAP_SECTIME_FACTOR),
      .bar_start = (clap_beattime)(floor(beats / 4) * 4) * CLAP_BEATTIME_FACTOR,
      .bar_number = (int32_t)floor(beats / 4),
      .tsig_num = (uint16_t)(1 + chance(15)),
      .tsig_denom = (uint16_t)(1 << chance(6)),
  };
  return transport;
}

void add_transport(Events *events, uint32_t frame) {
  clap_event_transport_t transport = random_transport();
  transport.header.time = frame;
  add_event(events, &transport);
}
