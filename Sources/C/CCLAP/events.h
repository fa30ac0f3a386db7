/// Events, and lists of them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Identifies a parameter, a port or a page. It never changes.
typedef uint32_t clap_id;

/// No identifier: no port for processing in place, or an unused remote control.
static const clap_id CLAP_INVALID_ID = UINT32_MAX;

/// A position in quarter notes, times `CLAP_BEATTIME_FACTOR`.
typedef int64_t clap_beattime;
/// A position in seconds, times `CLAP_SECTIME_FACTOR`.
typedef int64_t clap_sectime;

static const int64_t CLAP_BEATTIME_FACTOR = INT64_C(1) << 31;
static const int64_t CLAP_SECTIME_FACTOR = INT64_C(1) << 31;

// MARK: Headers

/// What every event begins with.
typedef struct clap_event_header {
  /// The bytes of the event with its header.
  uint32_t size;
  /// The frame within the cycle.
  uint32_t time;
  /// Whose types these are: `CLAP_CORE_EVENT_SPACE_ID` for those below. Events of other spaces are skipped.
  uint16_t space_id;
  uint16_t type;
  /// `CLAP_EVENT_IS_LIVE`, `CLAP_EVENT_DONT_RECORD`.
  uint32_t flags;
} clap_event_header_t;

enum { CLAP_CORE_EVENT_SPACE_ID = 0 };

enum {
  /// A player makes the event now; it is no playback.
  CLAP_EVENT_IS_LIVE = 1 << 0,
  /// The host does not record the event, because it records what has caused it.
  CLAP_EVENT_DONT_RECORD = 1 << 1,
};

enum {
  // clap_event_note_t
  /// Velocity 0 is a note-on, too. Port, channel and key are not -1.
  CLAP_EVENT_NOTE_ON = 0,
  CLAP_EVENT_NOTE_OFF = 1,
  /// Ends the note at once, without its release.
  CLAP_EVENT_NOTE_CHOKE = 2,
  /// From the plugin only: a voice has ended. The host matches it with its note-on.
  CLAP_EVENT_NOTE_END = 3,
  // clap_event_note_expression_t
  CLAP_EVENT_NOTE_EXPRESSION = 4,
  // clap_event_param_value_t
  CLAP_EVENT_PARAM_VALUE = 5,
  // clap_event_param_mod_t
  CLAP_EVENT_PARAM_MOD = 6,
  // clap_event_param_gesture_t
  CLAP_EVENT_PARAM_GESTURE_BEGIN = 7,
  CLAP_EVENT_PARAM_GESTURE_END = 8,
  // clap_event_transport_t
  CLAP_EVENT_TRANSPORT = 9,
  // clap_event_midi_t
  CLAP_EVENT_MIDI = 10,
  // clap_event_midi_sysex_t
  CLAP_EVENT_MIDI_SYSEX = 11,
  // clap_event_midi2_t
  CLAP_EVENT_MIDI2 = 12,
};

// MARK: Notes

/// A note. In all events but note-on, -1 in a field matches every value.
typedef struct clap_event_note {
  clap_event_header_t header;
  /// The host's number of the note, or -1.
  int32_t note_id;
  int16_t port_index;
  /// 0 to 15.
  int16_t channel;
  /// 0 to 127; 60 is middle C.
  int16_t key;
  /// 0 to 1.
  double velocity;
} clap_event_note_t;

typedef int32_t clap_note_expression;

enum {
  /// A factor above 0, up to 4.
  CLAP_NOTE_EXPRESSION_VOLUME = 0,
  /// 0 is left, 0.5 the centre, 1 right.
  CLAP_NOTE_EXPRESSION_PAN = 1,
  /// Semitones, -120 to 120.
  CLAP_NOTE_EXPRESSION_TUNING = 2,
  // 0 to 1:
  CLAP_NOTE_EXPRESSION_VIBRATO = 3,
  CLAP_NOTE_EXPRESSION_EXPRESSION = 4,
  CLAP_NOTE_EXPRESSION_BRIGHTNESS = 5,
  CLAP_NOTE_EXPRESSION_PRESSURE = 6,
};

/// A property of the notes that match; -1 matches every value.
typedef struct clap_event_note_expression {
  clap_event_header_t header;
  clap_note_expression expression_id;
  int32_t note_id;
  int16_t port_index;
  int16_t channel;
  int16_t key;
  double value;
} clap_event_note_expression_t;

// MARK: Parameters

/// A parameter's value, of all notes if the last fields are -1.
typedef struct clap_event_param_value {
  clap_event_header_t header;
  clap_id param_id;
  /// What the parameter's information contains, or null.
  void *cookie;
  int32_t note_id;
  int16_t port_index;
  int16_t channel;
  int16_t key;
  double value;
} clap_event_param_value_t;

/// An offset that is added to a parameter's value while it plays.
typedef struct clap_event_param_mod {
  clap_event_header_t header;
  clap_id param_id;
  void *cookie;
  int32_t note_id;
  int16_t port_index;
  int16_t channel;
  int16_t key;
  double amount;
} clap_event_param_mod_t;

/// A user takes or leaves a parameter's control.
typedef struct clap_event_param_gesture {
  clap_event_header_t header;
  clap_id param_id;
} clap_event_param_gesture_t;

// MARK: Transport

/// Which fields of the transport are valid, and what it does.
enum {
  CLAP_TRANSPORT_HAS_TEMPO = 1 << 0,
  CLAP_TRANSPORT_HAS_BEATS_TIMELINE = 1 << 1,
  CLAP_TRANSPORT_HAS_SECONDS_TIMELINE = 1 << 2,
  CLAP_TRANSPORT_HAS_TIME_SIGNATURE = 1 << 3,
  CLAP_TRANSPORT_IS_PLAYING = 1 << 4,
  CLAP_TRANSPORT_IS_RECORDING = 1 << 5,
  CLAP_TRANSPORT_IS_LOOP_ACTIVE = 1 << 6,
  CLAP_TRANSPORT_IS_WITHIN_PRE_ROLL = 1 << 7,
};

/// The host's song at the event's frame.
typedef struct clap_event_transport {
  clap_event_header_t header;
  uint32_t flags;
  clap_beattime song_pos_beats;
  clap_sectime song_pos_seconds;
  /// Quarter notes per minute.
  double tempo;
  /// What each frame adds to the tempo, up to the next event.
  double tempo_inc;
  clap_beattime loop_start_beats;
  clap_beattime loop_end_beats;
  clap_sectime loop_start_seconds;
  clap_sectime loop_end_seconds;
  clap_beattime bar_start;
  /// 0 at the song's start.
  int32_t bar_number;
  uint16_t tsig_num;
  uint16_t tsig_denom;
} clap_event_transport_t;

// MARK: MIDI

typedef struct clap_event_midi {
  clap_event_header_t header;
  uint16_t port_index;
  uint8_t data[3];
} clap_event_midi_t;

/// A system exclusive message with F0 and F7. Its memory is valid during the call.
typedef struct clap_event_midi_sysex {
  clap_event_header_t header;
  uint16_t port_index;
  const uint8_t *buffer;
  uint32_t size;
} clap_event_midi_sysex_t;

/// A Universal MIDI Packet.
typedef struct clap_event_midi2 {
  clap_event_header_t header;
  uint16_t port_index;
  uint32_t data[4];
} clap_event_midi2_t;

// MARK: Lists

/// The host's events of a cycle, in the order of their frames.
typedef struct clap_input_events {
  void *ctx;
  uint32_t (*size)(const struct clap_input_events *list);
  /// The event is the list's; it is valid during the call that passes the list.
  const clap_event_header_t *(*get)(const struct clap_input_events *list, uint32_t index);
} clap_input_events_t;

/// Takes the plugin's events of a cycle, in the order of their frames.
typedef struct clap_output_events {
  void *ctx;
  /// Copies the event. Returns false if there is no room.
  bool (*try_push)(const struct clap_output_events *list, const clap_event_header_t *event);
} clap_output_events_t;
