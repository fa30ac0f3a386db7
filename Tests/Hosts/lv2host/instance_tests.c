// Tests of instances.
#include "lv2host.h"
#include <unistd.h>

// An instance can be freed in any situation.
static void cleanup_without_activate(void) {
  for (int round = 0; round < 20; round++) {
    Plugin *plugin = make_plugin();
    if (round % 4 > 0) connect_ports(plugin, PROMISED);
    if (round % 4 > 1) activate(plugin);
    // The worker is at another point each time.
    if (round % 4 > 2) usleep(chance(20000));
    close_plugin(plugin);
  }
  Plugin *plugin = open_plugin();
  activate(plugin);
  expect_note(plugin, "after instances that were not used");
  close_plugin(plugin);
}

// The plugin is not instantiated at a rate that it does not support or without a map of URIs.
static void unusable_hosts(void) {
  static const double rates[] = {0, -1, 1e-300, 1, 1e30, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
    expect(!descriptor->instantiate(descriptor, rates[i], "", features), "instantiated at %g Hz", rates[i]);
  expect(!descriptor->instantiate(descriptor, RATE, "", no_features), "instantiated without a map");
  // Lengths of cycles that make no sense are ignored or clamped.
  static const int32_t lengths[] = {0, -1, INT32_MIN, INT32_MAX, 1};
  for (int i = 0; i < 5; i++) {
    promise(&lengths[i]);
    Plugin *plugin = open_plugin();
    expect_note(plugin, "with an odd promise");
    close_plugin(plugin);
  }
}

// Many instances can be open. Reports how long that takes, and how many of them play at a time.
static void twenty_instances(void) {
  enum { COUNT = 20 };
  Plugin *plugins[COUNT];
  double begin = now();
  for (int i = 0; i < COUNT; i++) plugins[i] = open_plugin();
  double opened = now();
  bool sounds[COUNT] = {false};
  int playing = 0;
  for (double end = opened + 10; now() < end && playing < COUNT; usleep(5000)) {
    for (int i = 0; i < COUNT; i++) {
      if (sounds[i]) continue;
      plugins[i]->controls[FREEWHEEL] = 0;
      add_midi(plugins[i], 0, 0x90, 60, 100);
      if (run(plugins[i], PROMISED) > AUDIBLE) {
        sounds[i] = true;
        playing++;
      }
    }
  }
  double sounded = now();
  for (int i = 0; i < COUNT; i++) close_plugin(plugins[i]);
  printf("%d instances: opened in %.0f ms, %d sound after %.0f ms, closed in %.0f ms\n", COUNT, 1000 * (opened - begin),
         playing, 1000 * (sounded - opened), 1000 * (now() - sounded));
  expect(playing == COUNT, "%d of %d instances play", playing, COUNT);
}

// The names of presets and drums are a document whose model no other instance has. It is printed in one line.
static void names_of_presets_and_drums(void) {
  // Ardour's interface, which has no header in Debian.
  const struct {
    char *(*document)(LV2_Handle);
    char *(*model)(LV2_Handle);
    void (*release)(char *);
  } *names = descriptor->extension_data("http://ardour.org/lv2/midnam#interface");
  expect(names, "no interface of names");
  Plugin *plugins[] = {make_plugin(), make_plugin()};
  char *models[] = {names->model(plugins[0]->handle), names->model(plugins[1]->handle)};
  expect(strcmp(models[0], models[1]), "two instances have the model '%s'", models[0]);
  char *document = names->document(plugins[0]->handle);
  expect(document && strstr(document, models[0]), "the document has no model '%s'", models[0]);
  for (char *c = document; *c; c++) putchar(*c == '\n' ? ' ' : *c);
  putchar('\n');
  names->release(document);
  for (int i = 0; i < 2; i++) {
    names->release(models[i]);
    close_plugin(plugins[i]);
  }
}

const Test instance_tests[] = {
    TEST(names_of_presets_and_drums),
    TEST(cleanup_without_activate), TEST(unusable_hosts), TEST(twenty_instances), {0},
};
