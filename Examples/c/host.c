// A host in C: plays a phrase on an instrument, each note on its own frame, and writes a WAV file.
//
//   cc -o host host.c $(pkg-config --cflags --libs portative)
//   ./host phrase.wav                  # on the instrument that was used last
//   ./host phrase.wav 'Example: Saw'
#include <portative/host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_RATE = 48000, FRAMES = 256, CHANNELS = 2, SECONDS = 3 };

// Keys of the phrase, one every 0.3 s.
static const uint8_t keys[] = {60, 64, 67, 72, 76, 72, 67, 64};

static _Noreturn void fail(const char *what, const portative_error *error) {
  fprintf(stderr, "host: %s: %s\n", what, portative_error_message(error));
  exit(1);
}

// Writes the header of a WAV file with 32-bit floats.
static void write_header(FILE *file, uint32_t frames) {
  uint32_t bytes = frames * CHANNELS * 4;
  uint32_t riff[] = {0x46464952, 50 + bytes, 0x45564157, 0x20746d66, 18};
  uint16_t format[] = {3, CHANNELS, SAMPLE_RATE & 0xFFFF, SAMPLE_RATE >> 16, (SAMPLE_RATE * CHANNELS * 4) & 0xFFFF,
                       (SAMPLE_RATE * CHANNELS * 4) >> 16, CHANNELS * 4, 32, 0};
  uint32_t fact[] = {0x74636166, 4, frames, 0x61746164, bytes};
  fwrite(riff, sizeof riff, 1, file);
  fwrite(format, sizeof format, 1, file);
  fwrite(fact, sizeof fact, 1, file);
}

// Renders the phrase. This is the work of a render thread: a host with a sound device does it in the device's callback.
static portative_render_status render(portative_connection *connection, uint64_t cycle, float *const output[]) {
  // The transport of the song: 120 quarter notes per minute.
  portative_transport transport = {
      .provides = PORTATIVE_PROVIDES_BEAT | PORTATIVE_PROVIDES_STATE,
      .is_playing = true,
      .beat = (double)(cycle * FRAMES) / SAMPLE_RATE * 2,
      .tempo = 120,
  };
  portative_connection_set_transport(connection, 0, &transport);
  return portative_connection_render(connection, FRAMES, 0, NULL, 0, output);
}

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: host FILE.wav [NAME]\n");
    return 2;
  }
  portative_error *error = portative_error_create();
  portative_query query = {
      .size = sizeof query, .type = PORTATIVE_INSTRUMENT, .name = count > 2 ? arguments[2] : NULL};
  portative_components *components = portative_components_create(&query, PORTATIVE_BY_LAST_USE);
  const portative_component *component = portative_components_get(components, 0);
  if (!component) {
    fprintf(stderr, "host: there is no such instrument: start a node, for instance with 'portative serve'\n");
    return 1;
  }
  portative_host *host = portative_host_create("Example host in C", NULL, NULL);
  portative_connection *connection = portative_host_connect(host, component, 5, error);
  portative_components_free(components);
  if (!connection) fail("cannot connect", error);

  // A host with a sound device leaves `is_offline` out. Its render calls then never wait longer than a cycle.
  portative_initialization initialization = {.size = sizeof initialization,
                                             .sample_rate = SAMPLE_RATE,
                                             .output_channels = CHANNELS,
                                             .maximum_frames = FRAMES,
                                             .is_offline = true};
  if (portative_connection_initialize(connection, &initialization, error)) fail("cannot initialize", error);
  printf("playing %s\n", portative_connection_port(connection)->name);

  // An event beyond the next cycle is held until its cycle.
  for (uint32_t i = 0; i < sizeof keys; i++) {
    int64_t frame = (int64_t)i * SAMPLE_RATE * 3 / 10;
    portative_connection_schedule(connection, frame, (const uint8_t[]){0x90, keys[i], 100}, 3);
    portative_connection_schedule(
        connection, frame + SAMPLE_RATE / 4, (const uint8_t[]){0x80, keys[i], 64}, 3);
  }
  FILE *file = fopen(arguments[1], "wb");
  if (!file) {
    perror(arguments[1]);
    return 1;
  }
  uint32_t cycles = SAMPLE_RATE * SECONDS / FRAMES;
  write_header(file, cycles * FRAMES);
  float left[FRAMES], right[FRAMES], both[FRAMES * CHANNELS];
  float *output[] = {left, right};
  for (uint64_t cycle = 0; cycle < cycles; cycle++) {
    portative_render_status status = render(connection, cycle, output);
    if (status != PORTATIVE_RENDERED) {
      char *text = portative_connection_status_text(connection);
      fprintf(stderr, "host: cycle %d: not rendered: %s\n", (int)cycle, text);
      portative_free_string(text);
      return 1;
    }
    for (int i = 0; i < FRAMES; i++) {
      both[CHANNELS * i] = left[i];
      both[CHANNELS * i + 1] = right[i];
    }
    fwrite(both, sizeof both, 1, file);
  }
  int result = fclose(file);
  if (result) perror(arguments[1]);
  portative_connection_free(connection);
  portative_host_free(host);
  portative_error_free(error);
  return result ? 1 : 0;
}
