// A timebase master of a JACK server, which relocates the transport.
//
//   jack-timebase START TEMPO... [@FRAME:TO]... [!FRAME:END:BEATS-PER-MINUTE:BEATS-PER-BAR:BEAT-TYPE:TICKS-PER-BEAT]...
//
// The song is at the frame START when the transport starts. TEMPO is FRAME:BEATS-PER-MINUTE:BEATS-PER-BAR:BEAT-TYPE, in
// order of frame, the first at 0; each begins a bar. @FRAME:TO moves the transport to the frame TO in the first cycle at or
// after FRAME, once. On SIGTERM it prints a line "TIME FRAME ROLLING" for each cycle in which the transport did not go on
// as before: the server's time and the song's frame.
#include <jack/jack.h>
#include <jack/transport.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  jack_nframes_t frame;
  double tempo, beats, type;
} Tempo;

typedef struct {
  jack_nframes_t frame, to;
  bool done;
} Move;

typedef struct {
  jack_nframes_t frame, end;
  double tempo, beats, type, ticks;
} Fault;

typedef struct {
  jack_nframes_t time, frame;
  bool rolls;
} Change;

enum { CAPACITY = 1000, TICKS = 1920 };

static jack_client_t *client;
static Tempo tempos[CAPACITY];
static Move moves[CAPACITY];
static Fault faults[CAPACITY];
static Change changes[CAPACITY];
static int tempo_count, move_count, fault_count, change_count;

static void apply(Fault *fault, jack_position_t *position) {
  position->beats_per_bar = (float)fault->beats;
  position->beat_type = (float)fault->type;
  position->ticks_per_beat = fault->ticks;
  position->beats_per_minute = fault->tempo;
  if (isfinite(fault->tempo)) return;
  position->bar_start_tick = position->tick_double = fault->tempo;
  position->bar = position->beat = position->tick = INT32_MIN;
}

static void set_position(jack_transport_state_t state, jack_nframes_t frames, jack_position_t *position, int is_new,
                         void *unused) {
  // Bars and ticks of all tempos before the current one.
  double ticks = 0;
  int bars = 0, index = 0;
  while (index + 1 < tempo_count && tempos[index + 1].frame <= position->frame) {
    Tempo *tempo = &tempos[index++];
    double beats = (tempos[index].frame - tempo->frame) * tempo->tempo / 60 / position->frame_rate;
    ticks += beats * TICKS;
    bars += (int)ceil(beats / tempo->beats - 1e-9);
  }
  Tempo *tempo = &tempos[index];
  double beats = (position->frame - tempo->frame) * tempo->tempo / 60 / position->frame_rate;
  int bar = (int)floor(beats / tempo->beats);
  int beat = (int)floor(beats - bar * tempo->beats);
  position->valid = JackPositionBBT | JackTickDouble;
  position->bar = bars + bar + 1;
  position->beat = beat + 1;
  position->tick_double = (beats - bar * tempo->beats - beat) * TICKS;
  position->tick = (int)position->tick_double;
  position->bar_start_tick = ticks + bar * tempo->beats * TICKS;
  position->beats_per_bar = (float)tempo->beats;
  position->beat_type = (float)tempo->type;
  position->ticks_per_beat = TICKS;
  position->beats_per_minute = tempo->tempo;
  for (int i = 0; i < fault_count; i++)
    if (position->frame >= faults[i].frame && position->frame < faults[i].end) apply(&faults[i], position);
}

static int process(jack_nframes_t frames, void *unused) {
  static jack_nframes_t expected;
  static bool rolled;
  jack_position_t position;
  bool rolls = jack_transport_query(client, &position) == JackTransportRolling;
  if ((rolls != rolled || position.frame != expected) && change_count < CAPACITY)
    changes[change_count++] = (Change){jack_last_frame_time(client), position.frame, rolls};
  rolled = rolls;
  expected = position.frame + (rolls ? frames : 0);
  for (int i = 0; rolls && i < move_count; i++)
    if (!moves[i].done && position.frame >= moves[i].frame) {
      moves[i].done = true;
      jack_transport_locate(client, moves[i].to);
      break;
    }
  return 0;
}

int main(int count, char **arguments) {
  for (int i = 2; i < count; i++) {
    Tempo tempo;
    Move move = {0};
    Fault fault;
    if (sscanf(arguments[i], "@%u:%u", &move.frame, &move.to) == 2)
      moves[move_count++] = move;
    else if (sscanf(arguments[i], "!%u:%u:%lf:%lf:%lf:%lf", &fault.frame, &fault.end, &fault.tempo, &fault.beats,
                    &fault.type, &fault.ticks) == 6)
      faults[fault_count++] = fault;
    else if (sscanf(arguments[i], "%u:%lf:%lf:%lf", &tempo.frame, &tempo.tempo, &tempo.beats, &tempo.type) == 4)
      tempos[tempo_count++] = tempo;
    else
      return fprintf(stderr, "jack-timebase: what is '%s'?\n", arguments[i]), 2;
  }
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  client = jack_client_open("timebase", JackNoStartServer, NULL);
  if (!client || tempo_count == 0) return fputs("jack-timebase: no server, or no tempo\n", stderr), 1;
  jack_set_process_callback(client, process, NULL);
  if (jack_activate(client) || jack_set_timebase_callback(client, 0, set_position, NULL))
    return fputs("jack-timebase: it cannot be the master\n", stderr), 1;
  jack_transport_locate(client, (jack_nframes_t)atol(arguments[1]));
  puts("ready");
  fflush(stdout);
  int received;
  sigwait(&signals, &received);
  jack_client_close(client);
  for (int i = 0; i < change_count; i++) printf("%u %u %d\n", changes[i].time, changes[i].frame, changes[i].rolls);
  return 0;
}
