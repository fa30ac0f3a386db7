// Instances of the plugin, with memory for their ports.
#include "claphost.h"
#include "host.h"
#include <sys/mman.h>

Instance *make_instance(void) {
  Instance *instance = calloc(1, sizeof *instance);
  instance->host = make_host(instance);
  instance->plugin = library.factory->create_plugin(library.factory, &instance->host, plugin_id);
  expect(instance->plugin, "the factory makes no %s", plugin_id);
  const clap_plugin_t *plugin = instance->plugin;
  expect(plugin->init && plugin->destroy && plugin->activate && plugin->deactivate && plugin->start_processing &&
             plugin->stop_processing && plugin->reset && plugin->process && plugin->get_extension &&
             plugin->on_main_thread,
         "a function of the plugin is null");
  return instance;
}

static const void *extension(const Instance *instance, const char *id, const char *older) {
  const void *found = instance->plugin->get_extension(instance->plugin, id);
  return found || !older ? found : instance->plugin->get_extension(instance->plugin, older);
}

static void find_extensions(Instance *instance) {
  instance->extensions = (Extensions){
      .audio_ports = extension(instance, CLAP_EXT_AUDIO_PORTS, NULL),
      .note_ports = extension(instance, CLAP_EXT_NOTE_PORTS, NULL),
      .params = extension(instance, CLAP_EXT_PARAMS, NULL),
      .state = extension(instance, CLAP_EXT_STATE, NULL),
      .state_context = extension(instance, CLAP_EXT_STATE_CONTEXT, NULL),
      .latency = extension(instance, CLAP_EXT_LATENCY, NULL),
      .tail = extension(instance, CLAP_EXT_TAIL, NULL),
      .render = extension(instance, CLAP_EXT_RENDER, NULL),
      .preset_load = extension(instance, CLAP_EXT_PRESET_LOAD, CLAP_EXT_PRESET_LOAD_COMPAT),
      .note_name = extension(instance, CLAP_EXT_NOTE_NAME, NULL),
      .remote_controls = extension(instance, CLAP_EXT_REMOTE_CONTROLS, CLAP_EXT_REMOTE_CONTROLS_COMPAT),
      .param_indication = extension(instance, CLAP_EXT_PARAM_INDICATION, CLAP_EXT_PARAM_INDICATION_COMPAT),
      .voice_info = extension(instance, CLAP_EXT_VOICE_INFO, NULL),
      .gui = extension(instance, CLAP_EXT_GUI, NULL),
  };
}

static void find_ports(Instance *instance) {
  const clap_plugin_audio_ports_t *audio = instance->extensions.audio_ports;
  for (int input = 0; input < 2; input++) {
    uint32_t count = audio ? audio->count(instance->plugin, input) : 0;
    expect(count <= PORTS, "the plugin has %u audio ports", count);
    instance->port_count[input] = (int)count;
    instance->channel_count[input] = 0;
    for (uint32_t i = 0; i < count; i++) {
      Port *port = &instance->ports[input][i];
      expect(audio->get(instance->plugin, i, input, &port->info), "audio port %u is not described", i);
      port->first_channel = instance->channel_count[input];
      instance->channel_count[input] += (int)port->info.channel_count;
      expect(instance->channel_count[input] <= CHANNELS, "the plugin has too many channels");
    }
    for (int i = 0; i < instance->channel_count[input]; i++)
      if (!instance->ends[input][i]) instance->ends[input][i] = guarded_end(2 * LONGEST * sizeof(double));
  }
  const clap_plugin_note_ports_t *notes = instance->extensions.note_ports;
  instance->note_input_count = notes ? (int)notes->count(instance->plugin, true) : 0;
  clap_note_port_info_t port;
  if (instance->note_input_count > 0 && notes->get(instance->plugin, 0, true, &port)) {
    instance->dialects = port.supported_dialects;
    instance->preferred_dialect = port.preferred_dialect;
  }
}

void initialize(Instance *instance) {
  instance->initializing = true;
  expect(instance->plugin->init(instance->plugin), "the plugin's init returns false");
  instance->initializing = false;
  instance->initialized = true;
  find_extensions(instance);
  find_ports(instance);
}

// Ports may have changed in `activate`.
void activate(Instance *instance, double rate, uint32_t longest) {
  expect(longest <= 2 * LONGEST, "a check has too long cycles");
  instance->rate = rate;
  instance->longest = longest;
  instance->activating = true;
  expect(instance->plugin->activate(instance->plugin, rate, 1, longest),
         "the plugin's activate(%g, 1, %u) returns false", rate, longest);
  instance->activating = false;
  instance->active = true;
  find_ports(instance);
}

static void start_in_thread(void *context) {
  Instance *instance = context;
  expect(instance->plugin->start_processing(instance->plugin), "the plugin's start_processing returns false");
}

static void stop_in_thread(void *context) {
  Instance *instance = context;
  instance->plugin->stop_processing(instance->plugin);
}

static void reset_in_thread(void *context) {
  Instance *instance = context;
  instance->plugin->reset(instance->plugin);
}

void start(Instance *instance) {
  on_audio_thread(start_in_thread, instance);
  instance->processing = true;
}

void stop(Instance *instance) {
  on_audio_thread(stop_in_thread, instance);
  instance->processing = false;
}

void reset(Instance *instance) { on_audio_thread(reset_in_thread, instance); }

void deactivate(Instance *instance) {
  if (instance->processing) stop(instance);
  instance->plugin->deactivate(instance->plugin);
  instance->active = false;
}

void destroy(Instance *instance) {
  instance->plugin->destroy(instance->plugin);
  clear_events(&instance->events);
  for (int input = 0; input < 2; input++)
    for (int i = 0; i < CHANNELS; i++)
      if (instance->ends[input][i])
        munmap(instance->ends[input][i] - 2 * LONGEST * sizeof(double), 2 * LONGEST * sizeof(double));
  free(instance);
}

Instance *inactive_instance(void) {
  Instance *instance = make_instance();
  initialize(instance);
  const clap_plugin_render_t *render = instance->extensions.render;
  if (render && !render->has_hard_realtime_requirement(instance->plugin)) {
    expect(render->set(instance->plugin, CLAP_RENDER_OFFLINE),
           "the plugin cannot render offline, and needs no real time");
    instance->offline = true;
  }
  return instance;
}

Instance *open_instance(void) {
  Instance *instance = inactive_instance();
  activate(instance, RATE, LONGEST);
  start(instance);
  return instance;
}

void close_instance(Instance *instance) {
  if (instance->active) deactivate(instance);
  destroy(instance);
}

void pump(Instance *instance) {
  if (role != MAIN_THREAD) return;
  if (atomic_exchange(&instance->wants_callback, false)) {
    instance->callbacks++;
    instance->plugin->on_main_thread(instance->plugin);
  }
  if (instance->plays_elsewhere) return;
  if (atomic_exchange(&instance->wants_flush, false) && !instance->processing && instance->extensions.params)
    flush(instance);
  if (atomic_exchange(&instance->wants_restart, false) && instance->processing) {
    deactivate(instance);
    activate(instance, instance->rate, instance->longest);
    start(instance);
  }
}
