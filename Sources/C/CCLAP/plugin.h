/// The entry point, hosts and plugins.
#pragma once
#include "events.h"

enum { CLAP_VERSION_MAJOR = 1, CLAP_VERSION_MINOR = 2, CLAP_VERSION_REVISION = 10 };

/// A version of the interface. All versions from 1.0.0 are compatible.
typedef struct clap_version {
  uint32_t major;
  uint32_t minor;
  uint32_t revision;
} clap_version_t;

enum {
  /// The bytes of a name with its end.
  CLAP_NAME_SIZE = 256,
  /// The bytes of a path with its end.
  CLAP_PATH_SIZE = 1024,
};

// MARK: The shared object

/// The data symbol `clap_entry` of a shared object.
typedef struct clap_plugin_entry {
  clap_version_t clap_version;
  /// Called before all others with the path of the shared object, possibly several times and by several hosts in one
  /// process: calls are counted. It is fast and shows nothing. After false, `deinit` is not called.
  bool (*init)(const char *plugin_path);
  /// Called once for each `init` that has returned true.
  void (*deinit)(void);
  /// Returns a factory, or null if the ID is unknown. Any thread.
  const void *(*get_factory)(const char *factory_id);
} clap_plugin_entry_t;

/// What the shared object exports.
extern const clap_plugin_entry_t clap_entry __attribute__((visibility("default")));

// MARK: Hosts

typedef struct clap_host {
  clap_version_t clap_version;
  void *host_data;
  /// Name and version are mandatory.
  const char *name;
  const char *vendor;
  const char *url;
  const char *version;
  /// Returns an extension, or null. Not before the plugin's `init`. Any thread.
  const void *(*get_extension)(const struct clap_host *host, const char *extension_id);
  /// Asks the host to deactivate and activate the plugin. Any thread.
  void (*request_restart)(const struct clap_host *host);
  /// Asks the host to activate the plugin and to process, for example after it slept. Any thread.
  void (*request_process)(const struct clap_host *host);
  /// Asks the host to call `on_main_thread`. Any thread.
  void (*request_callback)(const struct clap_host *host);
} clap_host_t;

// MARK: Cycles

/// The channels of an audio port in a cycle.
typedef struct clap_audio_buffer {
  /// Either this or `data64` is set: a pointer for each channel.
  float **data32;
  double **data64;
  uint32_t channel_count;
  /// The frames from or to the audio device.
  uint32_t latency;
  /// Bit n: all samples of channel n have the value of the first. All samples are written nevertheless.
  uint64_t constant_mask;
} clap_audio_buffer_t;

typedef int32_t clap_process_status;

enum {
  /// The output is garbage.
  CLAP_PROCESS_ERROR = 0,
  CLAP_PROCESS_CONTINUE = 1,
  /// The host may stop when the output is silent.
  CLAP_PROCESS_CONTINUE_IF_NOT_QUIET = 2,
  /// The host may stop after the tail.
  CLAP_PROCESS_TAIL = 3,
  /// The host may stop until there is an event or a change of the input.
  CLAP_PROCESS_SLEEP = 4,
};

/// A cycle. All of it is valid during the call.
typedef struct clap_process {
  /// The frames since some point in the past, or -1. It jumps back only by a reset.
  int64_t steady_time;
  uint32_t frames_count;
  /// The transport at frame 0, or null if the host has none.
  const clap_event_transport_t *transport;
  /// In the order of `clap_plugin_audio_ports_t`.
  const clap_audio_buffer_t *audio_inputs;
  clap_audio_buffer_t *audio_outputs;
  uint32_t audio_inputs_count;
  uint32_t audio_outputs_count;
  const clap_input_events_t *in_events;
  const clap_output_events_t *out_events;
} clap_process_t;

// MARK: Plugins

#define CLAP_PLUGIN_FEATURE_INSTRUMENT "instrument"
#define CLAP_PLUGIN_FEATURE_AUDIO_EFFECT "audio-effect"
#define CLAP_PLUGIN_FEATURE_NOTE_EFFECT "note-effect"
#define CLAP_PLUGIN_FEATURE_NOTE_DETECTOR "note-detector"
#define CLAP_PLUGIN_FEATURE_ANALYZER "analyzer"
#define CLAP_PLUGIN_FEATURE_SYNTHESIZER "synthesizer"
#define CLAP_PLUGIN_FEATURE_SAMPLER "sampler"
#define CLAP_PLUGIN_FEATURE_DRUM "drum"
#define CLAP_PLUGIN_FEATURE_DELAY "delay"
#define CLAP_PLUGIN_FEATURE_REVERB "reverb"
#define CLAP_PLUGIN_FEATURE_CHORUS "chorus"
#define CLAP_PLUGIN_FEATURE_COMPRESSOR "compressor"
#define CLAP_PLUGIN_FEATURE_LIMITER "limiter"
#define CLAP_PLUGIN_FEATURE_EQUALIZER "equalizer"
#define CLAP_PLUGIN_FEATURE_FILTER "filter"
#define CLAP_PLUGIN_FEATURE_DISTORTION "distortion"
#define CLAP_PLUGIN_FEATURE_PITCH_SHIFTER "pitch-shifter"
#define CLAP_PLUGIN_FEATURE_UTILITY "utility"
#define CLAP_PLUGIN_FEATURE_MIXING "mixing"
#define CLAP_PLUGIN_FEATURE_MULTI_EFFECTS "multi-effects"
#define CLAP_PLUGIN_FEATURE_MONO "mono"
#define CLAP_PLUGIN_FEATURE_STEREO "stereo"
#define CLAP_PLUGIN_FEATURE_SURROUND "surround"
#define CLAP_PLUGIN_FEATURE_AMBISONIC "ambisonic"

/// What hosts list. ID and name are mandatory; the others may be null or empty.
typedef struct clap_plugin_descriptor {
  clap_version_t clap_version;
  /// Unique in the world and never changed: a reversed domain.
  const char *id;
  const char *name;
  const char *vendor;
  const char *url;
  const char *manual_url;
  const char *support_url;
  const char *version;
  const char *description;
  /// A list that ends with null. One of instrument, audio-effect, note-effect, note-detector, analyzer is among them.
  const char *const *features;
} clap_plugin_descriptor_t;

/// An instance.
typedef struct clap_plugin {
  const clap_plugin_descriptor_t *desc;
  void *plugin_data;
  /// The first call. After false, the host destroys the instance. Main thread.
  bool (*init)(const struct clap_plugin *plugin);
  /// Frees an inactive instance, also one that was not initialized. Main thread.
  void (*destroy)(const struct clap_plugin *plugin);
  /// Prepares cycles of `min_frames_count` to `max_frames_count` frames. Latency and ports do not change before
  /// `deactivate`. Main thread.
  bool (*activate)(const struct clap_plugin *plugin, double sample_rate, uint32_t min_frames_count,
                   uint32_t max_frames_count);
  /// Main thread.
  void (*deactivate)(const struct clap_plugin *plugin);
  /// Precedes cycles. Audio thread.
  bool (*start_processing)(const struct clap_plugin *plugin);
  /// Follows cycles. Audio thread.
  void (*stop_processing)(const struct clap_plugin *plugin);
  /// Ends all sound; parameters keep their values. Audio thread, active.
  void (*reset)(const struct clap_plugin *plugin);
  /// Renders a cycle. Audio thread.
  clap_process_status (*process)(const struct clap_plugin *plugin, const clap_process_t *process);
  /// Returns an extension, or null. Not before `init`. Any thread.
  const void *(*get_extension)(const struct clap_plugin *plugin, const char *id);
  /// Follows `request_callback`. Main thread.
  void (*on_main_thread)(const struct clap_plugin *plugin);
} clap_plugin_t;
