/// Extensions of plugins and of hosts. A plugin's structures are those that `clap_plugin_t.get_extension` returns; a
/// host's are those of `clap_host_t.get_extension`. Main thread, unless a comment names another.
#pragma once
#include "plugin.h"

// MARK: Audio ports

#define CLAP_EXT_AUDIO_PORTS "clap.audio-ports"
#define CLAP_PORT_MONO "mono"
#define CLAP_PORT_STEREO "stereo"

enum {
  /// Only port 0 may be the main one, which is the one that hosts connect first.
  CLAP_AUDIO_PORT_IS_MAIN = 1 << 0,
  CLAP_AUDIO_PORT_SUPPORTS_64BITS = 1 << 1,
  CLAP_AUDIO_PORT_PREFERS_64BITS = 1 << 2,
  /// All ports with this flag have samples of one size in a cycle.
  CLAP_AUDIO_PORT_REQUIRES_COMMON_SAMPLE_SIZE = 1 << 3,
};

typedef struct clap_audio_port_info {
  /// Unique among the inputs, or among the outputs.
  clap_id id;
  char name[CLAP_NAME_SIZE];
  uint32_t flags;
  uint32_t channel_count;
  /// What the channels mean: `CLAP_PORT_STEREO` for two, or null.
  const char *port_type;
  /// The ID of the port of the other direction that may have the same memory, or `CLAP_INVALID_ID`.
  clap_id in_place_pair;
} clap_audio_port_info_t;

/// Ports change only while the plugin is inactive.
typedef struct clap_plugin_audio_ports {
  uint32_t (*count)(const clap_plugin_t *plugin, bool is_input);
  bool (*get)(const clap_plugin_t *plugin, uint32_t index, bool is_input, clap_audio_port_info_t *info);
} clap_plugin_audio_ports_t;

enum {
  /// The only one that is allowed while the plugin is active.
  CLAP_AUDIO_PORTS_RESCAN_NAMES = 1 << 0,
  CLAP_AUDIO_PORTS_RESCAN_FLAGS = 1 << 1,
  CLAP_AUDIO_PORTS_RESCAN_CHANNEL_COUNT = 1 << 2,
  CLAP_AUDIO_PORTS_RESCAN_PORT_TYPE = 1 << 3,
  CLAP_AUDIO_PORTS_RESCAN_IN_PLACE_PAIR = 1 << 4,
  CLAP_AUDIO_PORTS_RESCAN_LIST = 1 << 5,
};

typedef struct clap_host_audio_ports {
  bool (*is_rescan_flag_supported)(const clap_host_t *host, uint32_t flag);
  void (*rescan)(const clap_host_t *host, uint32_t flags);
} clap_host_audio_ports_t;

// MARK: Windows

#define CLAP_EXT_GUI "clap.gui"
#define CLAP_WINDOW_API_X11 "x11"
#define CLAP_WINDOW_API_WAYLAND "wayland"

typedef struct clap_window {
  /// One of `CLAP_WINDOW_API_…`.
  const char *api;
  /// The meaning depends on the API: a window of X11, or a pointer.
  unsigned long handle;
} clap_window_t;

typedef struct clap_gui_resize_hints {
  bool can_resize_horizontally;
  bool can_resize_vertically;
  bool preserve_aspect_ratio;
  uint32_t aspect_ratio_width;
  uint32_t aspect_ratio_height;
} clap_gui_resize_hints_t;

/// A window of a plugin. A floating one is not in a window of the host, which then calls none of the functions about sizes and
/// parents.
typedef struct clap_plugin_gui {
  bool (*is_api_supported)(const clap_plugin_t *plugin, const char *api, bool is_floating);
  bool (*get_preferred_api)(const clap_plugin_t *plugin, const char **api, bool *is_floating);
  /// Prepares a window, which is not shown yet. `api` may be null for a floating window.
  bool (*create)(const clap_plugin_t *plugin, const char *api, bool is_floating);
  void (*destroy)(const clap_plugin_t *plugin);
  bool (*set_scale)(const clap_plugin_t *plugin, double scale);
  bool (*get_size)(const clap_plugin_t *plugin, uint32_t *width, uint32_t *height);
  bool (*can_resize)(const clap_plugin_t *plugin);
  bool (*get_resize_hints)(const clap_plugin_t *plugin, clap_gui_resize_hints_t *hints);
  bool (*adjust_size)(const clap_plugin_t *plugin, uint32_t *width, uint32_t *height);
  bool (*set_size)(const clap_plugin_t *plugin, uint32_t width, uint32_t height);
  bool (*set_parent)(const clap_plugin_t *plugin, const clap_window_t *window);
  /// The host's window above which a floating one stays.
  bool (*set_transient)(const clap_plugin_t *plugin, const clap_window_t *window);
  void (*suggest_title)(const clap_plugin_t *plugin, const char *title);
  bool (*show)(const clap_plugin_t *plugin);
  bool (*hide)(const clap_plugin_t *plugin);
} clap_plugin_gui_t;

// MARK: Note ports

#define CLAP_EXT_NOTE_PORTS "clap.note-ports"

enum {
  /// `clap_event_note_t` and `clap_event_note_expression_t`.
  CLAP_NOTE_DIALECT_CLAP = 1 << 0,
  /// `clap_event_midi_t` and `clap_event_midi_sysex_t`.
  CLAP_NOTE_DIALECT_MIDI = 1 << 1,
  /// These, with a channel for each note.
  CLAP_NOTE_DIALECT_MIDI_MPE = 1 << 2,
  /// `clap_event_midi2_t`.
  CLAP_NOTE_DIALECT_MIDI2 = 1 << 3,
};

typedef struct clap_note_port_info {
  clap_id id;
  uint32_t supported_dialects;
  /// One of them.
  uint32_t preferred_dialect;
  char name[CLAP_NAME_SIZE];
} clap_note_port_info_t;

typedef struct clap_plugin_note_ports {
  uint32_t (*count)(const clap_plugin_t *plugin, bool is_input);
  bool (*get)(const clap_plugin_t *plugin, uint32_t index, bool is_input, clap_note_port_info_t *info);
} clap_plugin_note_ports_t;

enum {
  /// Not while the plugin is active.
  CLAP_NOTE_PORTS_RESCAN_ALL = 1 << 0,
  CLAP_NOTE_PORTS_RESCAN_NAMES = 1 << 1,
};

typedef struct clap_host_note_ports {
  uint32_t (*supported_dialects)(const clap_host_t *host);
  void (*rescan)(const clap_host_t *host, uint32_t flags);
} clap_host_note_ports_t;

// MARK: Parameters

#define CLAP_EXT_PARAMS "clap.params"

typedef uint32_t clap_param_info_flags;

enum {
  /// Values are whole numbers; others are truncated.
  CLAP_PARAM_IS_STEPPED = 1 << 0,
  CLAP_PARAM_IS_PERIODIC = 1 << 1,
  CLAP_PARAM_IS_HIDDEN = 1 << 2,
  CLAP_PARAM_IS_READONLY = 1 << 3,
  /// The plugin's one bypass: stepped, 1 for bypass.
  CLAP_PARAM_IS_BYPASS = 1 << 4,
  CLAP_PARAM_IS_AUTOMATABLE = 1 << 5,
  CLAP_PARAM_IS_AUTOMATABLE_PER_NOTE_ID = 1 << 6,
  CLAP_PARAM_IS_AUTOMATABLE_PER_KEY = 1 << 7,
  CLAP_PARAM_IS_AUTOMATABLE_PER_CHANNEL = 1 << 8,
  CLAP_PARAM_IS_AUTOMATABLE_PER_PORT = 1 << 9,
  CLAP_PARAM_IS_MODULATABLE = 1 << 10,
  CLAP_PARAM_IS_MODULATABLE_PER_NOTE_ID = 1 << 11,
  CLAP_PARAM_IS_MODULATABLE_PER_KEY = 1 << 12,
  CLAP_PARAM_IS_MODULATABLE_PER_CHANNEL = 1 << 13,
  CLAP_PARAM_IS_MODULATABLE_PER_PORT = 1 << 14,
  /// While the plugin is active, `process` takes the values, and not `flush`.
  CLAP_PARAM_REQUIRES_PROCESS = 1 << 15,
  /// A stepped parameter, each of whose values has a text.
  CLAP_PARAM_IS_ENUM = 1 << 16,
};

typedef struct clap_param_info {
  clap_id id;
  clap_param_info_flags flags;
  /// What the host may put in events, so that the plugin finds the parameter faster.
  void *cookie;
  char name[CLAP_NAME_SIZE];
  /// The group, with `/` between the levels.
  char module[CLAP_PATH_SIZE];
  double min_value;
  double max_value;
  double default_value;
} clap_param_info_t;

typedef struct clap_plugin_params {
  uint32_t (*count)(const clap_plugin_t *plugin);
  bool (*get_info)(const clap_plugin_t *plugin, uint32_t param_index, clap_param_info_t *param_info);
  /// The value without modulation.
  bool (*get_value)(const clap_plugin_t *plugin, clap_id param_id, double *out_value);
  /// Writes a text with its end.
  bool (*value_to_text)(const clap_plugin_t *plugin, clap_id param_id, double value, char *out_buffer,
                        uint32_t out_buffer_capacity);
  bool (*text_to_value)(const clap_plugin_t *plugin, clap_id param_id, const char *param_value_text, double *out_value);
  /// Takes and sends values without rendering. Audio thread while the plugin is active, but not during `process`;
  /// otherwise the main thread.
  void (*flush)(const clap_plugin_t *plugin, const clap_input_events_t *in, const clap_output_events_t *out);
} clap_plugin_params_t;

typedef uint32_t clap_param_rescan_flags;

enum {
  CLAP_PARAM_RESCAN_VALUES = 1 << 0,
  CLAP_PARAM_RESCAN_TEXT = 1 << 1,
  /// Names, modules, hidden, periodic.
  CLAP_PARAM_RESCAN_INFO = 1 << 2,
  /// All else. Not while the plugin is active.
  CLAP_PARAM_RESCAN_ALL = 1 << 3,
};

typedef uint32_t clap_param_clear_flags;

enum {
  CLAP_PARAM_CLEAR_ALL = 1 << 0,
  CLAP_PARAM_CLEAR_AUTOMATIONS = 1 << 1,
  CLAP_PARAM_CLEAR_MODULATIONS = 1 << 2,
};

typedef struct clap_host_params {
  void (*rescan)(const clap_host_t *host, clap_param_rescan_flags flags);
  void (*clear)(const clap_host_t *host, clap_id param_id, clap_param_clear_flags flags);
  /// Any thread but the audio thread.
  void (*request_flush)(const clap_host_t *host);
} clap_host_params_t;

// MARK: State

/// Where the host reads a state from. A call may read less than `size`.
typedef struct clap_istream {
  void *ctx;
  /// Returns the bytes read, 0 at the end, or -1 after an error.
  int64_t (*read)(const struct clap_istream *stream, void *buffer, uint64_t size);
} clap_istream_t;

/// Where the host writes a state to. A call may write less than `size`.
typedef struct clap_ostream {
  void *ctx;
  /// Returns the bytes written, or -1 after an error.
  int64_t (*write)(const struct clap_ostream *stream, const void *buffer, uint64_t size);
} clap_ostream_t;

#define CLAP_EXT_STATE "clap.state"

typedef struct clap_plugin_state {
  bool (*save)(const clap_plugin_t *plugin, const clap_ostream_t *stream);
  bool (*load)(const clap_plugin_t *plugin, const clap_istream_t *stream);
} clap_plugin_state_t;

typedef struct clap_host_state {
  /// What a session contains has changed without an event of a parameter.
  void (*mark_dirty)(const clap_host_t *host);
} clap_host_state_t;

#define CLAP_EXT_STATE_CONTEXT "clap.state-context/2"

enum {
  CLAP_STATE_CONTEXT_FOR_PRESET = 1,
  CLAP_STATE_CONTEXT_FOR_DUPLICATE = 2,
  CLAP_STATE_CONTEXT_FOR_PROJECT = 3,
};

/// Saves and loads for a purpose. A plugin with this extension has `CLAP_EXT_STATE`, too.
typedef struct clap_plugin_state_context {
  bool (*save)(const clap_plugin_t *plugin, const clap_ostream_t *stream, uint32_t context_type);
  bool (*load)(const clap_plugin_t *plugin, const clap_istream_t *stream, uint32_t context_type);
} clap_plugin_state_context_t;

// MARK: Latency, tail and rendering

#define CLAP_EXT_LATENCY "clap.latency"

typedef struct clap_plugin_latency {
  /// Returns frames. While the plugin is active or being activated.
  uint32_t (*get)(const clap_plugin_t *plugin);
} clap_plugin_latency_t;

typedef struct clap_host_latency {
  /// During `activate` only.
  void (*changed)(const clap_host_t *host);
} clap_host_latency_t;

#define CLAP_EXT_TAIL "clap.tail"

typedef struct clap_plugin_tail {
  /// Returns frames; `INT32_MAX` and more have no end. Main or audio thread.
  uint32_t (*get)(const clap_plugin_t *plugin);
} clap_plugin_tail_t;

typedef struct clap_host_tail {
  /// Audio thread.
  void (*changed)(const clap_host_t *host);
} clap_host_tail_t;

#define CLAP_EXT_RENDER "clap.render"

typedef int32_t clap_plugin_render_mode;

enum {
  CLAP_RENDER_REALTIME = 0,
  /// Cycles have no deadline.
  CLAP_RENDER_OFFLINE = 1,
};

typedef struct clap_plugin_render {
  /// True if the plugin cannot render offline.
  bool (*has_hard_realtime_requirement)(const clap_plugin_t *plugin);
  bool (*set)(const clap_plugin_t *plugin, clap_plugin_render_mode mode);
} clap_plugin_render_t;

// MARK: Presets

#define CLAP_EXT_PRESET_LOAD "clap.preset-load/2"
/// The same structures under the ID of the draft, which older hosts ask for.
#define CLAP_EXT_PRESET_LOAD_COMPAT "clap.preset-load.draft/2"

typedef struct clap_plugin_preset_load {
  /// Loads what a provider has found: kind, location and key are the provider's.
  bool (*from_location)(const clap_plugin_t *plugin, uint32_t location_kind, const char *location,
                        const char *load_key);
} clap_plugin_preset_load_t;

typedef struct clap_host_preset_load {
  void (*on_error)(const clap_host_t *host, uint32_t location_kind, const char *location, const char *load_key,
                   int32_t os_error, const char *msg);
  void (*loaded)(const clap_host_t *host, uint32_t location_kind, const char *location, const char *load_key);
} clap_host_preset_load_t;

// MARK: Names, pages and voices

#define CLAP_EXT_NOTE_NAME "clap.note-name"

/// A name of the notes that match; -1 matches every value.
typedef struct clap_note_name {
  char name[CLAP_NAME_SIZE];
  int16_t port;
  int16_t key;
  int16_t channel;
} clap_note_name_t;

typedef struct clap_plugin_note_name {
  uint32_t (*count)(const clap_plugin_t *plugin);
  bool (*get)(const clap_plugin_t *plugin, uint32_t index, clap_note_name_t *note_name);
} clap_plugin_note_name_t;

typedef struct clap_host_note_name {
  void (*changed)(const clap_host_t *host);
} clap_host_note_name_t;

#define CLAP_EXT_REMOTE_CONTROLS "clap.remote-controls/2"
#define CLAP_EXT_REMOTE_CONTROLS_COMPAT "clap.remote-controls.draft/2"

enum { CLAP_REMOTE_CONTROLS_COUNT = 8 };

/// The parameters for a page of a controller's knobs.
typedef struct clap_remote_controls_page {
  char section_name[CLAP_NAME_SIZE];
  clap_id page_id;
  char page_name[CLAP_NAME_SIZE];
  /// `CLAP_INVALID_ID` for a knob without a parameter.
  clap_id param_ids[CLAP_REMOTE_CONTROLS_COUNT];
  bool is_for_preset;
} clap_remote_controls_page_t;

typedef struct clap_plugin_remote_controls {
  uint32_t (*count)(const clap_plugin_t *plugin);
  bool (*get)(const clap_plugin_t *plugin, uint32_t page_index, clap_remote_controls_page_t *page);
} clap_plugin_remote_controls_t;

typedef struct clap_host_remote_controls {
  void (*changed)(const clap_host_t *host);
  void (*suggest_page)(const clap_host_t *host, clap_id page_id);
} clap_host_remote_controls_t;

#define CLAP_EXT_PARAM_INDICATION "clap.param-indication/4"
#define CLAP_EXT_PARAM_INDICATION_COMPAT "clap.param-indication.draft/4"

typedef struct clap_color {
  uint8_t alpha;
  uint8_t red;
  uint8_t green;
  uint8_t blue;
} clap_color_t;

enum {
  CLAP_PARAM_INDICATION_AUTOMATION_NONE = 0,
  CLAP_PARAM_INDICATION_AUTOMATION_PRESENT = 1,
  CLAP_PARAM_INDICATION_AUTOMATION_PLAYING = 2,
  CLAP_PARAM_INDICATION_AUTOMATION_RECORDING = 3,
  /// A user overrides what plays.
  CLAP_PARAM_INDICATION_AUTOMATION_OVERRIDING = 4,
};

/// What the plugin's window may show. Color, label and description may be null.
typedef struct clap_plugin_param_indication {
  void (*set_mapping)(const clap_plugin_t *plugin, clap_id param_id, bool has_mapping, const clap_color_t *color,
                      const char *label, const char *description);
  void (*set_automation)(const clap_plugin_t *plugin, clap_id param_id, uint32_t automation_state,
                         const clap_color_t *color);
} clap_plugin_param_indication_t;

#define CLAP_EXT_VOICE_INFO "clap.voice-info"

enum {
  /// Notes of one key may overlap, with numbers of their own.
  CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES = 1 << 0,
};

typedef struct clap_voice_info {
  /// 1 to the capacity.
  uint32_t voice_count;
  uint32_t voice_capacity;
  uint64_t flags;
} clap_voice_info_t;

typedef struct clap_plugin_voice_info {
  /// While the plugin is active.
  bool (*get)(const clap_plugin_t *plugin, clap_voice_info_t *info);
} clap_plugin_voice_info_t;

typedef struct clap_host_voice_info {
  void (*changed)(const clap_host_t *host);
} clap_host_voice_info_t;

// MARK: The host's log and threads

#define CLAP_EXT_LOG "clap.log"

typedef int32_t clap_log_severity;

enum {
  CLAP_LOG_DEBUG = 0,
  CLAP_LOG_INFO = 1,
  CLAP_LOG_WARNING = 2,
  CLAP_LOG_ERROR = 3,
  CLAP_LOG_FATAL = 4,
  /// Faults in the use of the interface.
  CLAP_LOG_HOST_MISBEHAVING = 5,
  CLAP_LOG_PLUGIN_MISBEHAVING = 6,
};

typedef struct clap_host_log {
  /// Any thread.
  void (*log)(const clap_host_t *host, clap_log_severity severity, const char *msg);
} clap_host_log_t;

#define CLAP_EXT_THREAD_CHECK "clap.thread-check"

typedef struct clap_host_thread_check {
  // Any thread.
  bool (*is_main_thread)(const clap_host_t *host);
  bool (*is_audio_thread)(const clap_host_t *host);
} clap_host_thread_check_t;
