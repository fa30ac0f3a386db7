// Notes, phrases and random events.
#include "claphost.h"

// MARK: Notes

void note_on(Instance *instance, uint32_t frame, int key) {
  if (instance->preferred_dialect == CLAP_NOTE_DIALECT_CLAP)
    add_note(&instance->events, frame, CLAP_EVENT_NOTE_ON, key, 0, -1, 100.0 / 127);
  else add_midi(&instance->events, frame, 0x90, (uint8_t)key, 100);
}

void note_off(Instance *instance, uint32_t frame, int key) {
  if (instance->preferred_dialect == CLAP_NOTE_DIALECT_CLAP)
    add_note(&instance->events, frame, CLAP_EVENT_NOTE_OFF, key, 0, -1, 0);
  else add_midi(&instance->events, frame, 0x80, (uint8_t)key, 64);
}

void all_notes_off(Instance *instance, uint32_t frame) {
  if (!instance->note_input_count) return;
  if (instance->dialects & CLAP_NOTE_DIALECT_CLAP)
    add_note(&instance->events, frame, CLAP_EVENT_NOTE_CHOKE, -1, -1, -1, 0);
  if (instance->dialects & CLAP_NOTE_DIALECT_MIDI)
    for (int channel = 0; channel < 16; channel++) {
      add_midi(&instance->events, frame, (uint8_t)(0xB0 | channel), 123, 0);
      add_midi(&instance->events, frame, (uint8_t)(0xB0 | channel), 120, 0);
    }
}

double longest_wait = 30;

double wait_for_sound(Instance *instance) {
  enum { BLOCK = 256 };
  double began = now();
  for (int block = 0; now() < began + longest_wait; block++) {
    bool note = instance->note_input_count && block % 64 == 0;
    if (note) note_on(instance, 0, 60);
    if (run(instance, BLOCK) > AUDIBLE) return now() - began;
    if (instance->note_input_count && block % 64 == 63) note_off(instance, 0, 60);
    if (!instance->offline) sleep_for(fmax(0, began + (block + 1) * BLOCK / instance->rate - now()));
  }
  return INFINITY;
}

// Undoes what random messages may have done to the channel of the notes: bank, program, volume and others.
static void restore_channel(Instance *instance) {
  static const uint8_t messages[][3] = {{0xB0, 121, 0}, {0xB0, 0, 0},   {0xB0, 32, 0},   {0xC0, 0, 0},
                                        {0xB0, 7, 100}, {0xB0, 10, 64}, {0xB0, 11, 127}, {0xE0, 0, 64}};
  for (size_t i = 0; instance->dialects & CLAP_NOTE_DIALECT_MIDI && i < sizeof messages / sizeof *messages; i++)
    add_midi(&instance->events, 0, messages[i][0], messages[i][1], messages[i][2]);
}

void expect_sound(Instance *instance, const char *when) {
  if (!instance->channel_count[OUTPUT]) absent("no audio output");
  restore_channel(instance);
  expect(wait_for_sound(instance) < INFINITY, "there is no sound within %g s %s", longest_wait, when);
  // Not all instruments know how to end all notes.
  if (instance->note_input_count) note_off(instance, 0, 60);
  all_notes_off(instance, 0);
  run(instance, 256);
}

// MARK: Phrases

float *render_phrase(Instance *instance, uint32_t block, uint32_t length) {
  int channels = instance->channel_count[OUTPUT];
  float *result = calloc((size_t)length * (size_t)channels, sizeof *result);
  for (uint32_t first = 0; first < length; first += block) {
    uint32_t frames = block < length - first ? block : length - first;
    for (uint32_t i = 0; instance->note_input_count && i < frames; i++) {
      if ((first + i) % 3001 == 0) note_on(instance, i, 40 + (int)((first + i) / 3001 % 40));
      if ((first + i) % 3001 == 2000) note_off(instance, i, 40 + (int)((first + i) / 3001 % 40));
    }
    run(instance, frames);
    for (int channel = 0; channel < channels; channel++)
      for (uint32_t i = 0; i < frames; i++)
        result[(size_t)channel * length + first + i] = sample(instance, channel, i, frames);
  }
  return result;
}

void expect_same(const float *a, const float *b, size_t count, const char *what) {
  size_t different = 0, first = 0;
  float most = 0;
  for (size_t i = 0; i < count; i++) {
    if (!memcmp(a + i, b + i, sizeof *a)) continue;
    if (!different++) first = i;
    most = fmaxf(most, fabsf(a[i] - b[i]));
  }
  expect(!different, "%s: %zu of %zu samples differ, by up to %g; the first is sample %zu, %a instead of %a", what,
         different, count, (double)most, first, (double)b[first], (double)a[first]);
}

// MARK: Random events

static int16_t wild(int value, bool wildcards) { return (int16_t)(wildcards && chance(3) == 0 ? -1 : value); }

static void add_random_note(Instance *instance, uint32_t frame, bool wildcards, bool inconsistent) {
  uint16_t type = (uint16_t)chance(3);
  bool wild_one = wildcards && type != CLAP_EVENT_NOTE_ON;
  clap_event_note_t note = {.header = header(type, sizeof note, frame),
                            .note_id = chance(2) ? -1 : (int32_t)chance(16),
                            .port_index = wild((int)chance((uint32_t)instance->note_input_count), wild_one),
                            .channel = wild((int)chance(16), wild_one),
                            .key = wild((int)chance(128), wild_one),
                            .velocity = chance_between(0, 1)};
  note.header.flags = chance(2) ? CLAP_EVENT_IS_LIVE : 0;
  if (inconsistent && chance(8) == 0) note.key = (int16_t)(chance(65536) - 32768);
  if (inconsistent && chance(8) == 0) note.channel = (int16_t)(chance(65536) - 32768);
  if (inconsistent && chance(8) == 0) note.port_index = (int16_t)(chance(65536) - 32768);
  if (inconsistent && chance(8) == 0) note.velocity = (double[]){-1, 2, NAN, INFINITY}[chance(4)];
  add_event(&instance->events, &note);
}

static void add_random_expression(Instance *instance, uint32_t frame, bool wildcards, bool inconsistent) {
  static const double ranges[][2] = {{0.01, 4}, {0, 1}, {-120, 120}, {0, 1}, {0, 1}, {0, 1}, {0, 1}};
  uint32_t kind = chance(7);
  clap_event_note_expression_t event = {.header = header(CLAP_EVENT_NOTE_EXPRESSION, sizeof event, frame),
                                        .expression_id = (clap_note_expression)kind,
                                        .note_id = -1,
                                        .port_index = wild(0, wildcards),
                                        .channel = wild((int)chance(16), wildcards),
                                        .key = wild((int)chance(128), wildcards),
                                        .value = chance_between(ranges[kind][0], ranges[kind][1])};
  if (inconsistent && chance(4) == 0) event.expression_id = (clap_note_expression)(chance(1000) - 500);
  if (inconsistent && chance(4) == 0) event.value = (double[]){-1e9, 1e9, NAN, INFINITY}[chance(4)];
  add_event(&instance->events, &event);
}

static void add_random_midi(Instance *instance, uint32_t frame, bool inconsistent) {
  clap_event_midi_t event = {.header = header(CLAP_EVENT_MIDI, sizeof event, frame),
                             .port_index = (uint16_t)chance((uint32_t)instance->note_input_count),
                             .data = {(uint8_t)(0x80 | chance(128)), (uint8_t)chance(128), (uint8_t)chance(128)}};
  if (inconsistent && chance(4) == 0) event.data[chance(3)] = (uint8_t)chance(256);
  if (inconsistent && chance(8) == 0) event.port_index = (uint16_t)chance(65536);
  add_event(&instance->events, &event);
}

static void add_random_sysex(Instance *instance, uint32_t frame, bool inconsistent) {
  static const uint8_t messages[][11] = {
      {0xF0, 0x41, 0x10, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00, 0x41, 0xF7},
      {0xF0, 0x43, 0x10, 0x4C, 0x00, 0x00, 0x7E, 0x00, 0xF7},
      {0xF0, 0x7E, 0x7F, 0x09, 0x01, 0xF7},
  };
  static const uint32_t sizes[] = {11, 9, 6};
  uint32_t which = chance(3);
  clap_event_midi_sysex_t event = {
      .header = header(CLAP_EVENT_MIDI_SYSEX, sizeof event, frame), .buffer = messages[which], .size = sizes[which]};
  if (inconsistent && chance(2) == 0) event.size = chance(sizes[which]);
  if (inconsistent && chance(8) == 0) event.buffer = NULL, event.size = 0;
  add_event(&instance->events, &event);
}

void add_random_events(Instance *instance, uint32_t frames, uint32_t count, bool wildcards, bool inconsistent) {
  if (!instance->note_input_count || !frames) return;
  uint32_t frame = 0;
  for (uint32_t i = 0; i < count; i++) {
    frame += chance(2 * frames / count + 1);
    if (frame >= frames) frame = frames - 1;
    bool clap = instance->dialects & CLAP_NOTE_DIALECT_CLAP || inconsistent;
    bool midi = instance->dialects & CLAP_NOTE_DIALECT_MIDI || inconsistent;
    switch (chance(6)) {
      case 0:
      case 1:
        if (clap) add_random_note(instance, frame, wildcards, inconsistent);
        break;
      case 2:
        if (clap) add_random_expression(instance, frame, wildcards, inconsistent);
        break;
      case 3:
      case 4:
        if (midi) add_random_midi(instance, frame, inconsistent);
        break;
      default:
        if (midi) add_random_sysex(instance, frame, inconsistent);
    }
    if (!inconsistent || chance(4)) continue;
    clap_event_midi2_t packet = {.header = header(CLAP_EVENT_MIDI2, sizeof packet, frame),
                                 .data = {0x40903C00, 0xC0000000}};
    add_event(&instance->events, &packet);
    struct {
      clap_event_header_t header;
      uint8_t bytes[48];
    } unknown = {header((uint16_t)chance(65536), 64, frame), {0}};
    if (chance(2) || unknown.header.type < 16) unknown.header.space_id = (uint16_t)(1 + chance(65535));
    add_event(&instance->events, &unknown);
  }
}
