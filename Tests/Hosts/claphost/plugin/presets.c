// Presets in the shared object itself.
#include "plugin.h"

static const struct {
  const char *name, *key;
  double values[PARAMETERS];
} list[] = {{"Soft", "soft", {0.5, 0, 0.1}}, {"Square", "square", {1, 1, 0.05}}, {"Saw", "saw", {1.5, 2, 0.2}}};
enum { COUNT = sizeof list / sizeof *list };

bool apply_preset(Plugin *plugin, const char *key) {
  for (int i = 0; i < COUNT; i++)
    if (!strcmp(list[i].key, key)) {
      for (int k = 0; k < PARAMETERS && !fault("idle_presets"); k++) set_value(plugin, k, list[i].values[k]);
      return true;
    }
  return false;
}

typedef struct {
  clap_preset_discovery_provider_t provider;
  const clap_preset_discovery_indexer_t *indexer;
} Provider;

static bool init(const clap_preset_discovery_provider_t *provider) {
  const clap_preset_discovery_indexer_t *indexer = ((Provider *)provider->provider_data)->indexer;
  clap_preset_discovery_location_t location = {CLAP_PRESET_DISCOVERY_IS_FACTORY_CONTENT, "Factory",
                                               CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN,
                                               fault("locations") ? "relative" : NULL};
  return indexer->declare_location(indexer, &location);
}

static void destroy(const clap_preset_discovery_provider_t *provider) { free(provider->provider_data); }

static bool get_metadata(const clap_preset_discovery_provider_t *provider, uint32_t kind, const char *location,
                         const clap_preset_discovery_metadata_receiver_t *receiver) {
  (void)provider, (void)location;
  if (kind != CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN && !fault("any_file")) return false;
  for (int i = 0; i < COUNT; i++) {
    if (!receiver->begin_preset(receiver, list[i].name, fault("keys") ? NULL : list[i].key)) break;
    for (int k = 0; k < 2; k++)
      receiver->add_plugin_id(receiver, &(clap_universal_plugin_id_t){"clap", descriptors[k].id});
  }
  return true;
}

static const void *no_extension(const clap_preset_discovery_provider_t *provider, const char *id) {
  return (void)provider, (void)id, NULL;
}

static const clap_preset_discovery_provider_descriptor_t descriptor = {
    {CLAP_VERSION_MAJOR, CLAP_VERSION_MINOR, CLAP_VERSION_REVISION},
    "org.portative.test.presets",
    "Test Presets",
    "Portative"};

static uint32_t count(const clap_preset_discovery_factory_t *factory) { return (void)factory, 1; }

static const clap_preset_discovery_provider_descriptor_t *get_descriptor(const clap_preset_discovery_factory_t *factory,
                                                                         uint32_t index) {
  return (void)factory, index ? NULL : &descriptor;
}

static const clap_preset_discovery_provider_t *create(const clap_preset_discovery_factory_t *factory,
                                                      const clap_preset_discovery_indexer_t *indexer, const char *id) {
  (void)factory;
  if (strcmp(id, descriptor.id) && !fault("any_provider")) return NULL;
  Provider *made = calloc(1, sizeof *made);
  *made = (Provider){{&descriptor, made, init, destroy, get_metadata, no_extension}, indexer};
  return &made->provider;
}

const clap_preset_discovery_factory_t presets = {count, get_descriptor, create};
