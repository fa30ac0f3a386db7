// Plays MIDI messages to a JACK client at exact frames, and records its two outputs.
//
//   jack-render [-m MIDI-OUTPUT ANSWERS] MIDI-INPUT LEFT-OUTPUT RIGHT-OUTPUT EVENTS FRAMES OUTPUT [GAPS]
//   jack-render - LEFT-OUTPUT RIGHT-OUTPUT - FRAMES OUTPUT
//
// MIDI-INPUT may be several names with commas between them. EVENTS is a file of lines "FRAME HEX" in order of frame. OUTPUT gets FRAMES pairs of 32-bit floats. The server
// renders without a deadline (freewheel), so that a busy machine changes nothing. Frame 0 is the first frame of the
// cycle in which JACK's transport starts.
//
// With "-", it sends nothing, and the server keeps its speed: a sequencer that follows the transport plays a song of its
// own, and is silent without a deadline.
//
// With GAPS, the server keeps its speed, and the machine may be too slow for some cycles. GAPS gets a line "BEGIN END" for
// each range of frames that was not recorded. The events of such a cycle are not sent. Changes of the cycles' length are
// printed.
//
// With -m, ANSWERS gets the messages of a MIDI output, as EVENTS has them.
//
// It prints "connected" when the ports are.
//
// It is two JACK clients, a sender and a recorder: one client for both would be a loop in the graph, which delays by a
// cycle.
#include <errno.h>
#include <jack/jack.h>
#include <jack/midiport.h>
#include <jack/transport.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  int64_t frame;
  uint32_t size;
  uint8_t bytes[64];
} Event;

typedef struct {
  int64_t begin, end;
} Gap;

static jack_client_t *sender, *recorder;
static jack_port_t *midi, *inputs[2];
// NULL: no messages are recorded.
static jack_port_t *midi_input;
static Event *events;
static size_t event_count, next_event;
static Event answers[100000];
static size_t answer_count;
static int64_t length;
static bool sends;
// NULL: a gap is a failure.
static const char *gaps_path;
static Gap gaps[10000];
static size_t gap_count;
static float *recording;
static sem_t done;
// The server's time of frame 0, which the sender sets.
static _Atomic int has_start;
static jack_nframes_t start;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("jack-render: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  // The server's threads may still call this program.
  _exit(1);
}

// The server's time has 32 bits and wraps.
static int64_t position(jack_client_t *client) { return (int32_t)(jack_last_frame_time(client) - start); }

static int send(jack_nframes_t frames, void *unused) {
  void *buffer = jack_port_get_buffer(midi, frames);
  jack_midi_clear_buffer(buffer);
  if (!has_start) {
    if (jack_transport_query(sender, NULL) != JackTransportRolling) return 0;
    start = jack_last_frame_time(sender);
    has_start = 1;
  }
  int64_t first = position(sender);
  for (; next_event < event_count && events[next_event].frame < first + frames; next_event++) {
    Event *event = &events[next_event];
    if (event->frame < first && gaps_path) continue;
    if (event->frame < first) fail("a cycle is missing before frame %lld", (long long)first);
    if (jack_midi_event_write(buffer, (jack_nframes_t)(event->frame - first), event->bytes, event->size))
      fail("JACK refuses the event at frame %lld", (long long)event->frame);
  }
  return 0;
}

static void record_messages(int64_t first, jack_nframes_t frames) {
  void *buffer = jack_port_get_buffer(midi_input, frames);
  for (uint32_t i = 0; i < jack_midi_get_event_count(buffer); i++) {
    jack_midi_event_t event;
    if (jack_midi_event_get(&event, buffer, i) || answer_count == sizeof answers / sizeof *answers) fail("an answer is lost");
    Event *answer = &answers[answer_count++];
    if (event.size > sizeof answer->bytes) fail("a message of %zu bytes", event.size);
    *answer = (Event){.frame = first + event.time, .size = (uint32_t)event.size};
    memcpy(answer->bytes, event.buffer, event.size);
  }
}

static int record(jack_nframes_t frames, void *unused) {
  static int64_t expected;
  if (!has_start || expected >= length) return 0;
  int64_t first = position(recorder);
  // Without a connection between the two clients, the recorder may miss the cycle in which the transport starts.
  if (!sends && expected == 0) expected = first;
  if (gaps_path && first != expected && gap_count < sizeof gaps / sizeof *gaps) {
    // PipeWire gives the time of the driver's cycle, which may already be the next one.
    gaps[gap_count++] = first > expected ? (Gap){expected, first} : (Gap){first, expected};
    expected = first;
  }
  if (first != expected) fail("frames %lld to %lld are missing", (long long)expected, (long long)first);
  for (int channel = 0; channel < 2; channel++) {
    const float *samples = jack_port_get_buffer(inputs[channel], frames);
    for (jack_nframes_t i = 0; i < frames && first + i < length; i++) recording[2 * (first + i) + channel] = samples[i];
  }
  if (midi_input) record_messages(first, frames);
  expected = first + frames;
  if (expected >= length) sem_post(&done);
  return 0;
}

static int report_length(jack_nframes_t frames, void *unused) {
  printf("cycles of %u frames\n", frames);
  fflush(stdout);
  return 0;
}

static void server_ended(void *unused) { fail("the server ended"); }

static void read_events(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail("cannot open %s", path);
  long long frame;
  char digits[2 * sizeof events->bytes + 1];
  while (fscanf(file, "%lld %128s", &frame, digits) == 2) {
    events = realloc(events, (event_count + 1) * sizeof *events);
    Event *event = &events[event_count++];
    *event = (Event){.frame = frame};
    for (unsigned byte; sscanf(digits + 2 * event->size, "%2x", &byte) == 1;)
      event->bytes[event->size++] = (uint8_t)byte;
  }
  fclose(file);
}

static void write_answers(const char *path) {
  FILE *file = fopen(path, "w");
  if (!file) fail("cannot open %s", path);
  for (Event *answer = answers; answer < answers + answer_count; answer++) {
    fprintf(file, "%lld ", (long long)answer->frame);
    for (uint32_t i = 0; i < answer->size; i++) fprintf(file, "%02x", answer->bytes[i]);
    fputc('\n', file);
  }
  if (fclose(file)) fail("cannot write %s", path);
}

static void connect(const char *from, const char *to) {
  int error = jack_connect(sender, from, to);
  if (error && error != EEXIST) fail("cannot connect %s to %s", from, to);
}

int main(int count, char **arguments) {
  const char *midi_output = NULL, *answers_path = NULL;
  if (count > 3 && !strcmp(arguments[1], "-m")) {
    midi_output = arguments[2];
    answers_path = arguments[3];
    count -= 3;
    arguments += 3;
  }
  if (count != 7 && count != 8) fail("usage: [-m MIDI-OUTPUT ANSWERS] MIDI-INPUT LEFT-OUTPUT RIGHT-OUTPUT EVENTS FRAMES OUTPUT [GAPS]");
  sends = strcmp(arguments[1], "-");
  if (sends) read_events(arguments[4]);
  length = atoll(arguments[5]);
  gaps_path = arguments[7];
  recording = calloc((size_t)length, 2 * sizeof(float));
  sem_init(&done, 0, 0);
  sender = jack_client_open("sender", JackNoStartServer, NULL);
  recorder = jack_client_open("recorder", JackNoStartServer, NULL);
  if (!sender || !recorder || !recording) fail("no server, or no memory");
  midi = jack_port_register(sender, "out", JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput, 0);
  inputs[0] = jack_port_register(recorder, "left", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
  inputs[1] = jack_port_register(recorder, "right", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
  if (midi_output) midi_input = jack_port_register(recorder, "midi", JACK_DEFAULT_MIDI_TYPE, JackPortIsInput, 0);
  jack_set_process_callback(sender, send, NULL);
  jack_set_process_callback(recorder, record, NULL);
  if (gaps_path) jack_set_buffer_size_callback(recorder, report_length, NULL);
  jack_on_shutdown(recorder, server_ended, NULL);
  if (jack_activate(sender) || jack_activate(recorder)) fail("cannot activate the clients");
  for (char *input = strtok(arguments[1], ","); sends && input; input = strtok(NULL, ","))
    connect(jack_port_name(midi), input);
  connect(arguments[2], jack_port_name(inputs[0]));
  connect(arguments[3], jack_port_name(inputs[1]));
  if (midi_input) connect(midi_output, jack_port_name(midi_input));
  puts("connected");
  fflush(stdout);
  bool is_free = sends && !gaps_path;
  if (is_free && jack_set_freewheel(sender, 1)) fail("the server cannot render without a deadline");
  // The graph changes while the server runs. A connection is complete after some cycles.
  usleep(200000);

  jack_transport_start(sender);
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 200;
  if (sem_timedwait(&done, &end)) fail("not done after 200 s");
  jack_transport_stop(sender);
  if (is_free) jack_set_freewheel(sender, 0);
  jack_client_close(recorder);
  jack_client_close(sender);

  FILE *output = fopen(arguments[6], "w");
  if (!output || fwrite(recording, 2 * sizeof(float), (size_t)length, output) != (size_t)length || fclose(output))
    fail("cannot write %s", arguments[6]);
  if (answers_path) write_answers(answers_path);
  if (!gaps_path) return 0;
  FILE *file = fopen(gaps_path, "w");
  if (!file) fail("cannot write %s", gaps_path);
  for (size_t i = 0; i < gap_count; i++) fprintf(file, "%lld %lld\n", (long long)gaps[i].begin, (long long)gaps[i].end);
  fclose(file);
  return 0;
}
