// The host's side of an instance. A call from a thread that may not make it, or at a wrong time, fails the check.
#include "claphost.h"
#include "host.h"

static Instance *instance_of(const clap_host_t *host) { return host->host_data; }

static void expect_main_thread(const char *function) {
  expect(role == MAIN_THREAD, "the plugin calls the host's %s outside the main thread", function);
}

// MARK: Requests

static void request_restart(const clap_host_t *host) { instance_of(host)->wants_restart = true; }
static void request_process(const clap_host_t *host) { instance_of(host)->wants_process = true; }
static void request_callback(const clap_host_t *host) { instance_of(host)->wants_callback = true; }

// MARK: Extensions

static bool is_rescan_flag_supported(const clap_host_t *host, uint32_t flag) {
  (void)host, (void)flag;
  expect_main_thread("audio_ports.is_rescan_flag_supported");
  return true;
}

static void rescan_audio_ports(const clap_host_t *host, uint32_t flags) {
  expect_main_thread("audio_ports.rescan");
  expect(flags == CLAP_AUDIO_PORTS_RESCAN_NAMES || !instance_of(host)->active || instance_of(host)->activating,
         "the audio ports of an active plugin change");
}

static uint32_t supported_dialects(const clap_host_t *host) {
  (void)host;
  expect_main_thread("note_ports.supported_dialects");
  return CLAP_NOTE_DIALECT_CLAP | CLAP_NOTE_DIALECT_MIDI;
}

static void rescan_note_ports(const clap_host_t *host, uint32_t flags) {
  expect_main_thread("note_ports.rescan");
  expect(flags == CLAP_NOTE_PORTS_RESCAN_NAMES || !instance_of(host)->active,
         "the note ports of an active plugin change");
}

static void rescan_params(const clap_host_t *host, clap_param_rescan_flags flags) {
  Instance *instance = instance_of(host);
  expect_main_thread("params.rescan");
  expect(!(flags & CLAP_PARAM_RESCAN_ALL) || !instance->active, "all parameters of an active plugin change");
  atomic_fetch_or(&instance->rescans, flags);
}

static void clear_param(const clap_host_t *host, clap_id id, clap_param_clear_flags flags) {
  (void)host, (void)id, (void)flags;
  expect_main_thread("params.clear");
}

static void request_flush(const clap_host_t *host) {
  expect(role != AUDIO_THREAD, "the plugin requests a flush in the audio thread");
  instance_of(host)->wants_flush = true;
}

static void mark_dirty(const clap_host_t *host) {
  expect_main_thread("state.mark_dirty");
  instance_of(host)->dirty++;
}

static void latency_changed(const clap_host_t *host) {
  expect_main_thread("latency.changed");
  expect(instance_of(host)->activating || !instance_of(host)->active, "the latency of an active plugin changes");
}

static void tail_changed(const clap_host_t *host) {
  (void)host;
  expect(role == AUDIO_THREAD, "the plugin calls tail.changed outside the audio thread");
}

static void note_names_changed(const clap_host_t *host) { (void)host, expect_main_thread("note_name.changed"); }
static void voices_changed(const clap_host_t *host) { (void)host, expect_main_thread("voice_info.changed"); }
static void pages_changed(const clap_host_t *host) { (void)host, expect_main_thread("remote_controls.changed"); }

static void suggest_page(const clap_host_t *host, clap_id page) {
  (void)host, (void)page;
  expect_main_thread("remote_controls.suggest_page");
}

static void preset_error(const clap_host_t *host, uint32_t kind, const char *location, const char *key, int32_t error,
                         const char *message) {
  (void)kind, (void)location, (void)key;
  Instance *instance = instance_of(host);
  expect_main_thread("preset_load.on_error");
  instance->preset_errors++;
  snprintf(instance->preset_error, sizeof instance->preset_error, "%s (%d)", message ? message : "", error);
}

static void preset_loaded(const clap_host_t *host, uint32_t kind, const char *location, const char *key) {
  Instance *instance = instance_of(host);
  expect_main_thread("preset_load.loaded");
  expect((kind == CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN) == !location, "kind %u has the location %s", kind,
         location ? location : "null");
  instance->presets_loaded++;
  snprintf(instance->preset_key, sizeof instance->preset_key, "%s", key ? key : "");
}

static void log_line(const clap_host_t *host, clap_log_severity severity, const char *message) {
  (void)host;
  static const char *const names[] = {
      "debug", "info", "warning", "error", "fatal", "host misbehaves", "plugin misbehaves"};
  expect(severity >= 0 && severity < 7, "severity %d of the log", severity);
  expect(message && *message, "the plugin logs nothing");
  fprintf(stderr, "[%s] %s\n", names[severity], message);
}

static bool is_main_thread(const clap_host_t *host) { return (void)host, role == MAIN_THREAD; }
static bool is_audio_thread(const clap_host_t *host) { return (void)host, role == AUDIO_THREAD; }

static const clap_host_audio_ports_t audio_ports = {is_rescan_flag_supported, rescan_audio_ports};
static const clap_host_note_ports_t note_ports = {supported_dialects, rescan_note_ports};
static const clap_host_params_t params = {rescan_params, clear_param, request_flush};
static const clap_host_state_t state = {mark_dirty};
static const clap_host_latency_t latency = {latency_changed};
static const clap_host_tail_t tail = {tail_changed};
static const clap_host_note_name_t note_name = {note_names_changed};
static const clap_host_voice_info_t voice_info = {voices_changed};
static const clap_host_remote_controls_t remote_controls = {pages_changed, suggest_page};
static const clap_host_preset_load_t preset_load = {preset_error, preset_loaded};
static const clap_host_log_t host_log = {log_line};
static const clap_host_thread_check_t thread_check = {is_main_thread, is_audio_thread};

static const struct {
  const char *id;
  const void *extension;
} extensions[] = {
    {CLAP_EXT_AUDIO_PORTS, &audio_ports},
    {CLAP_EXT_NOTE_PORTS, &note_ports},
    {CLAP_EXT_PARAMS, &params},
    {CLAP_EXT_STATE, &state},
    {CLAP_EXT_LATENCY, &latency},
    {CLAP_EXT_TAIL, &tail},
    {CLAP_EXT_NOTE_NAME, &note_name},
    {CLAP_EXT_VOICE_INFO, &voice_info},
    {CLAP_EXT_REMOTE_CONTROLS, &remote_controls},
    {CLAP_EXT_REMOTE_CONTROLS_COMPAT, &remote_controls},
    {CLAP_EXT_PRESET_LOAD, &preset_load},
    {CLAP_EXT_PRESET_LOAD_COMPAT, &preset_load},
    {CLAP_EXT_LOG, &host_log},
    {CLAP_EXT_THREAD_CHECK, &thread_check},
};

static const void *get_extension(const clap_host_t *host, const char *id) {
  expect(id, "the plugin asks the host for the extension null");
  expect(instance_of(host)->initializing || instance_of(host)->initialized,
         "the plugin asks for the host's extension %s before its init", id);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (!strcmp(extensions[i].id, id)) return extensions[i].extension;
  return NULL;
}

clap_host_t make_host(Instance *instance) {
  return (clap_host_t){{CLAP_VERSION_MAJOR, CLAP_VERSION_MINOR, CLAP_VERSION_REVISION},
                       instance,
                       "claphost",
                       "Portative",
                       "",
                       "1.0.0",
                       get_extension,
                       request_restart,
                       request_process,
                       request_callback};
}

// MARK: What the plugin sends

static bool try_push(const clap_output_events_t *list, const clap_event_header_t *event) {
  Instance *instance = list->ctx;
  expect(event && event->size >= sizeof *event, "the plugin sends an event without a header");
  if (event->space_id != CLAP_CORE_EVENT_SPACE_ID) return false;
  static const uint32_t sizes[] = {40, 40, 40, 40, 40, 56, 56, 20, 20, 104, 24, 40, 36};
  expect(event->type < sizeof sizes / sizeof *sizes, "the plugin sends an event of type %u", event->type);
  expect(event->size == sizes[event->type], "the plugin sends an event of type %u with %u bytes", event->type,
         event->size);
  expect(event->type != CLAP_EVENT_PARAM_MOD && event->type != CLAP_EVENT_TRANSPORT, "the plugin sends type %u",
         event->type);
  expect(event->time >= instance->last_pushed_frame, "the plugin's event at frame %u follows one at frame %u",
         event->time, instance->last_pushed_frame);
  instance->last_pushed_frame = event->time;
  instance->pushed++;
  return true;
}

clap_output_events_t output_list(Instance *instance) {
  instance->last_pushed_frame = 0;
  return (clap_output_events_t){instance, try_push};
}
