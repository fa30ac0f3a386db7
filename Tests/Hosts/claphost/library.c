// The shared object.
#include "claphost.h"
#include <dlfcn.h>

const char *path, *plugin_id;
Library library;

void open_library(void) {
  library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  expect(library.handle, "%s", dlerror());
  library.entry = dlsym(library.handle, "clap_entry");
  expect(library.entry, "the file has no clap_entry");
  expect(library.entry->clap_version.major >= 1, "the entry's version is %u", library.entry->clap_version.major);
  expect(library.entry->init && library.entry->deinit && library.entry->get_factory, "the entry lacks a function");
  expect(library.entry->init(path), "init returns false");
  library.factory = library.entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
  expect(library.factory, "the file has no factory of plugins");
}

const clap_plugin_descriptor_t *find_descriptor(const char *id) {
  uint32_t count = library.factory->get_plugin_count(library.factory);
  for (uint32_t i = 0; i < count; i++) {
    const clap_plugin_descriptor_t *descriptor = library.factory->get_plugin_descriptor(library.factory, i);
    if (descriptor && !strcmp(descriptor->id, id)) return descriptor;
  }
  fail("descriptor", "the file has no plugin %s", id);
}

bool has_feature(const clap_plugin_descriptor_t *descriptor, const char *feature) {
  for (const char *const *each = descriptor->features; each && *each; each++)
    if (!strcmp(*each, feature)) return true;
  return false;
}

bool is_instrument(void) { return has_feature(find_descriptor(plugin_id), CLAP_PLUGIN_FEATURE_INSTRUMENT); }
