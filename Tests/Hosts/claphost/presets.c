// What providers of presets declare, and the presets of their files.
#include "claphost.h"
#include "presets.h"
#include <ftw.h>
#include <sys/stat.h>

enum { LIMIT = 256 };

// What one provider declares.
static struct {
  char extensions[LIMIT][64];
  clap_preset_discovery_location_t locations[LIMIT];
  int extension_count, location_count;
  bool initializing;
} declared;

static bool every_file;

static bool declare_filetype(const clap_preset_discovery_indexer_t *indexer,
                             const clap_preset_discovery_filetype_t *type) {
  (void)indexer;
  expect(declared.initializing, "a type of files is declared outside init");
  expect(type && type->name && *type->name, "a type of files has no name");
  if (!type->file_extension || !*type->file_extension) return every_file = true;
  expect(*type->file_extension != '.', "the extension \"%s\" begins with a dot", type->file_extension);
  expect(declared.extension_count < LIMIT, "too many types of files");
  snprintf(declared.extensions[declared.extension_count++], 64, "%s", type->file_extension);
  return true;
}

static bool declare_location(const clap_preset_discovery_indexer_t *indexer,
                             const clap_preset_discovery_location_t *location) {
  (void)indexer;
  expect(declared.initializing, "a location is declared outside init");
  expect(location && location->name && *location->name, "a location has no name");
  expect(location->kind <= CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, "the location %s is of kind %u", location->name,
         location->kind);
  expect((location->kind == CLAP_PRESET_DISCOVERY_LOCATION_FILE) == !!location->location, "the location of %s is %s",
         location->name, location->location ? location->location : "null");
  expect(!location->location || *location->location == '/', "the path \"%s\" is relative", location->location);
  expect(declared.location_count < LIMIT, "too many locations");
  clap_preset_discovery_location_t *copy = &declared.locations[declared.location_count++];
  *copy = *location;
  copy->name = strdup(location->name);
  copy->location = location->location ? strdup(location->location) : NULL;
  return true;
}

static bool declare_soundpack(const clap_preset_discovery_indexer_t *indexer,
                              const clap_preset_discovery_soundpack_t *pack) {
  (void)indexer;
  expect(declared.initializing, "a pack is declared outside init");
  expect(pack && pack->id && *pack->id && pack->name && *pack->name, "a pack has no ID or name");
  return true;
}

static const void *no_extension(const clap_preset_discovery_indexer_t *indexer, const char *id) {
  return (void)indexer, (void)id, NULL;
}

static const clap_preset_discovery_indexer_t indexer = {{CLAP_VERSION_MAJOR, CLAP_VERSION_MINOR, CLAP_VERSION_REVISION},
                                                        "claphost",
                                                        "Portative",
                                                        "",
                                                        "1.0.0",
                                                        NULL,
                                                        declare_filetype,
                                                        declare_location,
                                                        declare_soundpack,
                                                        no_extension};

// MARK: Metadata

// What one file contains.
static struct {
  Preset *list;
  uint32_t capacity, count, first, keys;
  uint32_t kind;
  const char *location;
  bool reading, started;
} found;

static uint32_t errors;

static void metadata_error(const clap_preset_discovery_metadata_receiver_t *receiver, int32_t os_error,
                           const char *message) {
  (void)receiver, (void)os_error;
  expect(found.reading, "an error is sent outside get_metadata");
  expect(message && *message, "an error has no text");
  errors++;
}

static bool begin_preset(const clap_preset_discovery_metadata_receiver_t *receiver, const char *name, const char *key) {
  (void)receiver;
  expect(found.reading, "a preset is sent outside get_metadata");
  found.started = true;
  if (key && *key) found.keys++;
  uint32_t index = found.count++;
  if (index >= found.capacity) return true;
  Preset *preset = &found.list[index];
  *preset = (Preset){.kind = found.kind};
  snprintf(preset->location, sizeof preset->location, "%s", found.location ? found.location : "");
  snprintf(preset->name, sizeof preset->name, "%s", name ? name : "");
  snprintf(preset->key, sizeof preset->key, "%s", key ? key : "");
  return true;
}

static void expect_preset(const char *what) { expect(found.started, "%s precedes the preset", what); }

static void add_plugin_id(const clap_preset_discovery_metadata_receiver_t *receiver,
                          const clap_universal_plugin_id_t *id) {
  (void)receiver;
  expect_preset("add_plugin_id");
  expect(id && id->abi && *id->abi && id->id && *id->id, "a preset's plugin has no ID");
  if (!plugin_id || strcmp(id->abi, "clap") || strcmp(id->id, plugin_id)) return;
  if (found.count <= found.capacity) found.list[found.count - 1].for_plugin = true;
}

static void set_text(const clap_preset_discovery_metadata_receiver_t *receiver, const char *text) {
  (void)receiver;
  expect_preset("a text");
  expect(text, "a text of a preset is null");
}

static void set_flags(const clap_preset_discovery_metadata_receiver_t *receiver, uint32_t flags) {
  (void)receiver;
  expect_preset("set_flags");
  expect(flags < 16, "a preset has flags %#x", flags);
}

static void set_timestamps(const clap_preset_discovery_metadata_receiver_t *receiver, clap_timestamp made,
                           clap_timestamp changed) {
  (void)receiver, (void)made, (void)changed;
  expect_preset("set_timestamps");
}

static void add_extra_info(const clap_preset_discovery_metadata_receiver_t *receiver, const char *key,
                           const char *value) {
  (void)receiver;
  expect_preset("add_extra_info");
  expect(key && value, "a preset's information is null");
}

static const clap_preset_discovery_metadata_receiver_t receiver = {
    NULL,     metadata_error, begin_preset,   add_plugin_id, set_text,      set_flags,
    set_text, set_text,       set_timestamps, set_text,      add_extra_info};

uint32_t read_metadata(const clap_preset_discovery_provider_t *provider, uint32_t kind, const char *location,
                       bool *success) {
  found.kind = kind;
  found.location = location;
  found.first = found.count;
  found.keys = 0;
  found.started = false;
  found.reading = true;
  errors = 0;
  *success = provider->get_metadata(provider, kind, location, &receiver) && !errors;
  found.reading = false;
  uint32_t count = found.count - found.first;
  if (count > 1 || kind == CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN)
    expect(found.keys == count, "%s contains %u presets, and %u keys", location ? location : "the plugin", count,
           found.keys);
  return count;
}

// MARK: Crawling

const clap_preset_discovery_factory_t *preset_factory(void) {
  const void *factory = library.entry->get_factory(CLAP_PRESET_DISCOVERY_FACTORY_ID);
  if (!factory) factory = library.entry->get_factory(CLAP_PRESET_DISCOVERY_FACTORY_ID_COMPAT);
  if (!factory) absent("no factory of presets");
  return factory;
}

const clap_preset_discovery_provider_t *make_provider(uint32_t index) {
  const clap_preset_discovery_factory_t *factory = preset_factory();
  const clap_preset_discovery_provider_descriptor_t *descriptor = factory->get_descriptor(factory, index);
  expect(descriptor && descriptor->id && *descriptor->id && descriptor->name && *descriptor->name,
         "provider %u is not described", index);
  memset(&declared, 0, sizeof declared);
  every_file = false;
  const clap_preset_discovery_provider_t *provider = factory->create(factory, &indexer, descriptor->id);
  expect(provider, "the factory makes no provider %s", descriptor->id);
  expect(provider->desc && !strcmp(provider->desc->id, descriptor->id), "the provider has another descriptor");
  expect(provider->init && provider->destroy && provider->get_metadata && provider->get_extension,
         "a function of the provider is null");
  return provider;
}

void initialize_provider(const clap_preset_discovery_provider_t *provider) {
  declared.initializing = true;
  expect(provider->init(provider), "the provider's init returns false");
  declared.initializing = false;
}

const clap_preset_discovery_provider_t *unknown_provider(const char *id) {
  return preset_factory()->create(preset_factory(), &indexer, id);
}

static const clap_preset_discovery_provider_t *crawler;
static uint32_t files, unreadable;

static bool is_preset_file(const char *file) {
  if (every_file) return true;
  const char *dot = strrchr(file, '.');
  for (int i = 0; dot && i < declared.extension_count; i++)
    if (!strcasecmp(dot + 1, declared.extensions[i])) return true;
  return false;
}

static void crawl_file(uint32_t kind, const char *file) {
  bool success;
  read_metadata(crawler, kind, file, &success);
  files++;
  if (!success) unreadable++;
}

static int visit(const char *file, const struct stat *status, int type) {
  if (type == FTW_F && S_ISREG(status->st_mode) && is_preset_file(file))
    crawl_file(CLAP_PRESET_DISCOVERY_LOCATION_FILE, file);
  return 0;
}

uint32_t find_presets(Preset *list, uint32_t capacity) {
  const clap_preset_discovery_factory_t *factory = preset_factory();
  memset(&found, 0, sizeof found);
  found.list = list;
  found.capacity = capacity;
  files = unreadable = 0;
  uint32_t locations = 0;
  double began = now();
  for (uint32_t i = 0; i < factory->count(factory); i++) {
    crawler = make_provider(i);
    initialize_provider(crawler);
    for (int k = 0; k < declared.location_count; k++) {
      const clap_preset_discovery_location_t *location = &declared.locations[k];
      locations++;
      struct stat status;
      if (!location->location) crawl_file(location->kind, NULL);
      else if (stat(location->location, &status)) remark("%s does not exist", location->location);
      else if (S_ISDIR(status.st_mode)) ftw(location->location, visit, 32);
      else crawl_file(location->kind, location->location);
    }
    crawler->destroy(crawler);
  }
  remark("%u presets in %u files of %u locations, in %.2f s; %u files cannot be read", found.count, files, locations,
         now() - began, unreadable);
  return found.count < capacity ? found.count : capacity;
}
