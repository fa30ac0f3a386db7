// The entry, the factory and the life of instances.
#include "plugin.h"

bool fault(const char *name) {
  const char *wanted = getenv("CLAPHOST_FAULT");
  return wanted && !strcmp(wanted, name);
}

void abort_if(bool condition, const char *name) {
  if (condition && fault(name)) abort();
}

static const char *const instrument_features[] = {CLAP_PLUGIN_FEATURE_INSTRUMENT, CLAP_PLUGIN_FEATURE_STEREO, NULL};
static const char *const effect_features[] = {CLAP_PLUGIN_FEATURE_AUDIO_EFFECT, CLAP_PLUGIN_FEATURE_STEREO, NULL};
#define VERSION {CLAP_VERSION_MAJOR, CLAP_VERSION_MINOR, CLAP_VERSION_REVISION}

const clap_plugin_descriptor_t descriptors[2] = {
    {VERSION, "org.portative.test.instrument", "Test Instrument", "Portative", "", "", "", "1.0.0", "",
     instrument_features},
    {VERSION, "org.portative.test.effect", "Test Effect", "Portative", "", "", "", "1.0.0", "", effect_features},
};

// MARK: Instances

static bool initialize(const clap_plugin_t *plugin) {
  for (int i = 0; i < PARAMETERS; i++)
    self(plugin)->values[i] = parameters[i].initial + (fault("values_at_first") ? 0.001 : 0);
  return true;
}

static int instance_count;

static void destroy(const clap_plugin_t *plugin) {
  instance_count--;
  abort_if(!self(plugin)->activations, "destroy");
  abort_if(self(plugin)->activations && !self(plugin)->frames, "destroy_without_cycles");
  free(self(plugin));
}

static bool activate(const clap_plugin_t *plugin, double rate, uint32_t min, uint32_t max) {
  (void)min;
  self(plugin)->rate = rate;
  abort_if(++self(plugin)->activations > 20, "activations");
  return !(fault("rates") && rate != floor(rate)) && !(fault("short_cycles") && max == 1);
}

static void deactivate(const clap_plugin_t *plugin) { end_voices(self(plugin)); }
static bool start_processing(const clap_plugin_t *plugin) { return (void)plugin, true; }
static void stop_processing(const clap_plugin_t *plugin) { self(plugin)->stops++; }
static void reset(const clap_plugin_t *plugin) {
  if (!fault("reset")) end_voices(self(plugin));
}
static void on_main_thread(const clap_plugin_t *plugin) { (void)plugin; }

static const clap_plugin_t *create(const clap_plugin_factory_t *factory, const clap_host_t *host, const char *id) {
  (void)factory;
  abort_if(instances_in_process > 0, "create_in_cycle");
  if (fault("versions") && host->clap_version.minor != CLAP_VERSION_MINOR) return NULL;
  for (int i = 0; i < 2; i++) {
    if (fault("garbage_ids") ? strncmp(id, descriptors[i].id, strlen(descriptors[i].id))
                             : strcmp(id, descriptors[i].id))
      continue;
    if (fault("sixty_four") && instance_count >= 32) return NULL;
    instance_count++;
    if (fault("calls_in_create")) host->get_extension(host, CLAP_EXT_LOG);
    Plugin *made = calloc(1, sizeof *made);
    made->host = host;
    made->is_effect = i == 1;
    made->plugin = (clap_plugin_t){&descriptors[fault("descriptor_of_instance") ? 0 : i],
                                   made,
                                   initialize,
                                   destroy,
                                   activate,
                                   deactivate,
                                   start_processing,
                                   stop_processing,
                                   reset,
                                   process,
                                   get_extension,
                                   on_main_thread};
    return &made->plugin;
  }
  return NULL;
}

// MARK: Factories

static uint32_t count(const clap_plugin_factory_t *factory) { return (void)factory, 2; }

static const clap_plugin_descriptor_t *descriptor(const clap_plugin_factory_t *factory, uint32_t index) {
  (void)factory;
  static const char *const none[] = {"stereo", "stereo", NULL};
  static clap_plugin_descriptor_t wrong;
  wrong = descriptors[index & 1];
  if (fault("features")) wrong.features = none;
  if (fault("equal_ids")) wrong.id = descriptors[0].id;
  if (fault("no_name")) wrong.name = "";
  if (fault("features") || fault("equal_ids") || fault("no_name")) return index < 2 ? &wrong : NULL;
  return index < 2 ? &descriptors[index] : fault("endless_list") ? &descriptors[1] : NULL;
}

static const clap_plugin_factory_t factory = {count, descriptor, create};
static int initializations;

static uint32_t source_count(const clap_plugin_invalidation_factory_t *factory) { return (void)factory, 1; }

static const clap_plugin_invalidation_source_t *source(const clap_plugin_invalidation_factory_t *factory,
                                                       uint32_t index) {
  static const clap_plugin_invalidation_source_t sources[2] = {{"/tmp", "*.plugins", false},
                                                               {"tmp", "*.plugins", false}};
  return (void)factory, index ? NULL : &sources[fault("sources")];
}

static bool refresh(const clap_plugin_invalidation_factory_t *factory) { return (void)factory, true; }

static const clap_plugin_invalidation_factory_t invalidation = {source_count, source, refresh};

static bool init(const char *path) {
  if (fault("slow_scan")) usleep(200000);
  static int calls;
  if (!path || (fault("init_again") && calls++ > 0)) return false;
  return initializations++, true;
}

static void deinit(void) { initializations = fault("uncounted_deinit") ? 0 : initializations - 1; }

static const void *get_factory(const char *id) {
  if (initializations <= 0 || (fault("main_thread") && getpid() != gettid())) return NULL;
  if (!strcmp(id, CLAP_PLUGIN_FACTORY_ID) || fault("any_factory")) return &factory;
  if (!strcmp(id, CLAP_PLUGIN_INVALIDATION_FACTORY_ID)) return &invalidation;
  return !strcmp(id, CLAP_PRESET_DISCOVERY_FACTORY_ID) ? &presets : NULL;
}

const clap_plugin_entry_t clap_entry = {VERSION, init, deinit, get_factory};
