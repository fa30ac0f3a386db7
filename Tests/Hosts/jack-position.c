// Records what JACK's transport does, and what a client plays meanwhile.
//
//   jack-position OUTPUT [@FRAME:TO]...
//
// It prints "ready", and connects its port position:in to nothing. @FRAME:TO moves the transport to the frame TO in the
// first cycle at or after FRAME, once. On SIGTERM it writes the samples of all cycles to OUTPUT, and prints a line
//
//   CYCLE-FRAMES ROLLING FRAME VALID BAR BEAT TICK BAR-START-TICK BEATS-PER-BAR BEAT-TYPE TICKS-PER-BEAT TEMPO
//
// for each cycle. VALID is 1 if bar, beat and tick are. TICK is exact if the master says so.
#include <jack/jack.h>
#include <jack/transport.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CYCLES = 200000, MOVES = 100, SECONDS = 200 };

typedef struct {
  jack_nframes_t frames;
  bool rolls;
  jack_position_t position;
} Cycle;

static jack_client_t *client;
static jack_port_t *input;
static Cycle *cycles;
static float *samples;
static size_t cycle_count, sample_count, capacity;
static struct {
  jack_nframes_t frame, to;
  bool done;
} moves[MOVES];
static int move_count;

static int process(jack_nframes_t frames, void *unused) {
  if (cycle_count == CYCLES || sample_count + frames > capacity) return 0;
  Cycle *cycle = &cycles[cycle_count++];
  cycle->frames = frames;
  cycle->rolls = jack_transport_query(client, &cycle->position) == JackTransportRolling;
  memcpy(samples + sample_count, jack_port_get_buffer(input, frames), frames * sizeof *samples);
  sample_count += frames;
  for (int i = 0; cycle->rolls && i < move_count; i++)
    if (!moves[i].done && cycle->position.frame >= moves[i].frame) {
      moves[i].done = true;
      jack_transport_locate(client, moves[i].to);
      break;
    }
  return 0;
}

int main(int count, char **arguments) {
  for (int i = 2; i < count && move_count < MOVES; i++, move_count++)
    if (sscanf(arguments[i], "@%u:%u", &moves[move_count].frame, &moves[move_count].to) != 2)
      return fprintf(stderr, "jack-position: what is '%s'?\n", arguments[i]), 2;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  client = jack_client_open("position", JackNoStartServer, NULL);
  if (count < 2 || !client) return fputs("jack-position: no file, or no server\n", stderr), 1;
  capacity = (size_t)SECONDS * jack_get_sample_rate(client);
  cycles = calloc(CYCLES, sizeof *cycles);
  samples = calloc(capacity, sizeof *samples);
  input = jack_port_register(client, "in", JACK_DEFAULT_AUDIO_TYPE, JackPortIsInput, 0);
  jack_set_process_callback(client, process, NULL);
  if (!cycles || !samples || !input || jack_activate(client)) return fputs("jack-position: not active\n", stderr), 1;
  puts("ready");
  fflush(stdout);
  int received;
  sigwait(&signals, &received);
  jack_client_close(client);
  FILE *output = fopen(arguments[1], "w");
  if (!output || fwrite(samples, sizeof *samples, sample_count, output) != sample_count || fclose(output))
    return fprintf(stderr, "jack-position: cannot write %s\n", arguments[1]), 1;
  for (size_t i = 0; i < cycle_count; i++) {
    jack_position_t *position = &cycles[i].position;
    double tick = position->valid & JackTickDouble ? position->tick_double : position->tick;
    printf("%u %d %u %d %d %d %.17g %.17g %.9g %.9g %.17g %.17g\n", cycles[i].frames, cycles[i].rolls, position->frame,
           !!(position->valid & JackPositionBBT), position->bar, position->beat, tick, position->bar_start_tick,
           position->beats_per_bar, position->beat_type, position->ticks_per_beat, position->beats_per_minute);
  }
  return 0;
}
