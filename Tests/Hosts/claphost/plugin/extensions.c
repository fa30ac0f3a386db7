// Ports, parameters, states and the other extensions.
#include "plugin.h"
#include <strings.h>

// MARK: Ports

static uint32_t audio_count(const clap_plugin_t *plugin, bool input) { return !input || self(plugin)->is_effect; }

static bool audio_get(const clap_plugin_t *plugin, uint32_t index, bool input, clap_audio_port_info_t *info) {
  if (index >= audio_count(plugin, input)) return false;
  bool pair = self(plugin)->is_effect || fault("audio_ports");
  *info = (clap_audio_port_info_t){
      self(plugin)->activations && fault("ports_change") ? 8 : 7,
      "Main",
      CLAP_AUDIO_PORT_IS_MAIN | (self(plugin)->is_effect ? CLAP_AUDIO_PORT_SUPPORTS_64BITS : 0),
      2,
      CLAP_PORT_STEREO,
      pair ? 7 : CLAP_INVALID_ID};
  return true;
}

static uint32_t note_count(const clap_plugin_t *plugin, bool input) {
  return input && !self(plugin)->is_effect && !fault("category");
}

static bool note_get(const clap_plugin_t *plugin, uint32_t index, bool input, clap_note_port_info_t *info) {
  if (index >= note_count(plugin, input)) return false;
  *info = (clap_note_port_info_t){1, CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI,
                                  fault("note_ports") ? 8 : CLAP_NOTE_DIALECT_CLAP, "Notes"};
  return true;
}

// MARK: Parameters

static int cookies[PARAMETERS] = {0, 1, 2};

static uint32_t param_count(const clap_plugin_t *plugin) { return (void)plugin, PARAMETERS; }

static bool param_info(const clap_plugin_t *plugin, uint32_t index, clap_param_info_t *info) {
  (void)plugin;
  if (index >= PARAMETERS) return false;
  const Parameter *p = &parameters[index];
  *info = (clap_param_info_t){.id = p->id,
                              .flags = p->flags,
                              .cookie = &cookies[index],
                              .min_value = p->min,
                              .max_value = p->max,
                              .default_value = fault("parameters") ? p->max + 1 : p->initial};
  strcpy(info->name, p->name);
  strcpy(info->module, p->module);
  return true;
}

static bool param_value(const clap_plugin_t *plugin, clap_id id, double *value) {
  int index = parameter_index(id);
  if (fault("unknown_parameters") && index < 0) index = 0;
  abort_if(self(plugin)->in_process, "value_in_cycle");
  if (index >= 0) *value = self(plugin)->values[index];
  return index >= 0;
}

static const char *const shapes[] = {"sine", "square", "saw"};

static bool value_to_text(const clap_plugin_t *plugin, clap_id id, double value, char *text, uint32_t size) {
  (void)plugin;
  uint32_t limit = fault("long_texts") ? 64 : size;
  int shape = isnan(value) ? 0 : (int)fmin(fmax(value, 0), 2);
  if (id == SHAPE) snprintf(text, limit, "%s", shapes[shape]);
  else if (id == RELEASE) snprintf(text, limit, "%.1f ms", value * 1000);
  else if (id == LEVEL) snprintf(text, limit, "%.3f", value);
  else return false;
  return true;
}

static bool text_to_value(const clap_plugin_t *plugin, clap_id id, const char *text, double *value) {
  (void)plugin;
  if (id == SHAPE) {
    for (int i = 0; i < 3; i++)
      if (!strcasecmp(text, shapes[i])) return *value = i, true;
    return false;
  }
  char *rest;
  double number = strtod(text, &rest);
  if (rest == text || (!isfinite(number) && !fault("garbage_texts")) || parameter_index(id) < 0) return false;
  *value = id == RELEASE && !fault("texts") ? number / 1000 : number;
  return true;
}

static void flush(const clap_plugin_t *plugin, const clap_input_events_t *in, const clap_output_events_t *out) {
  (void)out;
  for (uint32_t i = 0; i < in->size(in) && !fault("flush"); i++) take_event(self(plugin), in->get(in, i));
}

// MARK: State

typedef struct {
  char magic[8];
  double values[PARAMETERS];
  uint64_t sum;
} Saved;

static uint64_t sum_of(const Saved *saved) {
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < offsetof(Saved, sum); i++) sum = (sum ^ ((const uint8_t *)saved)[i]) * 1099511628211u;
  return sum;
}

static bool save(const clap_plugin_t *plugin, const clap_ostream_t *stream) {
  if (fault("save_in_cycle") && self(plugin)->in_process) abort();
  Saved saved = {.magic = "CLAPHOS"};
  for (int i = 0; i < PARAMETERS; i++) saved.values[i] = self(plugin)->values[i];
  static char number;
  if (fault("equal_states")) saved.magic[7] = number++;
  saved.sum = sum_of(&saved);
  for (size_t done = 0; done < sizeof saved;) {
    int64_t count = stream->write(stream, (const uint8_t *)&saved + done, sizeof saved - done);
    if (count <= 0) return fault("stream_errors");
    done += fault("partial_writes") ? sizeof saved : (size_t)count;
  }
  return true;
}

static bool load(const clap_plugin_t *plugin, const clap_istream_t *stream) {
  abort_if(self(plugin)->in_process, "load_in_cycle");
  if (fault("load_while_active") && self(plugin)->activations) return false;
  Saved saved;
  memset(&saved, 0, sizeof saved);
  size_t done = 0;
  for (int64_t count; done < sizeof saved; done += (size_t)count) {
    count = stream->read(stream, (uint8_t *)&saved + done, sizeof saved - done);
    if (count == 0 && ((fault("empty_states") && !done) || (fault("truncated_states") && done))) return true;
    if (count <= 0) return fault("stream_errors");
    if (fault("partial_reads")) break;
  }
  char more;
  abort_if(fault("more_bytes") && stream->read(stream, &more, 1) > 0, "more_bytes");
  if (fault("refused_states_change"))
    for (int i = 0; i < PARAMETERS; i++) set_value(self(plugin), i, saved.values[i]);
  if (!fault("random_states") && (memcmp(saved.magic, "CLAPHOS", 7) || saved.sum != sum_of(&saved))) return false;
  for (int i = fault("lost_values"); i < PARAMETERS; i++) set_value(self(plugin), i, saved.values[i]);
  values_changed(self(plugin));
  return true;
}

static bool save_for(const clap_plugin_t *plugin, const clap_ostream_t *stream, uint32_t context) {
  return (void)context, save(plugin, stream);
}
static bool load_for(const clap_plugin_t *plugin, const clap_istream_t *stream, uint32_t context) {
  return !(fault("contexts") && context == CLAP_STATE_CONTEXT_FOR_DUPLICATE) && load(plugin, stream);
}

// MARK: The others

static uint32_t latency(const clap_plugin_t *plugin) { return self(plugin)->latency; }
static uint32_t tail(const clap_plugin_t *plugin) {
  abort_if(gettid() != getpid(), "tail");
  return (uint32_t)(self(plugin)->rate / 2);
}
static bool is_hard(const clap_plugin_t *plugin) { return (void)plugin, false; }
static bool set_mode(const clap_plugin_t *plugin, clap_plugin_render_mode mode) {
  return (void)plugin, mode == 0 || mode == 1 || fault("modes");
}
static uint32_t name_count(const clap_plugin_t *plugin) { return (void)plugin, 1; }

static bool name_get(const clap_plugin_t *plugin, uint32_t index, clap_note_name_t *name) {
  (void)plugin;
  *name = (clap_note_name_t){"Middle C", -1, fault("note_names") ? 200 : 60, -1};
  return index == 0;
}

static bool page_get(const clap_plugin_t *plugin, uint32_t index, clap_remote_controls_page_t *page) {
  (void)plugin;
  clap_id none = CLAP_INVALID_ID, last = fault("pages") ? 99 : RELEASE;
  *page = (clap_remote_controls_page_t){"Main", 1, "Main", {LEVEL, SHAPE, last, none, none, none, none, none}, false};
  return index == 0;
}

static bool voices(const clap_plugin_t *plugin, clap_voice_info_t *info) {
  (void)plugin;
  *info = (clap_voice_info_t){VOICES, fault("voices") ? 1 : VOICES, CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES};
  return true;
}

static bool is_api_supported(const clap_plugin_t *plugin, const char *api, bool is_floating) {
  (void)plugin;
  return is_floating && (fault("any_window") || (api && !strcmp(api, CLAP_WINDOW_API_X11)));
}

static bool preferred_api(const clap_plugin_t *plugin, const char **api, bool *is_floating) {
  (void)plugin;
  *api = CLAP_WINDOW_API_X11;
  *is_floating = true;
  return true;
}

static bool create_window(const clap_plugin_t *plugin, const char *api, bool is_floating) {
  return is_floating && (!api || is_api_supported(plugin, api, true));
}

static void destroy_window(const clap_plugin_t *plugin) { (void)plugin; }

static bool set_transient(const clap_plugin_t *plugin, const clap_window_t *window) {
  (void)plugin, (void)window;
  return true;
}

static void suggest_title(const clap_plugin_t *plugin, const char *title) { (void)plugin, (void)title; }

static bool set_scale(const clap_plugin_t *plugin, double scale) {
  (void)plugin, (void)scale;
  return false;
}

static bool no_size(const clap_plugin_t *plugin, uint32_t *width, uint32_t *height) {
  (void)plugin, (void)width, (void)height;
  return false;
}

static bool can_resize(const clap_plugin_t *plugin) {
  (void)plugin;
  return false;
}

static bool resize_hints(const clap_plugin_t *plugin, clap_gui_resize_hints_t *hints) {
  (void)plugin, (void)hints;
  return false;
}

static bool set_size(const clap_plugin_t *plugin, uint32_t width, uint32_t height) {
  (void)plugin, (void)width, (void)height;
  return false;
}

static bool set_parent(const clap_plugin_t *plugin, const clap_window_t *window) {
  (void)plugin, (void)window;
  return false;
}

static bool show_window(const clap_plugin_t *plugin) {
  (void)plugin;
  return !fault("no_window");
}

static bool hide_window(const clap_plugin_t *plugin) {
  (void)plugin;
  return true;
}

static void set_mapping(const clap_plugin_t *plugin, clap_id id, bool has, const clap_color_t *color, const char *label,
                        const char *text) {
  (void)id, (void)has, (void)color, (void)label, (void)text;
  if (fault("indications")) self(plugin)->values[0] = 0.123;
}

static void set_automation(const clap_plugin_t *plugin, clap_id id, uint32_t state, const clap_color_t *color) {
  (void)plugin, (void)id, (void)state, (void)color;
}

static bool load_preset(const clap_plugin_t *plugin, uint32_t kind, const char *location, const char *key) {
  Plugin *me = self(plugin);
  abort_if(me->in_process, "preset_in_cycle");
  const clap_host_preset_load_t *host = me->host->get_extension(me->host, CLAP_EXT_PRESET_LOAD);
  if (!fault("unknown_presets") && (kind != CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN || !key || !apply_preset(me, key))) {
    if (host) host->on_error(me->host, kind, location, key, 0, "there is no such preset");
    return false;
  }
  values_changed(me);
  if (host && !fault("loaded_presets")) host->loaded(me->host, kind, location, key);
  return true;
}

const void *get_extension(const clap_plugin_t *plugin, const char *id) {
  static const clap_plugin_audio_ports_t audio_ports = {audio_count, audio_get};
  static const clap_plugin_note_ports_t note_ports = {note_count, note_get};
  static const clap_plugin_params_t params = {param_count,   param_info,    param_value,
                                              value_to_text, text_to_value, flush};
  static const clap_plugin_state_t state = {save, load};
  static const clap_plugin_state_context_t state_context = {save_for, load_for};
  static const clap_plugin_latency_t latency_extension = {latency};
  static const clap_plugin_tail_t tail_extension = {tail};
  static const clap_plugin_render_t render_extension = {is_hard, set_mode};
  static const clap_plugin_note_name_t note_name = {name_count, name_get};
  static const clap_plugin_remote_controls_t remote_controls = {name_count, page_get};
  static const clap_plugin_voice_info_t voice_info = {voices};
  static const clap_plugin_gui_t gui = {
      is_api_supported, preferred_api, create_window, destroy_window, set_scale,     no_size,     can_resize, resize_hints,
      no_size,          set_size,      set_parent,    set_transient,  suggest_title, show_window, hide_window};
  static const clap_plugin_param_indication_t indication = {set_mapping, set_automation};
  static const clap_plugin_preset_load_t preset_load = {load_preset};
  static const struct {
    const char *id;
    const void *extension;
  } all[] = {{CLAP_EXT_AUDIO_PORTS, &audio_ports},
             {CLAP_EXT_NOTE_PORTS, &note_ports},
             {CLAP_EXT_PARAMS, &params},
             {CLAP_EXT_STATE, &state},
             {CLAP_EXT_STATE_CONTEXT, &state_context},
             {CLAP_EXT_LATENCY, &latency_extension},
             {CLAP_EXT_TAIL, &tail_extension},
             {CLAP_EXT_RENDER, &render_extension},
             {CLAP_EXT_NOTE_NAME, &note_name},
             {CLAP_EXT_REMOTE_CONTROLS, &remote_controls},
             {CLAP_EXT_VOICE_INFO, &voice_info},
             {CLAP_EXT_GUI, &gui},
             {CLAP_EXT_PARAM_INDICATION, &indication},
             {CLAP_EXT_PRESET_LOAD, &preset_load}};
  static const clap_plugin_latency_t wrong = {NULL};
  abort_if(self(plugin)->in_process, "extension_in_cycle");
  if (fault("extension_in_thread") && gettid() != getpid()) return NULL;
  if (fault("null_function") && !strcmp(id, CLAP_EXT_LATENCY)) return &wrong;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (!strcmp(all[i].id, id)) return all[i].extension;
  return fault("any_extension") ? &params : NULL;
}
