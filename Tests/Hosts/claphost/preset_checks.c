// Checks of presets: those that providers find, and those that the plugin loads.
#include "claphost.h"
#include "presets.h"
#include <unistd.h>

enum { PRESETS = 4096 };

// MARK: Providers

static void providers_are_consistent(void) {
  const clap_preset_discovery_factory_t *factory = preset_factory();
  uint32_t count = factory->count(factory);
  expect(count > 0, "there is no provider");
  for (uint32_t i = 0; i < count; i++) {
    const clap_preset_discovery_provider_t *provider = make_provider(i);
    if (i % 2 == 0) initialize_provider(provider);
    expect(provider->desc->clap_version.major >= 1, "provider %u has CLAP's version %u", i,
           provider->desc->clap_version.major);
    provider->destroy(provider);
    provider = make_provider(i);
    provider->destroy(provider);
  }
  expect(!factory->get_descriptor(factory, count), "there is a provider behind the last one");
  expect(!unknown_provider("urn:portative:nonexistent"), "the factory makes an unknown provider");
  expect(!unknown_provider(""), "the factory makes a provider without an ID");
}

static void files_of_all_locations_are_read(void) {
  static Preset list[PRESETS];
  uint32_t count = find_presets(list, PRESETS);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i > 2000 ? i - 2000 : 0; k < i; k++)
      expect(strcmp(list[i].location, list[k].location) || strcmp(list[i].key, list[k].key) ||
                 list[i].kind != list[k].kind,
             "the key \"%s\" of %s appears twice", list[i].key, list[i].location);
}

static void files_that_are_no_presets_are_refused(void) {
  const clap_preset_discovery_factory_t *factory = preset_factory();
  char garbage[] = "/tmp/claphost.XXXXXX";
  int descriptor = mkstemp(garbage);
  expect(descriptor >= 0 && write(descriptor, "RIFF\xFF\xFF\xFF\xFFsfbk garbage", 20) == 20, "no temporary file");
  static const char *const paths[] = {"", "/", "/nonexistent", "/dev/null", "relative", "/etc/passwd"};
  for (uint32_t i = 0; i < factory->count(factory); i++) {
    const clap_preset_discovery_provider_t *provider = make_provider(i);
    initialize_provider(provider);
    for (int k = 0; k < 7; k++) {
      bool success;
      const char *file = k < 6 ? paths[k] : garbage;
      uint32_t count = read_metadata(provider, CLAP_PRESET_DISCOVERY_LOCATION_FILE, file, &success);
      if (!success && !count) continue;
      unlink(garbage);
      fail("!success", "\"%s\" is read as %u presets", file, count);
    }
    provider->destroy(provider);
  }
  unlink(garbage);
}

const Check provider_checks[] = {
    CHECK(providers_are_consistent),
    CHECK(files_of_all_locations_are_read),
    CHECK(files_that_are_no_presets_are_refused),
    {0},
};

// MARK: Loading

static Preset presets[PRESETS];

static uint32_t own_presets(void) {
  uint32_t count = find_presets(presets, PRESETS), own = 0;
  for (uint32_t i = 0; i < count; i++)
    if (presets[i].for_plugin) presets[own++] = presets[i];
  if (!own) absent("no presets of this plugin");
  return own;
}

static bool load_preset(Instance *instance, const Preset *preset) {
  bool loaded = instance->extensions.preset_load->from_location(
      instance->plugin, preset->kind, *preset->location ? preset->location : NULL, *preset->key ? preset->key : NULL);
  pump(instance);
  return loaded;
}

static void listed_presets_are_loaded(void) {
  uint32_t count = own_presets();
  Instance *instance = open_instance();
  expect(instance->extensions.preset_load, "the plugin has presets, but cannot load them");
  uint32_t tried = count < 200 ? count : 200;
  for (uint32_t i = 0; i < tried; i++) {
    const Preset *preset = &presets[tried == count ? i : chance(count)];
    uint32_t before = instance->presets_loaded;
    expect(load_preset(instance, preset), "%s of %s is not loaded: %s", *preset->key ? preset->key : preset->name,
           preset->location, instance->preset_error);
    expect(instance->presets_loaded == before + 1, "the host hears %u times of the load of %s",
           instance->presets_loaded - before, preset->key);
    expect(!strcmp(instance->preset_key, preset->key), "the host hears of %s instead of %s", instance->preset_key,
           preset->key);
    add_random_events(instance, 512, 4, false, false);
    run(instance, 512);
  }
  remark("%u of %u loaded", tried, count);
  close_instance(instance);
}

// A note after a load, from a new instance.
static float *sound_of(const Preset *preset, uint32_t frames, State *state) {
  Instance *instance = open_instance();
  expect(load_preset(instance, preset), "%s is not loaded: %s", preset->key, instance->preset_error);
  run(instance, 64);
  if (instance->extensions.state) *state = save(instance, UINT64_MAX);
  if (instance->offline || !instance->note_input_count) run_for(instance, 4800, 480);
  else expect_sound(instance, "after a preset");
  reset(instance);
  float *result = render_phrase(instance, 512, frames);
  close_instance(instance);
  return result;
}

static void a_loaded_preset_changes_state_and_sound(void) {
  enum { FRAMES = 24000 };
  uint32_t count = own_presets();
  if (count < 2) absent("one preset only");
  State states[2] = {{0}};
  float *sounds[2];
  for (int i = 0; i < 2; i++) sounds[i] = sound_of(&presets[i ? count / 2 : 0], FRAMES, &states[i]);
  expect(states[0].size != states[1].size || memcmp(states[0].bytes, states[1].bytes, states[0].size),
         "%s and %s have one state", presets[0].name, presets[count / 2].name);
  expect(memcmp(sounds[0], sounds[1], FRAMES * sizeof(float)), "%s and %s sound the same", presets[0].name,
         presets[count / 2].name);
}

static void a_state_contains_the_preset(void) {
  uint32_t count = own_presets();
  Instance *instance = open_instance();
  if (!instance->extensions.state) absent("no state");
  const Preset *preset = &presets[count / 2];
  expect(load_preset(instance, preset), "%s is not loaded", preset->key);
  run(instance, 64);
  pump(instance);
  State first = save(instance, UINT64_MAX);
  Instance *other = open_instance();
  expect(load(other, first, UINT64_MAX), "the state is refused");
  run(other, 64);
  pump(other);
  State second = save(other, UINT64_MAX);
  expect(first.size == second.size && !memcmp(first.bytes, second.bytes, first.size),
         "the state of a preset is restored as another");
  expect(load_preset(other, &presets[0]), "%s is not loaded", presets[0].key);
  expect(load(other, first, UINT64_MAX), "the state is refused");
  State third = save(other, UINT64_MAX);
  expect(first.size == third.size && !memcmp(first.bytes, third.bytes, first.size),
         "the state of a preset is restored as another, after another preset");
  close_instance(other);
  close_instance(instance);
}

static void presets_that_do_not_exist_are_refused(void) {
  Instance *instance = open_instance();
  if (!instance->extensions.preset_load) absent("no loading of presets");
  if (!instance->extensions.state) absent("no state");
  run(instance, 64);
  State before = save(instance, UINT64_MAX);
  Preset wrong[] = {
      {CLAP_PRESET_DISCOVERY_LOCATION_FILE, "/nonexistent", "", "0:0", true},
      {CLAP_PRESET_DISCOVERY_LOCATION_FILE, "/etc/passwd", "", "0:0", true},
      {CLAP_PRESET_DISCOVERY_LOCATION_FILE, "", "", "", true},
      {CLAP_PRESET_DISCOVERY_LOCATION_PLUGIN, "", "", "garbage", true},
      {77, "/", "", "", true},
      {77, "", "", "", true},
  };
  uint32_t count = sizeof wrong / sizeof *wrong;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t heard = instance->presets_loaded;
    expect(!load_preset(instance, &wrong[i]), "the preset \"%s\" of \"%s\", kind %u, is loaded", wrong[i].key,
           wrong[i].location, wrong[i].kind);
    expect(instance->presets_loaded == heard, "the host hears that a wrong preset is loaded");
    run(instance, 64);
  }
  State after = save(instance, UINT64_MAX);
  expect(before.size == after.size && !memcmp(before.bytes, after.bytes, before.size),
         "presets that are refused change the state");
  remark("%u errors for %u wrong presets", instance->preset_errors, count);
  if (library.entry->get_factory(CLAP_PRESET_DISCOVERY_FACTORY_ID)) {
    own_presets();
    snprintf(presets[0].key, sizeof presets[0].key, "garbage:garbage");
    bool loaded = load_preset(instance, &presets[0]);
    expect(!loaded || presets[0].kind == CLAP_PRESET_DISCOVERY_LOCATION_FILE, "a wrong key is loaded");
    remark("a wrong key of %s is %s", presets[0].location, loaded ? "loaded" : "refused");
  }
  close_instance(instance);
}

const Check preset_checks[] = {
    CHECK(listed_presets_are_loaded),
    CHECK(a_loaded_preset_changes_state_and_sound),
    CHECK(a_state_contains_the_preset),
    CHECK(presets_that_do_not_exist_are_refused),
    {0},
};
