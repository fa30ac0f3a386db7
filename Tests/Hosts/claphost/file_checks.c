// Checks of the file: its entry, its factories and its descriptors. Each loads the file itself.
#include "claphost.h"
#include <dlfcn.h>

static const clap_plugin_descriptor_t *descriptor(uint32_t index) {
  const clap_plugin_descriptor_t *found = library.factory->get_plugin_descriptor(library.factory, index);
  expect(found, "descriptor %u is null", index);
  return found;
}

// Loading, initializing and listing.
static void the_file_is_scanned_within_100_ms(void) {
  double began = now();
  open_library();
  uint32_t count = library.factory->get_plugin_count(library.factory);
  for (uint32_t i = 0; i < count; i++) descriptor(i);
  library.entry->deinit();
  double seconds = now() - began;
  remark("%u plugins in %.1f ms", count, seconds * 1000);
  // valgrind is slower.
  expect(seconds < (getenv("CLAPHOST_SLOW") ? 10 : 0.1), "the scan takes %.1f ms", seconds * 1000);
  library.entry = NULL;
}

static void calls_of_init_and_deinit_are_counted(void) {
  open_library();
  expect(library.entry->init(path), "the second init returns false");
  expect(library.entry->init(path), "the third init returns false");
  library.entry->deinit();
  library.entry->deinit();
  library.factory = library.entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
  expect(library.factory, "two of three calls of deinit remove the factory");
  expect(library.factory->get_plugin_count(library.factory) > 0,
         "the list is empty after two of three calls of deinit");
  descriptor(0);
}

static void the_file_can_be_initialized_again(void) {
  open_library();
  uint32_t count = library.factory->get_plugin_count(library.factory);
  for (int i = 0; i < 20; i++) {
    library.entry->deinit();
    if (i % 2) {
      dlclose(library.handle);
      open_library();
    } else expect(library.entry->init(path), "init returns false after deinit");
    library.factory = library.entry->get_factory(CLAP_PLUGIN_FACTORY_ID);
    expect(library.factory && library.factory->get_plugin_count(library.factory) == count, "the list changes");
  }
}

static void an_unknown_factory_is_null(void) {
  open_library();
  static const char *const ids[] = {
      "", "clap", "clap.plugin-factor", "clap.plugin-factory2", "clap.plugin-factory/1", "urn:portative:nonexistent"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    expect(!library.entry->get_factory(ids[i]), "the file has a factory \"%s\"", ids[i]);
}

static void find_factories(void *unused) {
  (void)unused;
  for (int i = 0; i < 100; i++) {
    expect(library.entry->get_factory(CLAP_PLUGIN_FACTORY_ID) == library.factory,
           "another thread gets another factory");
    expect(library.factory->get_plugin_count(library.factory) > 0, "another thread sees no plugins");
    descriptor(0);
  }
}

static void factories_are_found_from_any_thread(void) {
  open_library();
  on_other_thread(find_factories, NULL);
}

static void the_list_ends(void) {
  open_library();
  uint32_t count = library.factory->get_plugin_count(library.factory);
  expect(count > 0, "the list is empty");
  expect(!library.factory->get_plugin_descriptor(library.factory, count), "there is a descriptor behind the last one");
  expect(!library.factory->get_plugin_descriptor(library.factory, UINT32_MAX), "there is a descriptor at -1");
}

static bool is_blank(const char *text) { return !text || !text[strspn(text, " \t\n")]; }

static void descriptors_have_id_name_and_version(void) {
  open_library();
  for (uint32_t i = 0; i < library.factory->get_plugin_count(library.factory); i++) {
    const clap_plugin_descriptor_t *each = descriptor(i);
    expect(each->clap_version.major >= 1, "descriptor %u has CLAP's version %u", i, each->clap_version.major);
    expect(!is_blank(each->id), "descriptor %u has no ID", i);
    expect(!is_blank(each->name), "%s has no name", each->id);
    expect(strlen(each->id) < 256 && strlen(each->name) < CLAP_NAME_SIZE, "%s has a long ID or name", each->id);
    expect(!strpbrk(each->id, " \t\n\"\\"), "the ID \"%s\" has spaces", each->id);
    expect(each == descriptor(i), "the descriptor of %s moves", each->id);
    if (is_blank(each->version)) remark("%s has no version", each->id);
    if (is_blank(each->vendor)) remark("%s has no vendor", each->id);
  }
}

static void ids_are_distinct(void) {
  open_library();
  uint32_t count = library.factory->get_plugin_count(library.factory);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++)
      expect(strcmp(descriptor(i)->id, descriptor(k)->id), "the ID %s appears twice", descriptor(i)->id);
}

static void features_have_a_category_and_no_duplicates(void) {
  open_library();
  for (uint32_t i = 0; i < library.factory->get_plugin_count(library.factory); i++) {
    const clap_plugin_descriptor_t *each = descriptor(i);
    expect(each->features, "%s has no features", each->id);
    expect(has_feature(each, CLAP_PLUGIN_FEATURE_INSTRUMENT) || has_feature(each, CLAP_PLUGIN_FEATURE_AUDIO_EFFECT) ||
               has_feature(each, CLAP_PLUGIN_FEATURE_NOTE_EFFECT) || has_feature(each, CLAP_PLUGIN_FEATURE_ANALYZER) ||
               has_feature(each, CLAP_PLUGIN_FEATURE_NOTE_DETECTOR),
           "%s has no feature that is a category", each->id);
    for (const char *const *a = each->features; *a; a++) {
      expect(!is_blank(*a), "%s has an empty feature", each->id);
      for (const char *const *b = each->features; b < a; b++)
        expect(strcmp(*a, *b), "%s has the feature %s twice", each->id, *a);
    }
  }
}

static const void *no_extension(const clap_host_t *host, const char *id) {
  (void)host;
  fail("false", "the factory asks for the host's extension %s", id);
}

static void no_request(const clap_host_t *host) { (void)host; }

static void unknown_ids_are_refused(void) {
  open_library();
  clap_host_t host = {{1, 2, 0}, NULL, "claphost", "", "", "1", no_extension, no_request, no_request, no_request};
  const char *id = descriptor(0)->id;
  char wrong[5][300];
  snprintf(wrong[0], 300, "%s!garbage", id);
  snprintf(wrong[1], 300, "%.*s", (int)strlen(id) - 1, id);
  snprintf(wrong[2], 300, " %s", id);
  snprintf(wrong[3], 300, "urn:portative:nonexistent");
  *wrong[4] = 0;
  for (int i = 0; i < 5; i++)
    expect(!library.factory->create_plugin(library.factory, &host, wrong[i]), "the factory makes a \"%s\"", wrong[i]);
}

// A source that is not absolute or does not say which files is of no use to a host.
static void sources_of_invalidation_are_absolute(void) {
  open_library();
  const clap_plugin_invalidation_factory_t *factory = library.entry->get_factory(CLAP_PLUGIN_INVALIDATION_FACTORY_ID);
  if (!factory) absent("no factory of invalidation");
  uint32_t count = factory->count(factory), plugins = library.factory->get_plugin_count(library.factory);
  expect(count > 0, "there is no source");
  for (uint32_t i = 0; i < count; i++) {
    const clap_plugin_invalidation_source_t *source = factory->get(factory, i);
    expect(source && source->directory && *source->directory == '/', "source %u has no absolute path", i);
    expect(!is_blank(source->filename_glob), "source %u has no pattern", i);
    remark("%s/%s%s", source->directory, source->filename_glob, source->recursive_scan ? " and below" : "");
  }
  expect(!factory->get(factory, count), "there is a source behind the last one");
  if (factory->refresh(factory))
    expect(library.factory->get_plugin_count(library.factory) == plugins, "the list changes without a change of files");
  else remark("refresh asks for a new load");
}

const Check file_checks[] = {
    CHECK(the_file_is_scanned_within_100_ms),          CHECK(calls_of_init_and_deinit_are_counted),
    CHECK(the_file_can_be_initialized_again),          CHECK(an_unknown_factory_is_null),
    CHECK(factories_are_found_from_any_thread),        CHECK(the_list_ends),
    CHECK(descriptors_have_id_name_and_version),       CHECK(ids_are_distinct),
    CHECK(features_have_a_category_and_no_duplicates), CHECK(unknown_ids_are_refused),
    CHECK(sources_of_invalidation_are_absolute),       {0},
};
