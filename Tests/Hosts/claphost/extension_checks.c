// Checks of the other extensions: latency, tail, rendering, names, pages and voices.
#include "claphost.h"

static bool ends(const char *text, size_t size) { return memchr(text, 0, size); }

static void the_latency_remains_while_active(void) {
  Instance *instance = inactive_instance();
  if (!instance->extensions.latency) absent("no latency");
  activate(instance, RATE, 512);
  uint32_t latency = instance->extensions.latency->get(instance->plugin);
  expect(latency < 100 * RATE, "the latency is %u frames", latency);
  start(instance);
  for (int i = 0; i < 20; i++) {
    run(instance, 512);
    expect(instance->extensions.latency->get(instance->plugin) == latency || instance->wants_restart,
           "the latency changes from %u frames while the plugin is active", latency);
  }
  remark("%u frames", latency);
  close_instance(instance);
}

static void read_tail(void *context) {
  Instance *instance = context;
  remark("a tail of %u frames", instance->extensions.tail->get(instance->plugin));
}

static void the_tail_is_read_in_both_threads(void) {
  Instance *instance = open_instance();
  if (!instance->extensions.tail) absent("no tail");
  read_tail(instance);
  on_audio_thread(read_tail, instance);
  close_instance(instance);
}

static void the_mode_of_rendering_changes(void) {
  Instance *instance = make_instance();
  initialize(instance);
  const clap_plugin_render_t *render = instance->extensions.render;
  if (!render) absent("no modes of rendering");
  bool hard = render->has_hard_realtime_requirement(instance->plugin);
  for (int round = 0; round < 4; round++) {
    clap_plugin_render_mode mode = round % 2 ? CLAP_RENDER_REALTIME : CLAP_RENDER_OFFLINE;
    expect(render->set(instance->plugin, mode) || (hard && mode == CLAP_RENDER_OFFLINE), "mode %d is refused", mode);
    instance->offline = mode == CLAP_RENDER_OFFLINE && !hard;
    activate(instance, RATE, 512);
    start(instance);
    for (int i = 0; i < 10; i++) run(instance, 512);
    expect_sound(instance, "in another mode");
    // The mode may change between cycles, too.
    render->set(instance->plugin, CLAP_RENDER_REALTIME);
    run(instance, 512);
    deactivate(instance);
  }
  expect(!render->set(instance->plugin, 99), "mode 99 is accepted");
  close_instance(instance);
}

static void names_of_notes_are_in_range(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_note_name_t *names = instance->extensions.note_name;
  if (!names) absent("no names of notes");
  uint32_t count = names->count(instance->plugin);
  clap_note_name_t name;
  for (uint32_t i = 0; i < count; i++) {
    expect(names->get(instance->plugin, i, &name), "name %u is not described", i);
    expect(ends(name.name, sizeof name.name) && *name.name, "name %u is empty", i);
    expect(name.key >= -1 && name.key < 128, "name %u has the key %d", i, name.key);
    expect(name.channel >= -1 && name.channel < 16, "name %u has the channel %d", i, name.channel);
    expect(name.port >= -1 && name.port < instance->note_input_count, "name %u has the port %d", i, name.port);
  }
  expect(!names->get(instance->plugin, count, &name), "there is a name behind the last one");
  remark("%u names", count);
  close_instance(instance);
}

static void pages_show_parameters_that_exist(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_remote_controls_t *controls = instance->extensions.remote_controls;
  if (!controls) absent("no pages of controls");
  Parameters all = parameters(instance);
  uint32_t count = controls->count(instance->plugin), used = 0;
  clap_remote_controls_page_t *pages = calloc(count + 1, sizeof *pages);
  for (uint32_t i = 0; i < count; i++) {
    clap_remote_controls_page_t *page = &pages[i];
    expect(controls->get(instance->plugin, i, page), "page %u is not described", i);
    expect(ends(page->page_name, sizeof page->page_name) && *page->page_name, "page %u has no name", i);
    expect(ends(page->section_name, sizeof page->section_name), "page %u: the section has no end", i);
    expect(page->page_id != CLAP_INVALID_ID, "page %u has the invalid ID", i);
    for (uint32_t other = 0; other < i; other++)
      expect(pages[other].page_id != page->page_id, "two pages have the ID %u", page->page_id);
    uint32_t shown = 0;
    for (int k = 0; k < CLAP_REMOTE_CONTROLS_COUNT; k++) {
      if (page->param_ids[k] == CLAP_INVALID_ID) continue;
      shown++;
      bool exists = false;
      for (uint32_t index = 0; index < all.count; index++) exists |= all.infos[index].id == page->param_ids[k];
      expect(exists, "page %u shows the unknown parameter %u", i, page->param_ids[k]);
    }
    expect(shown, "page %u is empty", i);
    used += shown;
  }
  expect(!controls->get(instance->plugin, count, &pages[count]), "there is a page behind the last one");
  remark("%u pages with %u controls", count, used);
  close_instance(instance);
}

static void voices_are_within_the_capacity(void) {
  Instance *instance = inactive_instance();
  if (!instance->extensions.voice_info) absent("no number of voices");
  activate(instance, RATE, 512);
  clap_voice_info_t info;
  memset(&info, 0x5A, sizeof info);
  expect(instance->extensions.voice_info->get(instance->plugin, &info), "the voices are not described");
  expect(info.voice_count >= 1 && info.voice_count <= info.voice_capacity, "%u of %u voices", info.voice_count,
         info.voice_capacity);
  expect(!(info.flags & ~(uint64_t)CLAP_VOICE_INFO_SUPPORTS_OVERLAPPING_NOTES), "flags %#llx",
         (unsigned long long)info.flags);
  remark("%u of %u voices, flags %llu", info.voice_count, info.voice_capacity, (unsigned long long)info.flags);
  close_instance(instance);
}

// Only floating windows, which need no window of the host.
static void floating_windows_open_in_any_state(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_gui_t *gui = instance->extensions.gui;
  if (!gui) absent("no window");
  const clap_plugin_t *plugin = instance->plugin;
  const char *api = NULL;
  bool is_floating = false;
  expect(gui->get_preferred_api(plugin, &api, &is_floating), "no window is preferred");
  expect(api && *api, "the preferred window has no system");
  expect(gui->is_api_supported(plugin, api, is_floating), "the preferred window of %s is not supported", api);
  static const char *const unknown[] = {"", "x", "X11", "cocoa", "win32", "urn:portative:nonexistent"};
  for (int i = 0; i < 6; i++)
    for (int floats = 0; floats < 2; floats++)
      expect(!gui->is_api_supported(plugin, unknown[i], floats), "windows of \"%s\" are supported", unknown[i]);
  if (!gui->is_api_supported(plugin, api, true)) absent("no floating window");
  for (int i = 0; i < 3; i++) {
    if (i == 1) activate(instance, RATE, 512);
    if (i == 2) start(instance);
    expect(gui->create(plugin, i % 2 ? NULL : api, true), "the window is not made");
    const clap_window_t parent = {CLAP_WINDOW_API_X11, 0};
    gui->set_transient(plugin, &parent);
    gui->suggest_title(plugin, "Title");
    expect(gui->show(plugin), "the window is not shown");
    expect(gui->hide(plugin), "the window is not hidden");
    if (i == 2) run(instance, 512);
    gui->destroy(plugin);
  }
  remark("%s", api);
  close_instance(instance);
}

static void indications_change_no_value(void) {
  Instance *instance = inactive_instance();
  const clap_plugin_param_indication_t *indication = instance->extensions.param_indication;
  if (!indication) absent("no indications");
  Parameters all = parameters(instance);
  double *values = values_of(instance, all);
  const clap_color_t color = {255, 200, 100, 0};
  for (uint32_t i = 0; i <= all.count; i++) {
    clap_id id = i < all.count ? all.infos[i].id : 0xDEADBEEF;
    indication->set_mapping(instance->plugin, id, true, &color, "M1", "a knob");
    indication->set_mapping(instance->plugin, id, false, NULL, NULL, NULL);
    for (uint32_t state = 0; state <= CLAP_PARAM_INDICATION_AUTOMATION_OVERRIDING + 1; state++)
      indication->set_automation(instance->plugin, id, state, state % 2 ? &color : NULL);
  }
  expect_values(instance, all, values, "after indications");
  close_instance(instance);
}

const Check extension_checks[] = {
    CHECK(the_latency_remains_while_active), CHECK(the_tail_is_read_in_both_threads),
    CHECK(the_mode_of_rendering_changes),    CHECK(names_of_notes_are_in_range),
    CHECK(pages_show_parameters_that_exist), CHECK(voices_are_within_the_capacity),
    CHECK(indications_change_no_value),      CHECK(floating_windows_open_in_any_state),
    {0},
};
