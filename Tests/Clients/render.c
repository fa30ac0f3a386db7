// Renders songs with the library as its header describes, and checks every result.
//
// usage: render SOUNDFONT SONG
#include <portative/render.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition) \
  do { \
    if (!(condition)) { \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, portative_render_error_message(error)); \
      exit(1); \
    } \
  } while (0)

static portative_render_error *error;
static portative_synthesizer *synthesizer;
static portative_song *song;

static portative_synthesizer *make(const char *font, const char *option) {
  const char *options[] = {"--soundfont", font, option};
  return portative_synthesizer_create(options, 3, error);
}

// Renders a song in blocks of a length; returns the number of frames. Left and right are in separate halves of `audio`.
static int64_t render(portative_rendering *rendering, float *audio, int64_t stride, int64_t block) {
  int64_t done = 0, frames;
  do {
    frames = portative_rendering_read(rendering, audio + done, (size_t)stride, (size_t)block, error);
    CHECK(frames >= 0);
    done += frames;
  } while (frames == block);
  float rest;
  CHECK(portative_rendering_read(rendering, &rest, 1, 1, error) == 0);
  return done;
}

static void *render_forever(void *stop) {
  while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED)) {
    portative_rendering *rendering = portative_synthesizer_render(synthesizer, song, NULL, 0, 0, true, NULL);
    float block[2 * 4096];
    for (int i = 0; i < 20; i++) portative_rendering_read(rendering, block, 4096, 4096, NULL);
    portative_rendering_free(rendering);
  }
  return NULL;
}

// Adds the sounds of all notes, in units of 2^-40 as the engine does, and compares the sum with the dry stem.
static void check_notes(const char *font) {
  portative_song_note list[20];
  for (int i = 0; i < 20; i++) {
    list[i] = (portative_song_note){.start = i * 0.0371, .end = i * 0.0371 + 0.1, .key = 48 + i, .velocity = 100, .port = i % 2};
  }
  portative_song *phrase = portative_song_create(list, 20, NULL, 0, NULL, error);
  portative_synthesizer *maker = make(font, "--stems=note");
  portative_rendering *rendering = portative_synthesizer_render(maker, phrase, NULL, 0, 0, true, error);
  CHECK(rendering && portative_rendering_channels(rendering) == 6);
  int64_t limit = portative_rendering_limit(rendering);
  float *audio = calloc(6, (size_t)limit * sizeof *audio), *dry = audio + 2 * limit;
  int64_t frames = portative_rendering_read(rendering, audio, (size_t)limit, (size_t)limit, error);
  CHECK(frames > 48000);
  int64_t *sums = calloc(2, (size_t)limit * sizeof *sums);
  portative_note_label labels[20];
  CHECK(portative_rendering_notes(rendering, labels, 20) == 20);
  uint8_t ports[20];
  CHECK(portative_rendering_note_ports(rendering, ports, 20) == 20);
  for (int i = 0; i < 20; i++) CHECK(ports[i] == i % 2);
  for (int i = 0; i < 20; i++) {
    size_t length = portative_rendering_note_audio(rendering, labels[i].note, NULL, 0);
    CHECK(length > 4800);
    float *sound = calloc(2, length * sizeof *sound), start[2];
    CHECK(portative_rendering_note_audio(rendering, labels[i].note, sound, length) == length);
    CHECK(portative_rendering_note_audio(rendering, labels[i].note, start, 1) == length);
    CHECK(start[0] == sound[0] && start[1] == sound[length]);
    for (size_t channel = 0; channel < 2; channel++) {
      for (size_t j = 0; j < length && labels[i].onset + (int64_t)j < frames; j++) {
        sums[channel * (size_t)limit + (size_t)labels[i].onset + j] += llrint(ldexp(sound[channel * length + j], 40));
      }
    }
    free(sound);
  }
  CHECK(portative_rendering_note_audio(rendering, 20, NULL, 0) == 0 && portative_rendering_note_audio(rendering, -1, NULL, 0) == 0);
  bool sounds = false;
  for (int64_t i = 0; i < 2 * limit; i++) {
    CHECK((float)ldexp((double)sums[i], -40) == dry[i]);
    sounds = sounds || dry[i] != 0;
  }
  CHECK(sounds);
  free(sums);
  free(audio);
  portative_rendering_free(rendering);
  portative_synthesizer_free(maker);
  portative_song_free(phrase);
}

int main(int count, char **arguments) {
  (void)count;
  const char *font = arguments[1];
  error = portative_render_error_create();
  CHECK(strcmp(portative_render_version(), VERSION) == 0 && portative_render_error_code(error) == 0);

  // Errors are those of the command.
  CHECK(!make(font, "--rate=1") && portative_render_error_code(error) == 2);
  CHECK(strstr(portative_render_error_message(error), "8000 to 96000"));
  CHECK(!make("/none.sf2", "--rate=48000") && portative_render_error_code(error) == 5);
  CHECK(!portative_song_decode("MThd", 4, "bytes", error) && portative_render_error_code(error) == 3);
  CHECK(!portative_song_read("/none.mid", error) && portative_render_error_code(error) == 3);
  CHECK(!portative_song_read("/none.mid", NULL));
  portative_song_note bad = {.start = NAN, .end = 1, .key = 60, .velocity = 1};
  CHECK(!portative_song_create(&bad, 1, NULL, 0, NULL, error) && portative_render_error_code(error) == 3);

  synthesizer = make(font, "--rate=44100");
  CHECK(synthesizer && portative_synthesizer_sample_rate(synthesizer) == 44100);
  char *provenance = portative_synthesizer_provenance(synthesizer, error);
  CHECK(provenance && strstr(provenance, "\"hash\":") && strstr(provenance, "\"sampleRate\":44100"));
  portative_render_free_string(provenance);
  char *path = portative_synthesizer_soundfont(synthesizer);
  CHECK(strcmp(path, font) == 0);
  portative_render_free_string(path);
  song = portative_song_read(arguments[2], error);
  CHECK(song);

  // The samples do not depend on the blocks in which they are read.
  portative_rendering *whole = portative_synthesizer_render(synthesizer, song, NULL, 0, 0, true, error);
  CHECK(whole && portative_rendering_channels(whole) == 2 );
  char *none = portative_rendering_stems(whole);
  CHECK(strcmp(none, "[]") == 0);
  portative_render_free_string(none);
  int64_t limit = portative_rendering_limit(whole);
  float *audio = calloc(2, (size_t)limit * sizeof *audio), *other = calloc(2, (size_t)limit * sizeof *other);
  int64_t frames = render(whole, audio, limit, limit);
  CHECK(frames > 0 && frames < limit);
  portative_rendering *parts = portative_synthesizer_render(synthesizer, song, NULL, 0, 0, false, error);
  CHECK(render(parts, other, limit, 1009) == frames);
  CHECK(memcmp(audio, other, (size_t)frames * sizeof *audio) == 0);
  CHECK(memcmp(audio + limit, other + limit, (size_t)frames * sizeof *audio) == 0);
  CHECK(portative_rendering_notes(parts, NULL, 0) == 0);
  portative_rendering_free(parts);

  // The labels are those of the notes; a smaller array gets the first of them.
  size_t notes = portative_rendering_notes(whole, NULL, 0);
  CHECK(notes > 1000 && portative_rendering_beats(whole, NULL, 0) > 100);
  portative_note_label *labels = malloc(notes * sizeof *labels), two[2];
  CHECK(portative_rendering_notes(whole, labels, notes) == notes);
  CHECK(portative_rendering_notes(whole, two, 2) == notes && two[1].onset == labels[1].onset);
  for (size_t i = 0; i < notes; i++) {
    CHECK(labels[i].onset <= labels[i].key_release && labels[i].key_release <= labels[i].sound_release);
    CHECK(labels[i].onset <= labels[i].audible && labels[i].audible <= labels[i].silence && labels[i].silence <= frames);
    CHECK(labels[i].velocity > 0 && labels[i].ending <= PORTATIVE_SHARED);
  }
  portative_tempo_label tempo;
  CHECK(portative_rendering_tempos(whole, &tempo, 1) > 1 && tempo.frame == 0 && tempo.microseconds_per_quarter > 0);
  portative_message_label message;
  CHECK(portative_rendering_messages(whole, &message, 1) > 1 && message.status >= 0xA0);
  char *report = portative_rendering_report(whole, error);
  CHECK(report && strstr(report, "\"frames\":"));
  portative_render_free_string(report);
  portative_rendering_free(whole);

  // Notes and messages in any order; the message acts before the note of its frame.
  portative_song_note list[] = {{.start = 0.5, .end = 1, .key = 64, .velocity = 100}, {.start = 0, .end = 0.25, .key = 60, .velocity = 100}};
  portative_song_message program = {.time = 0.5, .status = 0xC0, .data1 = 40};
  portative_song *made = portative_song_create(list, 2, &program, 1, NULL, error);
  CHECK(made);
  portative_rendering *rendering = portative_synthesizer_render(synthesizer, made, NULL, 0, 0, true, error);
  portative_song_free(made);
  render(rendering, other, limit, 4096);
  CHECK(portative_rendering_notes(rendering, two, 2) == 2 && portative_rendering_beats(rendering, NULL, 0) == 0);
  CHECK(two[0].onset == 0 && two[0].key == 60 && two[0].program == 0 && two[0].key_release == 11025);
  CHECK(two[1].onset == 22050 && two[1].key == 64 && two[1].program == 40);
  int32_t written[2];
  CHECK(portative_rendering_written(rendering, written, 2) == 2 && written[0] == 1 && written[1] == 0);
  portative_rendering_free(rendering);

  // The beats of a score, with the times of the notes; options and a number of frames for one song.
  made = portative_song_create(list, 2, &program, 1, song, error);
  rendering = portative_synthesizer_render(synthesizer, made, (const char *[]){"--transpose=12", "--from=0.25"}, 2, 22050, true, error);
  CHECK(rendering && render(rendering, other, limit, 4096) == 22050);
  CHECK(portative_rendering_notes(rendering, two, 2) == 2 && two[1].onset == 11025 && two[1].key == 76);
  CHECK(portative_rendering_start(rendering) == 11025);
  CHECK(portative_rendering_beats(rendering, NULL, 0) > 0 && portative_rendering_tempos(rendering, NULL, 0) == 1);
  portative_rendering_free(rendering);
  CHECK(!portative_synthesizer_render(synthesizer, made, (const char *[]){"--soundfont=/none.sf2"}, 1, 0, true, error));
  CHECK(portative_render_error_code(error) == 2);
  portative_song_free(made);
  rendering = portative_synthesizer_render(synthesizer, song, NULL, 0, 44100, true, error);
  render(rendering, other, limit, 4096);
  char *texts = portative_rendering_texts(rendering);
  CHECK(texts[0] == '[' && strstr(texts, "\"type\":\"text\""));
  portative_render_free_string(texts);
  portative_rendering_free(rendering);

  // Stems have names, and the last is the effects.
  portative_synthesizer *stemmed = make(font, "--stems=channel");
  rendering = portative_synthesizer_render(stemmed, song, NULL, 0, 0, false, error);
  portative_synthesizer_free(stemmed);
  size_t channels = portative_rendering_channels(rendering);
  char *stems = portative_rendering_stems(rendering);
  CHECK(channels > 6 && strstr(stems, "{\"kind\":\"wet\",\"name\":\"wet\"}]"));
  CHECK(strstr(stems, "\"kind\":\"channel\"") && strstr(stems, "\"number\":9,"));
  portative_render_free_string(stems);
  CHECK(portative_rendering_read(rendering, other, 0, 1, error) == -1 && portative_render_error_code(error) == 2);
  portative_rendering_cancel(rendering);
  CHECK(portative_rendering_read(rendering, other, 1, 1, error) == -1);
  CHECK(strcmp(portative_render_error_message(error), "interrupted") == 0);
  portative_rendering_free(rendering);

  check_notes(font);

  // A child that is forked while other threads render can render.
  int stop = 0;
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, render_forever, &stop);
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      rendering = portative_synthesizer_render(synthesizer, song, NULL, 0, 0, false, error);
      int64_t read = portative_rendering_read(rendering, other, (size_t)limit, 50000, error);
      _exit(read == 50000 && memcmp(audio, other, 50000 * sizeof *audio) == 0 ? 0 : 1);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);

  free(audio);
  free(other);
  free(labels);
  portative_song_free(song);
  portative_synthesizer_free(synthesizer);
  portative_song_free(NULL);
  portative_render_error_free(error);
  return 0;
}
