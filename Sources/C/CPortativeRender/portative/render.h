#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Renders MIDI songs into memory, with labels: when each note begins, is released and falls silent.
//
//   portative_synthesizer *synthesizer = portative_synthesizer_create(options, 2, error);
//   portative_song *song = portative_song_read("song.mid", error);
//   portative_rendering *rendering = portative_synthesizer_render(synthesizer, song, true, error);
//   while ((frames = portative_rendering_read(rendering, audio, 4096, 4096, error)) > 0) use(audio, frames);
//
// The library needs FluidSynth (libfluidsynth.so.3), which it is linked with: it replaces three functions of FluidSynth
// and its libraries, and the dynamic linker finds the replacements only if it loads FluidSynth because of this library.
// Load this library with dlopen if your program must run without FluidSynth.
//
// Handles. A type without visible fields is a handle; its `_free` function accepts NULL and then does nothing. All
// other parameters must not be NULL unless their description says so. Strings are UTF-8 and end with NUL. Memory that
// is passed to the library is copied before the call returns.
//
// Errors. A function that can fail returns NULL or -1, and takes a `portative_render_error *`, which receives the
// reason. NULL is allowed if the reason is not needed.
//
// Threads. The last line of each function's comment has a tag: [any-thread] means that any thread may call it at any
// time during the life of its handle, [main-thread] one thread at a time for each handle. No function starts a thread,
// and none is for render threads: all may allocate, lock and read files. A process may fork
// at any time: all handles remain valid in the child, except for renderings that another thread was reading.
//
// Units. Times are in frames of the rendered audio, from its first frame, unless another unit is stated. Samples are
// 32-bit floats with a full scale of ±1, not clipped.

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the version of the library, such as "1.0.0". The string is static.
/// [any-thread]
const char *portative_render_version(void);

/// Frees a string that a function of this library has returned.
///
/// @param string May be NULL.
/// [any-thread]
void portative_render_free_string(char *string);

// ---- Errors

/// The reason why a function failed. One error may be used for any number of calls, by one thread at a time.
typedef struct portative_render_error portative_render_error;

/// Creates an error without a reason. Free it with `portative_render_error_free`.
/// [any-thread]
portative_render_error *portative_render_error_create(void);

/// Frees an error, and the texts that it has returned.
/// [main-thread]
void portative_render_error_free(portative_render_error *error);

/// Returns the exit code that `portative render` has for the last failure: 1 failed, 2 invalid options or arguments, 3
/// the song is unusable, 5 the SoundFont is missing or unusable; 0 before the first failure.
/// [main-thread]
int portative_render_error_code(const portative_render_error *error);

/// Returns the last failure as an English sentence with the limit, the value found and the remedy.
///
/// @return "" before the first failure. Valid until the error is used again or freed.
/// [main-thread]
const char *portative_render_error_message(const portative_render_error *error);

// ---- Songs

/// A song. It does not change, and may be rendered any number of times. Free it with `portative_song_free`.
typedef struct portative_song portative_song;

/// Reads a Standard MIDI File.
/// [any-thread]
portative_song *portative_song_read(const char *path, portative_render_error *error);

/// Decodes the bytes of a Standard MIDI File.
///
/// @param name What messages call the song.
/// [any-thread]
portative_song *portative_song_decode(
    const void *bytes, size_t count, const char *name, portative_render_error *error);

/// A note of a list.
typedef struct portative_song_note {
  /// In seconds: 0 or more, at most 86 400. It begins on the nearest frame.
  double start;
  /// The release of its key, in seconds: after the start.
  double end;
  /// 0 to 15; 9 is usually percussion.
  uint8_t channel;
  /// 0 to 127; 60 is middle C.
  uint8_t key;
  /// 1 to 127.
  uint8_t velocity;
  /// The port, from 0: each has sixteen channels of its own.
  uint8_t port;
  /// The index of the track, from 0, that stems and labels name.
  uint16_t track;
  uint8_t reserved[2];
} portative_song_note;

/// A MIDI message of a list, other than a note.
typedef struct portative_song_message {
  /// In seconds: 0 or more, at most 86 400.
  double time;
  /// 0xA0 to 0xEF.
  uint8_t status;
  /// 0 to 127.
  uint8_t data1;
  uint8_t data2;
  /// The port, from 0.
  uint8_t port;
  /// The index of the track, from 0.
  uint16_t track;
  uint8_t reserved[2];
} portative_song_message;

/// Makes a song of notes and messages in any order. Notes that are released at a frame precede messages of that frame,
/// and these precede notes that begin.
///
/// @param notes May be NULL if there are none.
/// @param messages May be NULL if there are none.
/// @param score Has the tempos, time signatures, key signatures, texts and names of tracks of the song; its notes are not
///   played. It may be freed afterwards. NULL: the song has none of these, so no beats.
/// [any-thread]
portative_song *portative_song_create(
    const portative_song_note *notes, size_t note_count, const portative_song_message *messages,
    size_t message_count, const portative_song *score, portative_render_error *error);

/// Frees a song. Renderings that play it remain valid.
/// [main-thread]
void portative_song_free(portative_song *song);

// ---- Synthesizer

/// A SoundFont and options. It does not change. Free it with `portative_synthesizer_free`; its renderings remain valid.
typedef struct portative_synthesizer portative_synthesizer;

/// Creates a synthesizer. The SoundFont is loaded, unless another synthesizer of the process has it.
///
/// @param options Options of `portative render` that do not concern files, as in {"--rate", "44100", "--reverb=off"}.
/// [any-thread]
portative_synthesizer *portative_synthesizer_create(
    const char *const *options, size_t count, portative_render_error *error);

/// Frees a synthesizer. Its renderings remain valid.
/// [main-thread]
void portative_synthesizer_free(portative_synthesizer *synthesizer);

/// Returns the sample rate, in frames per second.
/// [any-thread]
int32_t portative_synthesizer_sample_rate(const portative_synthesizer *synthesizer);

/// Returns what determines the samples besides the songs, in JSON: an object as the head of the reports of the command, with the
/// versions (`portative`, `library`), the SoundFont with its hash (`soundFont`), and the settings (`settings`). The SoundFont is
/// read for its hash. Free it with `portative_render_free_string`.
/// [any-thread]
char *portative_synthesizer_provenance(
    const portative_synthesizer *synthesizer, portative_render_error *error);

/// Returns the path of the SoundFont. Free it with `portative_render_free_string`.
/// [any-thread]
char *portative_synthesizer_soundfont(const portative_synthesizer *synthesizer);

// ---- Rendering

/// A song that is being rendered, by one thread at a time. Free it with `portative_rendering_free`.
typedef struct portative_rendering portative_rendering;

/// Begins to render a song.
///
/// @param options Options of `portative render` that do not concern files, for this song; they replace those of the
///   synthesizer. `--soundfont` must not change. May be NULL if `count` is 0.
/// @param frames The greatest number of frames: the song ends there, without a tail. 0 for the whole song.
/// @param labels Whether to record when notes begin and end; with stock timing this is not possible, and not done.
/// [any-thread]
portative_rendering *portative_synthesizer_render(
    const portative_synthesizer *synthesizer, const portative_song *song, const char *const *options,
    size_t count, int64_t frames, bool labels, portative_render_error *error);

/// Ends a rendering, and frees it.
/// [main-thread]
void portative_rendering_free(portative_rendering *rendering);

/// Returns the number of channels: left and right of the mix, then left and right of each stem.
/// [main-thread]
size_t portative_rendering_channels(const portative_rendering *rendering);

/// Returns the stems, in the order of their channels, in JSON: an array of objects with
///
/// - `kind`: "channel", "track", "dry" (all notes), and at last "wet" (reverb and chorus) or "rest" (what belongs to no other),
/// - `number`: the channel or the index of the track, from 0, as in labels; absent for others,
/// - `port`: that of a channel, from 0; absent for others,
/// - `name`: from the song or the SoundFont, or by its number from 1; several stems can have the same name,
/// - `bank` and `program`: the preset of the first note of a channel; absent for others.
///
/// Free it with `portative_render_free_string`.
/// [main-thread]
char *portative_rendering_stems(const portative_rendering *rendering);

/// Returns the greatest number of frames that the song may have. A tail may end earlier.
/// [main-thread]
int64_t portative_rendering_limit(const portative_rendering *rendering);

/// Returns the frame of the song at which the audio begins: other than 0 with `--from`.
/// [main-thread]
int64_t portative_rendering_start(const portative_rendering *rendering);

/// Renders the next frames.
///
/// @param audio Receives the samples of channel c from audio[c * stride] on.
/// @param stride The distance between channels in samples: `capacity` or more.
/// @param capacity The greatest number of frames to return: 1 or more.
/// @return The number of frames: fewer than `capacity` only at the end; 0 after the end; -1 for an error.
/// [main-thread]
int64_t portative_rendering_read(
    portative_rendering *rendering, float *audio, size_t stride, size_t capacity,
    portative_render_error *error);

/// Makes the present and all further reads fail with the message "interrupted".
/// [any-thread]
void portative_rendering_cancel(portative_rendering *rendering);

/// Returns the report on the song, as `portative render --report` writes it for a song, in JSON. It is complete after
/// the last frame was read. Free it with `portative_render_free_string`.
/// [main-thread]
char *portative_rendering_report(
    portative_rendering *rendering, portative_render_error *error);

// ---- Labels
//
// They are known after the last frame was read. Each function copies up to `capacity` labels, and returns the number of
// all.

/// How a note ended.
typedef enum portative_note_ending {
  /// By the release of its key, or by itself.
  PORTATIVE_RELEASED = 0,
  /// Its key was struck again.
  PORTATIVE_RETRIGGERED = 1,
  /// A note continued in its voices, as legato requires.
  PORTATIVE_CONTINUED = 2,
  /// A note of the same exclusive class began.
  PORTATIVE_CHOKED = 3,
  /// The polyphony limit required it.
  PORTATIVE_STOLEN = 4,
  /// By a message that ends all notes.
  PORTATIVE_SILENCED = 5,
  /// It made no sound: the SoundFont has none for it, or its channel is off.
  PORTATIVE_UNMAPPED = 6,
  /// It shared the voices of one synthesizer with other notes, because too many sounded at once for voices of their own, so
  /// its sound was not measured.
  PORTATIVE_SHARED = 7,
} portative_note_ending;

/// A note.
typedef struct portative_note_label {
  /// The frame at which the note begins. Negative if it began before the audio.
  int64_t onset;
  /// The frame at which its key is released.
  int64_t key_release;
  /// The frame from which neither its key nor a pedal holds it. Its release begins within 64 frames, but not before the
  /// note has sounded for 10 ms.
  int64_t sound_release;
  /// The first frame of its dry sound of at least -90 dBFS: the same as `silence` if there is none.
  int64_t audible;
  /// The frame after the last one of its dry sound of at least -90 dBFS: the onset if there is none, and the length of the
  /// audio if that ends before. With PORTATIVE_SHARED, which is not measured, its release.
  int64_t silence;
  /// Its number in the song, from 0, in the order of the note-ons. Notes that a channel returns to follow them; see
  /// portative_rendering_returns().
  int32_t note;
  /// The index of the track in the file.
  int32_t track;
  /// The preset that played, after substitutions; -1 if there was none. Percussion is bank 128.
  int32_t bank;
  int32_t program;
  /// The `note` that ended this one; -1 if none did.
  int32_t ended_by;
  uint8_t channel;
  uint8_t key;
  uint8_t velocity;
  /// A `portative_note_ending`.
  uint8_t ending;
} portative_note_label;

/// Copies the labels of the notes.
/// [main-thread]
size_t portative_rendering_notes(
    portative_rendering *rendering, portative_note_label *notes, size_t capacity);

/// Copies the port of each note of `portative_rendering_notes`, from 0. Each port has sixteen channels of its own.
/// [main-thread]
size_t portative_rendering_note_ports(
    portative_rendering *rendering, uint8_t *ports, size_t capacity);

/// Copies, for each label of portative_rendering_notes(), the `note` that it returns to: a monophonic channel plays it
/// again, without a note-on, when a later key is released and its own is still down. -1 for a note that was struck.
/// [main-thread]
size_t portative_rendering_returns(
    portative_rendering *rendering, int32_t *returns, size_t capacity);

/// Copies, for each label of portative_rendering_notes(), the index of its note in the list that portative_song_create()
/// received. For the song of a file, that is its number among all notes of the file, in the order of the note-ons, also of
/// those that are not played (`--mute`, `--only`). A note that a channel returns to has that of the one that was struck.
/// [main-thread]
size_t portative_rendering_written(
    portative_rendering *rendering, int32_t *written, size_t capacity);

/// Copies the dry sound of a note, which the option `--stems note` keeps in memory: from its onset on, or from the first
/// frame if it began before. The sounds of all notes add up to the stem "dry".
///
/// @param note The `note` of a label.
/// @param audio Receives the left samples from audio[0] on, and the right ones from audio[capacity] on. May be NULL if
///   `capacity` is 0.
/// @return The number of frames of the note, of which up to `capacity` are copied; 0 if it made no sound.
/// [main-thread]
size_t portative_rendering_note_audio(
    portative_rendering *rendering, int32_t note, float *audio, size_t capacity);

/// A tempo, and the frame from which it applies.
typedef struct portative_tempo_label {
  int64_t frame;
  int32_t microseconds_per_quarter;
  int32_t reserved;
} portative_tempo_label;

/// Copies the tempos, in their order.
/// [main-thread]
size_t portative_rendering_tempos(
    portative_rendering *rendering, portative_tempo_label *tempos, size_t capacity);

/// A beat: a note of the denominator of the time signature.
typedef struct portative_beat_label {
  int64_t frame;
  /// From 1.
  int32_t bar;
  /// In its bar, from 1.
  int32_t beat;
  int32_t numerator;
  int32_t denominator;
} portative_beat_label;

/// Copies the beats, in their order.
/// [main-thread]
size_t portative_rendering_beats(
    portative_rendering *rendering, portative_beat_label *beats, size_t capacity);

/// Returns the key signatures and the texts of the audio, such as lyrics, in JSON: an array of objects as the lines with the
/// types "key" and "text" in the files of `portative render --labels jsonl`. NULL if there are no labels: before the last frame was read, with stock
/// timing, and unless they were requested. Free it with `portative_render_free_string`.
/// [main-thread]
char *portative_rendering_texts(portative_rendering *rendering);

/// A channel message other than a note.
typedef struct portative_message_label {
  int64_t frame;
  int32_t track;
  uint8_t status;
  uint8_t data1;
  uint8_t data2;
  /// The port, from 0.
  uint8_t port;
} portative_message_label;

/// Copies the channel messages other than notes, in their order.
/// [main-thread]
size_t portative_rendering_messages(
    portative_rendering *rendering, portative_message_label *messages, size_t capacity);

#ifdef __cplusplus
}
#endif
