#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What hosts (portative/host.h) and nodes (portative/node.h) have in common. Include one of these two.
//
// Handles. A type without visible fields is a handle. Its comment says which function frees it. Functions that free a
// handle accept NULL and then do nothing. All other parameters must not be NULL unless their description says so.
//
// Structures. A structure that is passed by pointer begins with `size`: set it to the `sizeof` of the structure and all
// fields that are not used to 0, as in `portative_format format = {.size = sizeof format, .sample_rate = 48000}`. Later
// versions of the library add fields at the end only. They treat a field beyond `size` as 0, and write no field beyond
// it. In a structure that the library passes, `size` says which fields it has. A structure without `size` never
// changes: its `reserved` fields must be 0.
//
// Strings are UTF-8 and end with NUL. A string or array that is passed to the library is copied before the call
// returns, unless stated otherwise. A string or array in a structure of the library belongs to the handle from which
// the structure came, and is valid as long as that handle. A function that returns `char *` returns a new string, which
// the caller frees with `portative_free_string`.
//
// Errors. A function that can fail for several reasons returns 0 for success and -1 for an error, or NULL instead of a
// new handle, and takes a `portative_error *`, which receives the reason. NULL is allowed if the reason is not needed.
// Functions have no effect if they fail, unless stated otherwise.
//
// Threads and states. The last line of each function's comment has tags that all hold:
//
//   [any-thread]      any thread may call it at any time during the life of its handle
//   [main-thread]     one thread at a time for each handle
//   [render-thread]   the one thread that renders; see `portative_connection` and `portative_unit_functions`
//   [!render-thread]  any thread except that one
//   [realtime]        it neither allocates nor locks, and blocks only if its comment says so; so do functions with
//                     [render-thread], unless they have [!realtime]
//   [initialized]     only while the connection is initialized; otherwise it fails with "badSequence"
//   [!initialized]    not while the connection is initialized
//   [cycle]           only during the call that has received the cycle
//   [!callback]       not from a callback of the handle
//
// Functions without [realtime] or [render-thread] may allocate, lock, read files and wait for another process.
//
// Units. Times and lengths are in frames unless another unit is stated. An offset is a frame within a cycle: 0 is its
// first frame. Samples are 32-bit floats with a full scale of ±1. Positions in a song are in quarter notes.

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header: changes of `PORTATIVE_VERSION_MAJOR` are incompatible.
#define PORTATIVE_VERSION_MAJOR 1
#define PORTATIVE_VERSION_MINOR 0
#define PORTATIVE_VERSION_PATCH 0

/// Returns the version of the library, such as "1.0.0". The string is static.
/// [any-thread]
const char *portative_version(void);

/// Frees a string that a function of this library has returned.
///
/// @param string May be NULL.
/// [any-thread]
void portative_free_string(char *string);

// ---- Errors

/// The reason why a function failed. One error may be used for any number of calls, by one thread at a time.
typedef struct portative_error portative_error;

/// Creates an error without a reason. Free it with `portative_error_free`.
/// [any-thread]
portative_error *portative_error_create(void);

/// Frees an error, and the texts that it has returned.
/// [main-thread]
void portative_error_free(portative_error *error);

/// Returns the code of the last failure: one of the error codes of the protocol (Documentation/Protocol.md, "Errors"),
/// such as "portInUse", or one of these:
///
/// | code               | meaning                                                                       |
/// |--------------------|-------------------------------------------------------------------------------|
/// | "badArgument"      | an argument is invalid, such as a name, a version or a message                |
/// | "connectionLost"   | the connection has ended; every further call fails in the same way            |
/// | "notRunning"       | no process listens at the node's socket                                       |
/// | "launchFailed"     | the node could not be started, or does not publish the component              |
/// | "nodeIsRunning"    | another process has the node's name                                           |
/// | "badDirectory"     | a folder cannot be created or read, or is accessible to other users           |
/// | "badManifest"      | a manifest is invalid, cannot be written, or differs from the published ports |
/// | "publishedTwice"   | the component is already published                                            |
/// | "notPermitted"     | realtime priority is not permitted                                            |
/// | "systemError"      | a system call failed, for instance for lack of memory or descriptors          |
///
/// Later versions may have further codes.
///
/// @return "" before the first failure. Valid until the error is used again or freed.
/// [main-thread]
const char *portative_error_code(const portative_error *error);

/// Returns the last failure as an English sentence for the user, with the limit, the value found and the remedy.
///
/// @return "" before the first failure. Valid until the error is used again or freed.
/// [main-thread]
const char *portative_error_message(const portative_error *error);

/// Returns the name of the host that has the port, if the code is "portInUse".
///
/// @param process_id Receives the host's process ID; may be NULL.
/// @return NULL for other codes. Valid until the error is used again or freed.
/// [main-thread]
const char *portative_error_holder(const portative_error *error, int32_t *process_id);

/// Sets an error. Callbacks of a node use this to give the reason why they fail.
///
/// @param error May be NULL.
/// @param code "unsupportedFormat", "unitFailed" or "badState"; see each callback.
/// @param message A clause or sentence for the host's user.
/// [main-thread]
void portative_error_set(portative_error *error, const char *code, const char *message);

// ---- Ports

/// The kind of input that a port accepts. Every port produces audio.
typedef enum portative_port_type {
  /// Any type, in a query. Not the type of a port.
  PORTATIVE_ANY_TYPE = 0,
  /// Accepts MIDI.
  PORTATIVE_INSTRUMENT = 1,
  /// Accepts audio.
  PORTATIVE_EFFECT = 2,
  /// Accepts MIDI and audio.
  PORTATIVE_MUSIC_EFFECT = 3,
  /// Accepts no input.
  PORTATIVE_GENERATOR = 4,
} portative_port_type;

/// The description of a port. `type`, `subtype` and `manufacturer` together are the component: they stay the same in
/// every version of the port, so a host may store them in a document and find the port again.
typedef struct portative_port {
  uint32_t size;
  portative_port_type type;
  /// Four printable ASCII characters, such as "gmsy".
  const char *subtype;
  /// Four printable ASCII characters, such as "Ptvo".
  const char *manufacturer;
  /// The name shown to users, "Maker: Name"; at most 255 bytes.
  const char *name;
  /// Three numbers, such as "1.0.0".
  const char *version;
  /// The absolute path of an image; NULL: none.
  const char *icon;
  /// Search terms, at most 255 bytes each, no two the same.
  const char *const *tags;
  uint32_t tag_count;
  /// Only in manifests, the number of `nodes`.
  uint32_t node_count;
  /// Only in manifests: the ports of other nodes that this port plays, such as "organ/Flutes", so that hosts find a
  /// chain that contains itself.
  const char *const *nodes;
  /// The numbers of input channels with which the port can be initialized: 0 to 64, and 0 for instruments and generators.
  uint32_t minimum_inputs;
  uint32_t maximum_inputs;
  /// The same for output channels: 1 to 64. A maximum of 0 stands for unknown numbers, also of inputs: then the error of an
  /// initialization names those that the unit has.
  uint32_t minimum_outputs;
  uint32_t maximum_outputs;
} portative_port;

// ---- Rendering

/// The audio format of an initialized port. Every channel has its own buffer.
typedef struct portative_format {
  uint32_t size;
  /// Frames per second: 8000…192000.
  uint32_t sample_rate;
  /// The number of input channels: 0…64. Instruments and generators have none.
  uint32_t input_channels;
  /// The number of output channels: 1…64.
  uint32_t output_channels;
  /// The length of the longest cycle in frames: 1…65536.
  uint32_t maximum_frames;
} portative_format;

/// A MIDI message and its offset.
typedef struct portative_event {
  /// The frame within the cycle.
  uint32_t offset;
  /// The number of bytes in `system_exclusive`.
  uint32_t system_exclusive_count;
  /// A System Exclusive message without F0 and F7, valid until the next cycle; NULL for all other messages.
  const uint8_t *system_exclusive;
  /// The status byte 0x80…0xFF, except 0xF0 and 0xF7, and the data bytes, 0 if the message has fewer; of a System
  /// Exclusive message, 0xF0 and 0.
  uint8_t message[3];
  uint8_t reserved[5];
} portative_event;

/// The values that a host provides about its song. All other values of a transport are undefined.
enum portative_provision {
  /// `beat`, `tempo`, `tempo_slope`.
  PORTATIVE_PROVIDES_BEAT = 1,
  /// `meter_count`, `meter_unit`, `bar_start`.
  PORTATIVE_PROVIDES_METER = 2,
  /// `is_playing`, `is_recording`.
  PORTATIVE_PROVIDES_STATE = 4,
  /// `is_looping`, `loop_start`, `loop_end`.
  PORTATIVE_PROVIDES_LOOP = 8,
  /// `song_frame`.
  PORTATIVE_PROVIDES_SONG_FRAME = 16,
};

/// The state of a host's song at one frame. After the frame the position advances by the tempo, and the tempo by its
/// slope, until the next transport.
typedef struct portative_transport {
  /// The sum of the `portative_provision`s.
  uint32_t provides;
  /// Whether the song plays. If not, `beat` does not advance.
  bool is_playing;
  bool is_recording;
  /// Whether the song jumps to `loop_start` when it reaches `loop_end`.
  bool is_looping;
  uint8_t reserved;
  /// The upper number of the time signature: 1…65535.
  uint16_t meter_count;
  /// The lower number of the time signature: a power of two, 1…32768.
  uint16_t meter_unit;
  uint32_t reserved_too;
  /// The position in quarter notes since the beginning of the song; negative before it.
  double beat;
  /// Quarter notes per minute: 0 or more.
  double tempo;
  /// The increase of the tempo from each frame to the next.
  double tempo_slope;
  /// The position at which the current bar began.
  double bar_start;
  /// The first position of the loop.
  double loop_start;
  /// The end of the loop: the first position that is not played.
  double loop_end;
  /// The position in the song in frames.
  int64_t song_frame;
  uint64_t reserved_three;
} portative_transport;

/// Returns the position in quarter notes some frames after a transport, if no other transport follows before.
///
/// @param frames May be negative or fractional.
/// @param sample_rate Frames per second.
/// [any-thread & realtime]
double portative_transport_beat(const portative_transport *transport, double frames, double sample_rate);

/// Returns the number of frames from a transport until a position is reached, if no other transport follows before. The
/// number is usually fractional, and negative for an earlier position.
///
/// @param sample_rate Frames per second.
/// @return Infinity if the position is never reached.
/// [any-thread & realtime]
double portative_transport_frames(const portative_transport *transport, double beat, double sample_rate);

/// A command from a node to its host that changes the host's transport.
typedef enum portative_command_kind {
  PORTATIVE_TOGGLE_PLAY = 0,
  PORTATIVE_TOGGLE_RECORD = 1,
  PORTATIVE_REWIND = 2,
  /// Start playing at the current position or at the last start position; the host decides.
  PORTATIVE_START = 3,
  PORTATIVE_STOP = 4,
  /// Continue playing at the position where the host stopped.
  PORTATIVE_CONTINUE = 5,
  /// Move to `beat`.
  PORTATIVE_JUMP = 6,
  /// Switch the loop on or off: `is_on`.
  PORTATIVE_LOOP = 7,
} portative_command_kind;

typedef struct portative_command {
  uint32_t size;
  portative_command_kind kind;
  /// In quarter notes from the start of the song.
  double beat;
  bool is_on;
} portative_command;

/// The reason why a connection was parked: it renders silence without waiting, until it is initialized again.
typedef enum portative_park_reason {
  PORTATIVE_NOT_PARKED = 0,
  /// The node missed too many consecutive cycles.
  PORTATIVE_PARKED_LATE = 1,
  /// The host stopped rendering.
  PORTATIVE_PARKED_NOT_RENDERED = 2,
} portative_park_reason;

// ---- Parameters and presets

/// The unit of measurement of a parameter.
typedef enum portative_parameter_unit {
  PORTATIVE_UNIT_NONE = 0,
  PORTATIVE_UNIT_DECIBELS = 1,
  PORTATIVE_UNIT_MILLISECONDS = 2,
  PORTATIVE_UNIT_SECONDS = 3,
  PORTATIVE_UNIT_BEATS = 4,
  PORTATIVE_UNIT_HERTZ = 5,
  PORTATIVE_UNIT_PERCENT = 6,
  PORTATIVE_UNIT_CENTS = 7,
  PORTATIVE_UNIT_SEMITONES = 8,
  /// A whole number.
  PORTATIVE_UNIT_INDEX = 9,
  /// 0 or 1.
  PORTATIVE_UNIT_TOGGLE = 10,
} portative_parameter_unit;

/// The mapping from a control's position to a value.
typedef enum portative_scale {
  PORTATIVE_LINEAR = 0,
  /// Equal distances are equal ratios. The range is above 0.
  PORTATIVE_LOGARITHMIC = 1,
} portative_scale;

/// The description of a value of a unit that its host can set.
typedef struct portative_parameter {
  uint32_t size;
  portative_parameter_unit unit;
  /// The identifier in saved states, the same in every later version: words of lower-case letters, digits and `-`, with
  /// a dot between the group and the parameter, as in "reverb.room". No two parameters of a unit have the same.
  const char *identifier;
  /// The name shown to users.
  const char *name;
  /// Within ±10⁹.
  float minimum;
  float maximum;
  /// `minimum`…`maximum`.
  float default_value;
  portative_scale scale;
  /// The names of the whole numbers from `minimum` to `maximum`; NULL if the value is shown as a number.
  const char *const *value_names;
  uint32_t value_name_count;
} portative_parameter;

/// A group of parameters: those whose identifiers are the group's, a dot and one more word.
typedef struct portative_parameter_group {
  const char *identifier;
  const char *name;
} portative_parameter_group;

/// The value of a parameter.
typedef struct portative_value {
  /// The parameter's identifier.
  const char *identifier;
  float value;
  uint32_t reserved;
} portative_value;

/// A preset of a unit: values for some of its parameters. All other parameters keep their values.
typedef struct portative_preset {
  uint32_t size;
  uint32_t value_count;
  /// The name shown to users.
  const char *name;
  const portative_value *values;
} portative_preset;

#ifdef __cplusplus
}
#endif
