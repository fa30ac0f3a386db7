// A node in C: a small polyphonic synthesizer, written from Documentation/Protocol.md.
//
//   cc -O2 -o acme-synth node.c -I../Sources/C/CSegment -ljson-c -lm -lpthread
//   ./acme-synth acme     # publishes 'Acme: Triangle' as the node 'acme'
//
// One thread answers all hosts. While a host has the port initialized, a second thread renders.
#define _GNU_SOURCE
#include "segment.h"
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define PORT                                                                                       \
  "\"type\":\"instrument\",\"subtype\":\"tria\",\"manufacturer\":\"Acme\","                        \
  "\"name\":\"Acme: Triangle\",\"version\":\"1.0.0\""

enum { MAXIMUM_HOSTS = 16, MAXIMUM_ERRORS = 16, PACKET = 65536, VOICES = 32 };

// ---- The synthesizer: triangle waves with a release of 50 ms

struct voice {
  double phase, step;
  float level, target;
  uint8_t channel, key;
};

struct synth {
  double sample_rate;
  struct voice voices[VOICES];
  int oldest;
};

static void synth_event(struct synth *synth, uint8_t status, uint8_t key, uint8_t velocity) {
  uint8_t kind = status & 0xF0, channel = status & 0x0F;
  if (kind == 0x90 && velocity > 0) {
    struct voice *voice = &synth->voices[synth->oldest++ % VOICES];
    for (int i = 0; i < VOICES; i++)
      if (synth->voices[i].level == 0) voice = &synth->voices[i];
    *voice = (struct voice){.step = 440 * exp2((key - 69) / 12.0) / synth->sample_rate,
                            .level = velocity / 1270.f, .target = velocity / 1270.f,
                            .channel = channel, .key = key};
  } else if (kind == 0x80 || kind == 0x90) {
    for (int i = 0; i < VOICES; i++)
      if (synth->voices[i].channel == channel && synth->voices[i].key == key)
        synth->voices[i].target = 0;
  } else if (kind == 0xB0 && (key == 120 || key == 123)) {
    for (int i = 0; i < VOICES; i++)
      if (synth->voices[i].channel == channel) synth->voices[i].target = 0;
  }
}

static float synth_frame(struct synth *synth) {
  float sum = 0, fade = (float)exp(-1 / (0.05 * synth->sample_rate));
  for (int i = 0; i < VOICES; i++) {
    struct voice *voice = &synth->voices[i];
    if (voice->level == 0) continue;
    voice->phase += voice->step;
    voice->phase -= floor(voice->phase);
    sum += voice->level * (float)(4 * fabs(voice->phase - 0.5) - 1);
    if (voice->target == 0) voice->level = voice->level < 1e-5f ? 0 : voice->level * fade;
  }
  return sum;
}

// ---- The port: the shared memory and its render thread

struct port {
  struct host *owner; // NULL: no host has the port.
  char *memory; // NULL: not initialized.
  size_t size;
  uint32_t maximum_frames, outputs, read;
  int priority;
  bool is_offline;
  struct synth synth;
  pthread_t thread;
  atomic_bool stops;
  _Atomic uint32_t cycles;
  uint32_t seen_cycles; // When the main thread looked last, and when they had changed last.
  int64_t seen_at;
};

static struct port port;

static void futex(const void *word, int operation, uint32_t value, const struct timespec *timeout) {
  syscall(SYS_futex, word, operation, value, timeout, NULL, 0);
}

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static void store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }

static float *output(uint32_t channel) {
  return (float *)(void *)(port.memory + segment_output_offset(port.maximum_frames, channel));
}

static void render(struct segment_header *header) {
  // Every value of the host is copied once and checked.
  uint32_t frames = __atomic_load_n(&header->frames, __ATOMIC_RELAXED);
  int64_t position = __atomic_load_n(&header->position, __ATOMIC_RELAXED);
  if (position > INT64_MAX / 2) position = INT64_MAX / 2;
  if (position < -INT64_MAX / 2) position = -INT64_MAX / 2;
  bool is_valid = frames >= 1 && frames <= port.maximum_frames;
  if (!is_valid) frames = port.maximum_frames;
  const struct segment_slot *slots = (const void *)(port.memory + SEGMENT_TO_NODE_OFFSET);
  uint32_t read = port.read, written = load(&header->to_node_written);
  if (written - read > SEGMENT_EVENT_SLOTS) read = written; // Nonsense: skip it.
  for (uint32_t frame = 0; frame < frames; frame++) {
    while (is_valid && read != written) {
      struct segment_slot slot = slots[read % SEGMENT_EVENT_SLOTS];
      bool is_last = frame + 1 == frames;
      if (slot.frame > position + frame && !is_last) break;
      uint32_t used = 1;
      if (slot.kind == SEGMENT_EVENT_CHANNEL)
        synth_event(&port.synth, slot.bytes[0], slot.bytes[1] & 0x7F, slot.bytes[2] & 0x7F);
      else if (slot.kind == SEGMENT_EVENT_SYSEX)
        used += slot.count / SEGMENT_SLOT_SIZE + (slot.count % SEGMENT_SLOT_SIZE != 0);
      else if (slot.kind == SEGMENT_EVENT_PARAMETER)
        used = 2;
      read = used > written - read ? written : read + used;
    }
    float sample = is_valid ? synth_frame(&port.synth) : 0;
    for (uint32_t channel = 0; channel < port.outputs; channel++) output(channel)[frame] = sample;
  }
  port.read = read;
  store(&header->to_node_read, read);
}

static void *render_thread(void *unused) {
  struct segment_header *header = (void *)port.memory;
  uint32_t number = 0, progress = 0;
  // One less than the host's thread, so that this thread cannot keep it from running. Without permission: none.
  struct sched_param parameter = {.sched_priority = port.priority - 1};
  if (!port.is_offline && port.priority > 1)
    pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
  while (!atomic_load(&port.stops)) {
    uint32_t posted = load(&header->posted);
    if (posted == number) {
      futex(&header->posted, FUTEX_WAIT, posted, NULL);
      continue;
    }
    number = posted;
    store(&header->progress, ++progress);
    render(header);
    atomic_fetch_add(&port.cycles, 1);
    store(&header->answered, number);
    futex(&header->answered, FUTEX_WAKE, INT_MAX, NULL);
  }
  return unused;
}

static void uninitialize(void) {
  if (!port.memory) return;
  atomic_store(&port.stops, true);
  // The thread may have checked the flag but not begun to wait: wake it until it has ended.
  struct timespec soon;
  do {
    futex(&((struct segment_header *)(void *)port.memory)->posted, FUTEX_WAKE, INT_MAX, NULL);
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 1000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_sec++, soon.tv_nsec -= 1000000000;
  } while (pthread_timedjoin_np(port.thread, NULL, &soon) != 0);
  munmap(port.memory, port.size);
  port.memory = NULL;
}

// ---- Messages

struct host {
  int socket;
  struct json_object *peer; // From `hello`; NULL before.
  pid_t process;
  int64_t since; // The time of `connect`.
  bool has_described;
  int errors;
};

static struct host hosts[MAXIMUM_HOSTS];
static int host_count;

/// The error of a request. `field` or `holder` is its data.
struct error {
  const char *code, *message, *field;
  struct json_object *holder;
};

static struct json_object *parse(const char *text) { return json_tokener_parse(text); }

static struct json_object *field(struct json_object *object, const char *name) {
  return json_object_object_get(object, name);
}

static void set(struct json_object *object, const char *name, struct json_object *value) {
  json_object_object_add(object, name, value);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// Sends a message without waiting, and frees it. A host that does not read is disconnected.
static void send_message(const struct host *host, struct json_object *message) {
  const char *text = json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN);
  if (send(host->socket, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    shutdown(host->socket, SHUT_RDWR);
  json_object_put(message);
}

/// - id: The request; NULL if the error concerns none.
static void refuse(struct host *host, struct json_object *id, struct error error) {
  struct json_object *message = json_object_new_object(), *body = json_object_new_object();
  if (id) set(message, "id", json_object_get(id));
  set(body, "code", json_object_new_string(error.code));
  set(body, "message", json_object_new_string(error.message));
  if (error.field || error.holder) {
    struct json_object *data = json_object_new_object();
    if (error.field) set(data, "field", json_object_new_string(error.field));
    if (error.holder) set(data, "holder", json_object_get(error.holder));
    set(body, "data", data);
  }
  set(message, "error", body);
  send_message(host, message);
  if (strcmp(error.code, "versionMismatch") == 0) host->errors = MAXIMUM_ERRORS;
  if (strcmp(error.code, "badMessage") == 0 || strcmp(error.code, "badSequence") == 0 ||
      strcmp(error.code, "unknownMethod") == 0)
    host->errors++;
}

static struct error bad_message(const char *path) {
  return (struct error){"badMessage", "a field is missing or has the wrong type", path, NULL};
}

static struct error bad_sequence(const char *message) {
  return (struct error){"badSequence", message, NULL, NULL};
}

/// Reads a required integer. Returns whether there is one.
static bool integer(struct json_object *object, const char *name, int64_t *value) {
  struct json_object *found = field(object, name);
  *value = json_object_is_type(found, json_type_int) ? json_object_get_int64(found) : 0;
  return json_object_is_type(found, json_type_int);
}

static const char *text(struct json_object *object, const char *name) {
  struct json_object *found = field(object, name);
  return json_object_is_type(found, json_type_string) ? json_object_get_string(found) : NULL;
}

/// Checks that a component is the one of this node's port.
static bool is_our_component(struct json_object *component, struct error *error) {
  const char *type = text(component, "type"), *subtype = text(component, "subtype");
  const char *manufacturer = text(component, "manufacturer");
  if (!type || !subtype || !manufacturer) {
    *error = bad_message(!type      ? "params.component.type"
                         : !subtype ? "params.component.subtype"
                                    : "params.component.manufacturer");
    return false;
  }
  if (strcmp(type, "instrument") == 0 && strcmp(subtype, "tria") == 0 &&
      strcmp(manufacturer, "Acme") == 0)
    return true;
  *error = (struct error){"noSuchPort", "this node has only 'instrument tria Acme'", NULL, NULL};
  return false;
}

/// Maps the host's memory and starts the render thread. Returns whether this has succeeded.
static bool initialize(struct json_object *params, int descriptor, struct error *error) {
  int64_t rate, frames, outputs, inputs, priority;
  struct json_object *is_offline = field(params, "isOffline");
  if (!integer(params, "sampleRate", &rate) || !integer(params, "maximumFrames", &frames) ||
      !integer(params, "outputChannels", &outputs) || !integer(params, "inputChannels", &inputs) ||
      !integer(params, "priority", &priority) || !json_object_is_type(is_offline, json_type_boolean)) {
    *error = bad_message("params");
    return false;
  }
  *error = (struct error){"unsupportedFormat",
                          "8000 to 192000 frames per second, 1 to 65536 frames in a cycle, no input and "
                          "1 to 64 output channels are supported",
                          NULL, NULL};
  if (rate < 8000 || rate > 192000 || frames < 1 || frames > 65536 || outputs < 1 || outputs > 64 ||
      inputs != 0)
    return false;
  *error = (struct error){"unusableMemory", "attach the descriptor of a sealed segment of this version",
                          NULL, NULL};
  size_t size = segment_size((uint32_t)frames, (uint32_t)outputs, 0);
  const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  struct stat status;
  int found = descriptor < 0 ? -1 : fcntl(descriptor, F_GET_SEALS);
  if (found < 0 || (found & seals) != seals || fstat(descriptor, &status) != 0 ||
      (size_t)status.st_size != size)
    return false;
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  const struct segment_header *header = memory;
  bool is_mapped = memory != MAP_FAILED;
  if (is_mapped && (header->magic != SEGMENT_MAGIC || header->version != SEGMENT_VERSION ||
                    header->size != size || header->maximum_frames != frames ||
                    header->output_channels != outputs || header->input_channels != 0)) {
    munmap(memory, size);
    return false;
  }
  *error = (struct error){"outOfResources", "no memory or no thread is left", NULL, NULL};
  if (!is_mapped) return false;
  port = (struct port){.owner = port.owner, .memory = memory, .size = size,
                       .maximum_frames = (uint32_t)frames, .outputs = (uint32_t)outputs,
                       .priority = (int)(priority < 0 ? 0 : priority > 99 ? 99 : priority),
                       .is_offline = json_object_get_boolean(is_offline),
                       .synth.sample_rate = (double)rate, .seen_at = now()};
  if (pthread_create(&port.thread, NULL, render_thread, NULL) == 0) return true;
  munmap(memory, size);
  port.memory = NULL;
  return false;
}

static struct json_object *hello(struct host *host, struct json_object *params, struct error *error) {
  struct json_object *versions = field(params, "protocol"), *peer = field(params, "peer");
  int64_t minimum, maximum, process;
  const char *name = text(peer, "name");
  if (!integer(versions, "minimum", &minimum) || !integer(versions, "maximum", &maximum) ||
      !json_object_is_type(field(params, "features"), json_type_array) || !name ||
      strlen(name) > 255 || !integer(peer, "processID", &process)) {
    *error = bad_message("params");
    return NULL;
  }
  if (minimum > 2 || maximum < 2) {
    *error = (struct error){"versionMismatch", "this node supports version 2 of the protocol", NULL, NULL};
    return NULL;
  }
  if (host->peer) {
    *error = bad_sequence("send hello only once");
    return NULL;
  }
  host->peer = json_object_new_object();
  set(host->peer, "name", json_object_new_string(name));
  set(host->peer, "processID", json_object_new_int(host->process));
  struct json_object *result = parse("{\"protocol\":2,\"features\":[]}");
  set(result, "peer", parse("{\"name\":\"acme-synth\"}"));
  set(field(result, "peer"), "processID", json_object_new_int(getpid()));
  return result;
}

static struct json_object *report(void) {
  struct json_object *result = parse("{\"peer\":{\"name\":\"acme-synth\"},\"total\":1}");
  set(field(result, "peer"), "processID", json_object_new_int(getpid()));
  struct json_object *item = parse("{\"port\":{" PORT "},\"players\":[]}");
  if (port.owner) set(item, "host", json_object_get(port.owner->peer));
  struct json_object *items = json_object_new_array();
  json_object_array_add(items, item);
  set(result, "items", items);
  return result;
}

/// Returns the result of a request, or NULL and the error.
static struct json_object *answer(struct host *host, const char *method, struct json_object *params,
                                  int descriptor, struct error *error) {
  bool is_owner = port.owner == host, is_initialized = is_owner && port.memory;
#define IS(name) (strcmp(method, name) == 0)
  if (IS("hello")) return hello(host, params, error);
  if (IS("report")) return report();
  if (IS("uninitialize")) {
    if (is_owner) uninitialize();
    return parse("{}");
  }
  if (IS("forwardCommand")) { // This node does not send commands to its host.
    if (!is_our_component(field(params, "component"), error)) return NULL;
    *error = (struct error){"commandFailed", "this node does not forward commands", NULL, NULL};
    return NULL;
  }
  if (IS("describe") || IS("open") || IS("initialize")) {
    *error = bad_sequence("send hello, open and initialize in this order, and open only once");
    if (!host->peer || (IS("open") && is_owner)) return NULL;
    if (IS("initialize")) {
      if (!is_owner || port.memory || !initialize(params, descriptor, error)) return NULL;
      return parse("{\"latency\":0,\"parameterCount\":0}");
    }
    if (!is_our_component(field(params, "component"), error)) return NULL;
    if (IS("describe")) {
      host->has_described = true;
      return parse("{\"port\":{" PORT "},\"unit\":{\"latency\":0,\"parameterCount\":0}}");
    }
    if (port.owner) {
      *error = (struct error){"portInUse", "another host has the port", NULL, port.owner->peer};
      return NULL;
    }
    port.owner = host;
    return parse("{\"port\":{" PORT "}}");
  }
  // The unit has no parameters, presets and state.
  bool is_list = IS("parameters") || IS("presets");
  if (is_list || IS("values")) {
    int64_t offset;
    *error = bad_sequence("initialize or describe the port before");
    if (!is_initialized && !host->has_described) return NULL;
    *error = bad_message("params.offset");
    if (is_list && !integer(params, "offset", &offset)) return NULL;
    return parse(IS("parameters") ? "{\"items\":[],\"total\":0,\"groups\":[]}"
                 : IS("values")   ? "{\"values\":[]}"
                                  : "{\"items\":[],\"total\":0}");
  }
  if (IS("setParameters") || IS("usePreset") || IS("saveState") || IS("restoreState")) {
    *error = bad_sequence("initialize the port before");
    if (!is_initialized) return NULL;
    if (IS("saveState"))
      return parse("{\"state\":{\"version\":1,\"component\":{\"type\":\"instrument\",\"subtype\":\"tria\","
                   "\"manufacturer\":\"Acme\"},\"parameters\":{},\"data\":\"\"}}");
    int64_t number;
    struct json_object *values = field(params, "values"), *state = field(params, "state");
    if (IS("setParameters")) {
      *error = bad_message("params.values");
      if (!json_object_is_type(values, json_type_object)) return NULL;
      *error = (struct error){"badParameter", "the unit has no parameters", NULL, NULL};
      return json_object_object_length(values) == 0 ? parse("{}") : NULL;
    }
    if (IS("usePreset")) {
      *error = (struct error){"noSuchPreset", "the unit has no presets", NULL, NULL};
      if (!integer(params, "index", &number)) *error = bad_message("params.index");
      return NULL;
    }
    *error = bad_message("params.state");
    if (!integer(state, "version", &number) || !text(state, "data")) return NULL;
    if (is_our_component(field(state, "component"), error) && number == 1) return parse("{}");
    *error = (struct error){"badState", "the state belongs to another unit or version", NULL, NULL};
    return NULL;
  }
  *error = (struct error){"unknownMethod", "there is no such method", "method", NULL};
  return NULL;
}

static void handle(struct host *host, struct json_object *message, int descriptor) {
  struct json_object *id = field(message, "id"), *params = field(message, "params"), *result = NULL;
  const char *method = text(message, "method");
  bool is_response = field(message, "result") || field(message, "error");
  bool is_park = method && strcmp(method, "park") == 0;
  int64_t number;
  struct error error = {0};
  if (!json_object_is_type(message, json_type_object)) {
    error = (struct error){"badMessage", "the packet is not a JSON object", NULL, NULL};
  } else if (id && (!integer(message, "id", &number) || number < 0 || number > UINT32_MAX)) {
    id = NULL;
    error = bad_message("id");
  } else if (!method == !is_response) {
    error = bad_message("method");
  } else if (!method) {
    return; // This node sends no requests.
  } else if (params && !json_object_is_type(params, json_type_object)) {
    error = bad_message("params");
  } else if (id) {
    result = answer(host, method, params, descriptor, &error);
  } else if (is_park && !text(params, "reason")) {
    error = bad_message("params.reason");
  } else { // A notification
    if (is_park && port.owner == host) uninitialize();
    return;
  }
  if (!result) {
    refuse(host, id, error);
    return;
  }
  struct json_object *response = json_object_new_object();
  set(response, "id", json_object_get(id));
  set(response, "result", result);
  send_message(host, response);
}

/// Receives and handles one packet. Returns false if the host is to be disconnected.
static bool receive(struct host *host) {
  static char packet[PACKET];
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(253 * sizeof(int))]; // As many as a packet can have.
  } control;
  struct iovec part = {packet, PACKET};
  struct msghdr received = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                            .msg_controllen = sizeof control};
  ssize_t count = recvmsg(host->socket, &received, MSG_CMSG_CLOEXEC);
  if (count < 0 && errno == ECONNRESET) return true; // There may be packets before the end.
  if (count <= 0) return false;
  int descriptor = -1;
  for (struct cmsghdr *attached = CMSG_FIRSTHDR(&received); attached; attached = CMSG_NXTHDR(&received, attached)) {
    if (attached->cmsg_type != SCM_RIGHTS) continue;
    size_t attached_count = (attached->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < attached_count; i++) {
      int found;
      memcpy(&found, CMSG_DATA(attached) + i * sizeof found, sizeof found);
      if (descriptor < 0) descriptor = found;
      else close(found); // A host may send too many.
    }
  }
  struct json_tokener *tokener = json_tokener_new();
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  struct json_object *message = NULL;
  if (!(received.msg_flags & MSG_TRUNC))
    message = json_tokener_parse_ex(tokener, packet, (int)count);
  handle(host, message, descriptor);
  json_object_put(message);
  json_tokener_free(tokener);
  if (descriptor >= 0) close(descriptor);
  return host->errors < MAXIMUM_ERRORS;
}

static void disconnect(struct host *host) {
  if (port.owner == host) {
    uninitialize();
    port.owner = NULL;
  }
  // Unread packets would reset the connection, and the host would lose the last message.
  char byte;
  shutdown(host->socket, SHUT_RDWR);
  while (recv(host->socket, &byte, 1, MSG_DONTWAIT) > 0) {}
  close(host->socket);
  json_object_put(host->peer);
  struct host *last = &hosts[--host_count];
  if (port.owner == last) port.owner = host;
  *host = *last;
}

static void accept_host(int listener) {
  int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (socket < 0) return;
  struct host stranger = {.socket = socket, .since = now()};
  struct ucred peer;
  socklen_t size = sizeof peer;
  bool is_ours = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
                 peer.uid == geteuid();
  if (is_ours && host_count < MAXIMUM_HOSTS) {
    stranger.process = peer.pid;
    hosts[host_count++] = stranger;
    return;
  }
  refuse(&stranger, NULL,
         is_ours ? (struct error){"tooManyConnections", "this node has 16 connections", NULL, NULL}
                 : (struct error){"wrongUser", "run the host as the same user", NULL, NULL});
  shutdown(socket, SHUT_RDWR);
  close(socket);
}

/// Disconnects hosts that have not sent `hello` within 2 s.
static void check_hellos(void) {
  for (int i = host_count - 1; i >= 0; i--) {
    if (hosts[i].peer || now() - hosts[i].since < 2000000000) continue;
    refuse(&hosts[i], NULL, (struct error){"badMessage", "send hello within 2 s", NULL, NULL});
    disconnect(&hosts[i]);
  }
}

/// Parks the port if its host has not rendered for 2 s.
static void check_rendering(void) {
  if (!port.memory || port.is_offline) return;
  uint32_t cycles = atomic_load(&port.cycles);
  if (cycles != port.seen_cycles) {
    port.seen_cycles = cycles;
    port.seen_at = now();
  } else if (now() - port.seen_at >= 2000000000) {
    uninitialize();
    send_message(port.owner, parse("{\"method\":\"parked\",\"params\":{\"reason\":\"notRendered\"}}"));
  }
}

// ---- Discovery

static char folder[80], lock_path[180], record_path[180], socket_path[180];

static void fail(const char *what) {
  fprintf(stderr, "acme-synth: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void make_folder(void) {
  const char *base = getenv("XDG_RUNTIME_DIR");
  struct stat status;
  if (base && base[0] == '/')
    snprintf(folder, sizeof folder, "%s/portative", base);
  else {
    snprintf(folder, sizeof folder, "/run/user/%d", (int)geteuid());
    if (access(folder, F_OK) == 0)
      strcat(folder, "/portative");
    else
      snprintf(folder, sizeof folder, "/tmp/portative-%d", (int)geteuid());
  }
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) fail(folder);
  if (lstat(folder, &status) != 0) fail(folder);
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || status.st_mode & 077) {
    fprintf(stderr, "acme-synth: '%s' must be a private folder of this user\n", folder);
    exit(1);
  }
}

/// Locks the node's name for the lifetime of the process.
static void claim(void) {
  for (int tries = 0; tries < 1000; tries++) {
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 01600);
    struct stat opened, named;
    if (lock < 0 || fstat(lock, &opened) != 0) fail(lock_path);
    if (!S_ISREG(opened.st_mode)) {
      fprintf(stderr, "acme-synth: '%s' is not a regular file: remove it\n", lock_path);
      exit(1);
    }
    if (flock(lock, LOCK_EX | LOCK_NB) == 0) {
      if (lstat(lock_path, &named) == 0 &&
          opened.st_dev == named.st_dev && opened.st_ino == named.st_ino)
        return; // Never closed.
    } else if (flock(lock, LOCK_SH | LOCK_NB) != 0) {
      fprintf(stderr, "acme-synth: a node with this name runs already\n");
      exit(1);
    }
    close(lock); // Somebody tested the lock, or removed the file.
    usleep(500);
  }
  fail(lock_path);
}

static void publish(const char *name, const char *ports) {
  char partial[200];
  snprintf(partial, sizeof partial, "%s/.%s.partial", folder, name);
  unlink(partial); // A killed process may have left it.
  int file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 01600);
  if (file < 0) fail(partial);
  dprintf(file, "{\"name\":\"%s\",\"processID\":%d,\"ports\":[%s]}\n", name, (int)getpid(), ports);
  if (close(file) != 0 || rename(partial, record_path) != 0) fail(record_path);
}

static volatile sig_atomic_t ends;

static void end(int signal) {
  (void)signal;
  ends = 1;
}

int main(int count, char **arguments) {
  const char *name = count > 1 ? arguments[1] : "acme";
  if (strlen(name) > 64 || strchr(name, '/') || strchr(name, '"') || name[0] == '.') {
    fprintf(stderr, "usage: acme-synth NAME\n");
    return 2;
  }
  make_folder();
  snprintf(lock_path, sizeof lock_path, "%s/%s.lock", folder, name);
  snprintf(record_path, sizeof record_path, "%s/%s.json", folder, name);
  snprintf(socket_path, sizeof socket_path, "%s/%s.socket", folder, name);
  claim();
  unlink(socket_path);
  publish(name, "");

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(socket_path) >= sizeof address.sun_path) errno = ENAMETOOLONG, fail(socket_path);
  strcpy(address.sun_path, socket_path);
  int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 ||
      listen(listener, 256) != 0)
    fail(socket_path);
  publish(name, "{" PORT "}");

  struct sigaction action = {.sa_handler = end};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);

  while (!ends) {
    struct pollfd sockets[MAXIMUM_HOSTS + 1];
    int polled = host_count;
    for (int i = 0; i < polled; i++)
      sockets[i] = (struct pollfd){.fd = hosts[i].socket, .events = POLLIN};
    sockets[polled] = (struct pollfd){.fd = listener, .events = POLLIN};
    if (poll(sockets, (nfds_t)(polled + 1), polled > 0 ? 250 : -1) < 0) continue;
    // Backwards, because the last host takes the place of one that is disconnected. Ended hosts first, so that their
    // port is free.
    for (int i = polled - 1; i >= 0; i--)
      if (sockets[i].revents & (POLLHUP | POLLERR)) {
        disconnect(&hosts[i]);
        sockets[i] = sockets[host_count];
      }
    for (int i = host_count - 1; i >= 0; i--)
      if (sockets[i].revents & POLLIN && !receive(&hosts[i])) disconnect(&hosts[i]);
    if (sockets[polled].revents & POLLIN) accept_host(listener);
    check_hellos();
    check_rendering();
  }
  uninitialize();
  unlink(record_path);
  unlink(socket_path);
  unlink(lock_path);
  return 0;
}
