// Playing until the host is killed: Tests/Endurance.
#include "lv2host.h"
#include <unistd.h>

// Says when the first note sounds, and plays on, as long as nobody ends the host.
static void play_on(void) {
  Plugin *plugin = open_plugin();
  expect_note(plugin, "at first");
  puts("it sounds");
  fflush(stdout);
  while (true) {
    add_midi(plugin, chance(PROMISED), 0x90, (uint8_t)(40 + chance(40)), 100);
    add_midi(plugin, chance(PROMISED), 0x80, (uint8_t)(40 + chance(40)), 0);
    run(plugin, PROMISED);
    usleep(1000);
  }
}

const Test play_tests[] = {TEST(play_on), {0}};
