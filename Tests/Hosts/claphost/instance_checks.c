// Checks of an instance's life.
#include "claphost.h"

static void an_instance_has_the_listed_descriptor(void) {
  Instance *instance = make_instance();
  const clap_plugin_descriptor_t *listed = find_descriptor(plugin_id), *own = instance->plugin->desc;
  expect(own, "the instance has no descriptor");
  const char *const a[] = {listed->id, listed->name, listed->vendor, listed->version, listed->description, listed->url};
  const char *const b[] = {own->id, own->name, own->vendor, own->version, own->description, own->url};
  for (int i = 0; i < 6; i++)
    expect(!strcmp(a[i] ? a[i] : "", b[i] ? b[i] : ""), "\"%s\" is \"%s\" in the instance", a[i], b[i]);
  uint32_t count = 0;
  for (; listed->features[count]; count++)
    expect(own->features[count] && !strcmp(own->features[count], listed->features[count]), "features differ");
  expect(!own->features[count], "features differ");
  initialize(instance);
  close_instance(instance);
}

static void an_instance_is_destroyed_without_init(void) {
  for (int i = 0; i < 10; i++) destroy(make_instance());
}

static void an_instance_is_destroyed_without_activation(void) {
  for (int i = 0; i < 10; i++) close_instance(inactive_instance());
}

static void an_instance_is_destroyed_without_cycles(void) {
  for (int i = 0; i < 5; i++) {
    Instance *instance = inactive_instance();
    activate(instance, RATE, 256);
    if (i % 2) start(instance);
    close_instance(instance);
  }
}

static void the_factory_makes_several_instances(void) {
  Instance *first = open_instance(), *second = open_instance();
  expect(first->plugin != second->plugin, "two instances are one");
  expect_sound(first, "in the first");
  expect_sound(second, "in the second");
  close_instance(first);
  expect_sound(second, "in the second after the end of the first");
  close_instance(second);
}

static void unknown_extensions_are_null(void) {
  Instance *instance = inactive_instance();
  static const char *const ids[] = {
      "", "clap", "clap.param", "clap.params2", "clap.state/9", "urn:portative:nonexistent"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    expect(!instance->plugin->get_extension(instance->plugin, ids[i]), "the plugin has an extension \"%s\"", ids[i]);
  close_instance(instance);
}

static void functions_of_extensions_are_set(void) {
  Instance *instance = inactive_instance();
  const Extensions *all = &instance->extensions;
  static const struct {
    const char *name;
    size_t functions;
  } known[] = {{"audio-ports", 2}, {"note-ports", 2},      {"params", 6},
               {"state", 2},       {"state-context", 2},   {"latency", 1},
               {"tail", 1},        {"render", 2},          {"preset-load", 1},
               {"note-name", 2},   {"remote-controls", 2}, {"param-indication", 2},
               {"voice-info", 1},  {"gui", 15}};
  _Static_assert(sizeof known / sizeof *known == sizeof(Extensions) / sizeof(void *), "one line for each");
  char names[512] = "";
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    void *const *functions = ((void *const *const *)all)[i];
    if (!functions) continue;
    sprintf(names + strlen(names), " %s", known[i].name);
    for (size_t k = 0; k < known[i].functions; k++)
      expect(functions[k], "function %zu of %s is null", k, known[i].name);
  }
  remark("extensions:%s", names);
  close_instance(instance);
}

static void find_extensions(void *context) {
  const Instance *instance = context;
  static const char *const ids[] = {CLAP_EXT_PARAMS, CLAP_EXT_AUDIO_PORTS, CLAP_EXT_NOTE_PORTS, CLAP_EXT_STATE};
  const void *const found[] = {instance->extensions.params, instance->extensions.audio_ports,
                               instance->extensions.note_ports, instance->extensions.state};
  for (int i = 0; i < 1000; i++)
    expect(instance->plugin->get_extension(instance->plugin, ids[i % 4]) == found[i % 4], "%s is another", ids[i % 4]);
}

static void extensions_are_found_from_any_thread(void) {
  Instance *instance = open_instance();
  on_other_thread(find_extensions, instance);
  on_audio_thread(find_extensions, instance);
  find_extensions(instance);
  close_instance(instance);
}

// Hosts that are older than CLAP 1.0 are refused, or served.
static void a_host_of_another_version_does_no_harm(void) {
  static const clap_version_t versions[] = {{0, 26, 0}, {1, 0, 0}, {1, 99, 0}, {2, 0, 0}};
  Instance *instance = make_instance();
  for (int i = 0; i < 4; i++) {
    clap_host_t host = instance->host;
    host.clap_version = versions[i];
    const clap_plugin_t *plugin = library.factory->create_plugin(library.factory, &host, plugin_id);
    expect(plugin || versions[i].major != 1, "a host of version 1.%u is refused", versions[i].minor);
    if (plugin) plugin->destroy(plugin);
  }
  destroy(instance);
}

const Check instance_checks[] = {
    CHECK(an_instance_has_the_listed_descriptor),
    CHECK(an_instance_is_destroyed_without_init),
    CHECK(an_instance_is_destroyed_without_activation),
    CHECK(an_instance_is_destroyed_without_cycles),
    CHECK(the_factory_makes_several_instances),
    CHECK(unknown_extensions_are_null),
    CHECK(functions_of_extensions_are_set),
    CHECK(extensions_are_found_from_any_thread),
    CHECK(a_host_of_another_version_does_no_harm),
    {0},
};
