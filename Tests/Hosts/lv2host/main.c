// Runs a test with a plugin:
//
//   lv2host SHARED-OBJECT BUNDLE URI AUDIO-INPUTS AUDIO-OUTPUTS PARAMETERS TEST
//
// In every test, the plugin must not crash, must write each sample of its outputs (a finite one), and must not touch
// memory beyond a buffer's end, where an inaccessible page lies. What else it must do stands above each test. Exit
// status 0 if it does; what was measured goes to standard output.
#include "lv2host.h"
#include <dlfcn.h>

int main(int count, char **arguments) {
  expect(count == 8, "usage: lv2host SHARED-OBJECT BUNDLE URI AUDIO-INPUTS AUDIO-OUTPUTS PARAMETERS TEST");
  static int32_t promised = PROMISED;
  promise(&promised);
  input_count = atoi(arguments[4]);
  output_count = atoi(arguments[5]);
  parameter_count = atoi(arguments[6]);
  expect(input_count <= CHANNELS && output_count <= CHANNELS, "too many channels");
  expect(FIRST_AUDIO + parameter_count <= CONTROLS, "too many parameters");

  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  expect(library, "%s", dlerror());
  LV2_Lib_Descriptor_Function entry;
  *(void **)&entry = dlsym(library, "lv2_lib_descriptor");
  expect(entry, "no lv2_lib_descriptor");
  expect(!entry("/nonexistent/", no_features), "a bundle that does not exist has plugins");
  const LV2_Lib_Descriptor *bundle = entry(arguments[2], features);
  expect(bundle, "the bundle has no plugins");
  for (uint32_t i = 0; (descriptor = bundle->get_plugin(bundle->handle, i)); i++)
    if (!strcmp(descriptor->URI, arguments[3])) break;
  expect(descriptor, "the bundle has no plugin %s", arguments[3]);

  static const Test *const all[] = {cycle_tests, value_tests,      state_tests, instance_tests,
                                    unit_tests,  automation_tests, play_tests};
  for (size_t subject = 0; subject < sizeof all / sizeof *all; subject++)
    for (const Test *test = all[subject]; test->name; test++) {
      if (strcmp(test->name, arguments[7])) continue;
      test->run();
      bundle->cleanup(bundle->handle);
      dlclose(library);
      return 0;
    }
  fail("test", "no test %s", arguments[7]);
}
