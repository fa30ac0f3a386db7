// Renders a plugin to a file, with events at exact frames:
//
//   claphost FILE.clap render SECONDS OUTPUT.f32 [OPTION…]
//
//   --plugin ID               the plugin; the file's first one by default
//   --rate R, --block N       48000 frames per second, cycles of 512 frames (1 to 16384) by default
//   --event 'FRAME HEX…'      a MIDI message of 1 to 3 bytes, or a system exclusive message
//   --note 'FRAME on|off|choke KEY VELOCITY [CHANNEL [ID]]'   a note of CLAP; the velocity is 0 to 1
//   --param 'FRAME ID VALUE'
//   --events FILE             lines of these three kinds: event …, note …, param …
//   --load FILE, --save FILE  a state, before the first cycle and after the last one
//   --preset 'KIND LOCATION KEY'   a preset, before the first cycle; - for none
//   --offline                 without a deadline, as far as the plugin can
//   --transport BPM           a transport that plays from beat 0 in 4/4
//   --wait-for-sound          renders in real time until a note sounds, and resets, before frame 0
//   --noise                   noise as the input; otherwise silence
//   --all                     writes all outputs, and not only the first one
//
// The output is interleaved 32-bit floats, little-endian, without a header. A line of JSON says what was rendered.
#include "claphost.h"
#include <sys/stat.h>

static struct {
  uint32_t rate, block, frames;
  double tempo;
  const char *load, *save, *preset, *output;
  bool offline, waits, noise, all;
} options = {.rate = RATE, .block = 512};

// The events of the whole rendering, with their frames.
static Events song;

__attribute__((noreturn)) static void refuse(const char *what, const char *text) {
  fprintf(stderr, "claphost render: %s: %s\n", what, text);
  exit(2);
}

static void add_message(const char *text) {
  uint8_t bytes[4096];
  uint32_t frame, count = 0;
  int length;
  if (sscanf(text, "%u%n", &frame, &length) != 1) refuse("no frame", text);
  for (unsigned byte; sscanf(text += length, "%2x%n", &byte, &length) == 1;) {
    if (count == sizeof bytes) refuse("too long", text);
    bytes[count++] = (uint8_t)byte;
  }
  if (!count) refuse("no bytes", text);
  if (count <= 3 && bytes[0] != 0xF0) {
    clap_event_midi_t event = {.header = header(CLAP_EVENT_MIDI, sizeof event, frame)};
    memcpy(event.data, bytes, count);
    return add_event(&song, &event);
  }
  uint8_t *copy = malloc(count);
  memcpy(copy, bytes, count);
  clap_event_midi_sysex_t event = {
      .header = header(CLAP_EVENT_MIDI_SYSEX, sizeof event, frame), .buffer = copy, .size = count};
  add_event(&song, &event);
}

static void add_clap_note(const char *text) {
  unsigned frame;
  char type[8];
  int key, channel = 0, id = -1;
  double velocity;
  if (sscanf(text, "%u %7s %d %lf %d %d", &frame, type, &key, &velocity, &channel, &id) < 4) refuse("no note", text);
  uint16_t number = !strcmp(type, "on")    ? CLAP_EVENT_NOTE_ON
                    : !strcmp(type, "off") ? CLAP_EVENT_NOTE_OFF
                                           : CLAP_EVENT_NOTE_CHOKE;
  if (number == CLAP_EVENT_NOTE_CHOKE && strcmp(type, "choke")) refuse("neither on nor off nor choke", text);
  add_note(&song, frame, number, key, channel, id, velocity);
}

static void add_param(const char *text) {
  unsigned frame, id;
  double value;
  if (sscanf(text, "%u %u %lf", &frame, &id, &value) != 3) refuse("no parameter", text);
  add_value(&song, frame, id, NULL, value);
}

static bool add_line(const char *kind, const char *text) {
  if (!strcmp(kind, "event")) add_message(text);
  else if (!strcmp(kind, "note")) add_clap_note(text);
  else if (!strcmp(kind, "param")) add_param(text);
  else return false;
  return true;
}

static void add_lines(const char *file) {
  FILE *input = fopen(file, "r");
  if (!input) refuse("cannot be read", file);
  char line[16384], kind[16];
  int length;
  while (fgets(line, sizeof line, input))
    if (sscanf(line, "%15s%n", kind, &length) == 1 && !add_line(kind, line + length)) refuse("no event", line);
  fclose(input);
}

static void parse(int count, char **arguments) {
  if (count < 2) refuse("no", "seconds and output");
  double seconds = atof(arguments[0]);
  options.output = arguments[1];
  for (int i = 2; i < count; i++) {
    const char *name = arguments[i], *value = i + 1 < count ? arguments[i + 1] : "";
    if (!strcmp(name, "--offline")) options.offline = true;
    else if (!strcmp(name, "--wait-for-sound")) options.waits = true;
    else if (!strcmp(name, "--noise")) options.noise = true;
    else if (!strcmp(name, "--all")) options.all = true;
    else if (++i == count) refuse("an option without a value or an unknown one", name);
    else if (!strcmp(name, "--plugin")) plugin_id = value;
    else if (!strcmp(name, "--rate")) options.rate = (uint32_t)atoi(value);
    else if (!strcmp(name, "--block")) options.block = (uint32_t)atoi(value);
    else if (!strcmp(name, "--transport")) options.tempo = atof(value);
    else if (!strcmp(name, "--load")) options.load = value;
    else if (!strcmp(name, "--save")) options.save = value;
    else if (!strcmp(name, "--preset")) options.preset = value;
    else if (!strcmp(name, "--events")) add_lines(value);
    else if (strncmp(name, "--", 2) || !add_line(name + 2, value)) refuse("an unknown option", name);
  }
  if (options.block < 1 || options.block > 2 * LONGEST) refuse("the block is not 1 to 16384", "--block");
  if (options.rate < 1 || !(seconds >= 0)) refuse("no rate or length", arguments[0]);
  options.frames = (uint32_t)llround(seconds * options.rate);
}

// MARK: State and transport

static void load_state(Instance *instance) {
  FILE *input = fopen(options.load, "rb");
  if (!input) refuse("cannot be read", options.load);
  struct stat status;
  fstat(fileno(input), &status);
  State state = {malloc((size_t)status.st_size + 1), (size_t)status.st_size};
  if (fread(state.bytes, 1, state.size, input) != state.size) refuse("cannot be read", options.load);
  fclose(input);
  expect(instance->extensions.state, "the plugin has no state");
  expect(load(instance, state, UINT64_MAX), "the state %s is refused", options.load);
}

static void save_state(Instance *instance) {
  expect(instance->extensions.state, "the plugin has no state");
  State state = save(instance, UINT64_MAX);
  FILE *output = fopen(options.save, "wb");
  if (!output || fwrite(state.bytes, 1, state.size, output) != state.size || fclose(output))
    refuse("cannot be written", options.save);
}

static void load_preset(Instance *instance) {
  unsigned kind;
  char location[1024], key[256];
  if (sscanf(options.preset, "%u %1023s %255[^\n]", &kind, location, key) != 3) refuse("no preset", options.preset);
  expect(instance->extensions.preset_load, "the plugin loads no presets");
  expect(instance->extensions.preset_load->from_location(
             instance->plugin, kind, strcmp(location, "-") ? location : NULL, strcmp(key, "-") ? key : NULL),
         "the preset is not loaded: %s", instance->preset_error);
  pump(instance);
}

static clap_event_transport_t transport_at(uint32_t frame) {
  double seconds = (double)frame / options.rate, beats = seconds * options.tempo / 60;
  return (clap_event_transport_t){
      .header = header(CLAP_EVENT_TRANSPORT, sizeof(clap_event_transport_t), 0),
      .flags = CLAP_TRANSPORT_HAS_TEMPO | CLAP_TRANSPORT_HAS_BEATS_TIMELINE | CLAP_TRANSPORT_HAS_SECONDS_TIMELINE |
               CLAP_TRANSPORT_HAS_TIME_SIGNATURE | CLAP_TRANSPORT_IS_PLAYING,
      .song_pos_beats = llround(beats * (double)CLAP_BEATTIME_FACTOR),
      .song_pos_seconds = llround(seconds * (double)CLAP_SECTIME_FACTOR),
      .tempo = options.tempo,
      .bar_start = (clap_beattime)(beats / 4) * 4 * CLAP_BEATTIME_FACTOR,
      .bar_number = (int32_t)(beats / 4),
      .tsig_num = 4,
      .tsig_denom = 4,
  };
}

static Instance *prepare(void) {
  if (!plugin_id) plugin_id = library.factory->get_plugin_descriptor(library.factory, 0)->id;
  Instance *instance;
  if (options.offline) instance = inactive_instance();
  else initialize(instance = make_instance());
  instance->silent_input = !options.noise;
  if (options.load) load_state(instance);
  if (options.preset) load_preset(instance);
  activate(instance, options.rate, options.block < 256 ? 256 : options.block);
  start(instance);
  if (options.waits) {
    expect_sound(instance, "at first");
    reset(instance);
    instance->frame = 0;
  }
  return instance;
}

int render(int count, char **arguments) {
  parse(count, arguments);
  open_library();
  Instance *instance = prepare();
  FILE *output = fopen(options.output, "wb");
  if (!output) refuse("cannot be written", options.output);
  int channels = instance->channel_count[OUTPUT];
  if (!options.all && instance->port_count[OUTPUT]) channels = (int)instance->ports[OUTPUT][0].info.channel_count;
  uint32_t next = 0, frames;
  float peak = 0, *line = malloc((size_t)channels * options.block * sizeof *line);
  for (uint32_t first = 0; first < options.frames; first += frames) {
    frames = options.block < options.frames - first ? options.block : options.frames - first;
    for (; next < song.count && song.list[next]->time < first + frames; next++) {
      song.list[next]->time -= first;
      add_event(&instance->events, song.list[next]);
    }
    clap_event_transport_t transport = transport_at(first);
    instance->transport = options.tempo > 0 ? &transport : NULL;
    peak = fmaxf(peak, run(instance, frames));
    for (uint32_t i = 0; i < frames; i++)
      for (int channel = 0; channel < channels; channel++)
        line[i * (uint32_t)channels + (uint32_t)channel] = sample(instance, channel, i, frames);
    fwrite(line, sizeof *line, (size_t)channels * frames, output);
  }
  if (fclose(output)) refuse("cannot be written", options.output);
  if (options.save) save_state(instance);
  printf(
      "{\"plugin\": \"%s\", \"channels\": %d, \"frames\": %u, \"rate\": %u, "
      "\"peak\": %.9g, \"eventsSent\": %u, \"offline\": %s}\n",
      plugin_id, channels, options.frames, options.rate, (double)peak, instance->pushed,
      instance->offline ? "true" : "false");
  close_instance(instance);
  library.entry->deinit();
  return 0;
}
