#pragma once
#include "common.h"

// The host's side: finds ports, connects to them, sends MIDI, transport and audio, and receives the result in the same
// cycle.
//
//   portative_error *error = portative_error_create();
//   portative_host *host = portative_host_create("My sequencer", NULL, NULL);
//   portative_components *list = portative_components_create(NULL, PORTATIVE_BY_MAKER_AND_NAME);
//   portative_connection *connection =
//       portative_host_connect(host, portative_components_get(list, 0), 5, error);
//   portative_initialization initialization = {
//       .size = sizeof initialization, .sample_rate = 48000, .output_channels = 2, .maximum_frames = 256};
//   portative_connection_initialize(connection, &initialization, error);
//   // On the render thread, in each cycle:
//   portative_connection_schedule(connection, 17, (const uint8_t[]){0x90, 60, 100}, 3);
//   portative_render_status status = portative_connection_render(connection, 256, 0, NULL, 0, output);
//
// portative/common.h describes handles, structures, strings, errors and threads.

#ifdef __cplusplus
extern "C" {
#endif

// ---- Components

/// A port that a host can connect to.
typedef struct portative_component {
  uint32_t size;
  /// The process that publishes the port; 0 while no process does.
  int32_t process_id;
  /// The description of the port. Its `nodes` are not set.
  const portative_port *port;
  /// The name of the node that offers the port.
  const char *node;
  /// The path of the manifest that says how to start the node; NULL if the node cannot be started.
  const char *manifest;
  /// The time at which a host last connected to the port, in seconds since 1970-01-01 00:00 UTC; negative if never.
  double last_use;
} portative_component;

/// A file or folder that prevents its components from being listed.
typedef struct portative_problem {
  uint32_t size;
  uint32_t reserved;
  const char *path;
  /// A sentence with the path, the problem and the remedy.
  const char *message;
} portative_problem;

/// A filter for components. Fields that are 0 or NULL match everything.
typedef struct portative_query {
  uint32_t size;
  portative_port_type type;
  const char *subtype;
  const char *manufacturer;
  /// A name as a user types it: "Maker: Name", or only the part after the colon. Case is ignored unless the whole name
  /// matches exactly.
  const char *name;
} portative_query;

typedef enum portative_component_order {
  /// Alphabetically by maker, then by name, ignoring case.
  PORTATIVE_BY_MAKER_AND_NAME = 0,
  /// The most recently used first. Components that were never used come last.
  PORTATIVE_BY_LAST_USE = 1,
} portative_component_order;

/// The components found by one read of the manifests and the running nodes. It does not change.
typedef struct portative_components portative_components;

/// Lists the components: those that run, and those that can be started. Reads files.
///
/// The same component offered by two nodes is listed twice. Free the list with `portative_components_free`.
///
/// @param query NULL: all components. A query with an invalid code matches nothing.
/// [any-thread]
portative_components *portative_components_create(const portative_query *query, portative_component_order order);

/// Frees a list, and all components and problems in it.
/// [main-thread]
void portative_components_free(portative_components *components);

/// Returns the number of components.
/// [any-thread]
uint32_t portative_components_count(const portative_components *components);

/// Returns a component.
///
/// @return NULL if `index` is not below the count. Valid until the list is freed.
/// [any-thread]
const portative_component *portative_components_get(const portative_components *components, uint32_t index);

/// Returns the number of unusable manifests and nodes. The other components are listed nevertheless.
/// [any-thread]
uint32_t portative_components_problem_count(const portative_components *components);

/// @return NULL if `index` is not below the count. Valid until the list is freed.
/// [any-thread]
const portative_problem *portative_components_get_problem(const portative_components *components, uint32_t index);

/// Reports changes of the components: a manifest is added, removed or edited; a node starts, ends or crashes, or
/// publishes other ports. Threads: one at a time.
typedef struct portative_watch portative_watch;

/// Starts watching for changes. Free the watch with `portative_watch_free`.
///
/// @return NULL with "systemError" if the system has no descriptors left.
/// [any-thread]
portative_watch *portative_watch_create(portative_error *error);

/// Stops watching, and frees the watch and its descriptor. Its lists remain.
/// [main-thread]
void portative_watch_free(portative_watch *watch);

/// Returns a descriptor that is readable when `portative_watch_next` should be called: for `poll` and event loops. It
/// belongs to the watch.
/// [main-thread]
int portative_watch_descriptor(const portative_watch *watch);

/// Returns the components if they have changed since the last call. Does not wait, but may read files. Changes within
/// 50 ms are reported as one.
///
/// @return A list that the caller frees, sorted by maker and name; NULL if nothing has changed.
/// [main-thread]
portative_components *portative_watch_next(portative_watch *watch);

/// Waits until the components have changed.
///
/// @param seconds The longest wait in seconds; negative: no limit.
/// @return A list that the caller frees; NULL when the limit has passed or a signal has arrived.
/// [main-thread]
portative_components *portative_watch_wait(portative_watch *watch, double seconds);

// ---- Parameters and presets

/// The parameters of a unit. It does not change. Threads: any.
typedef struct portative_parameters portative_parameters;

/// Returns the number of parameters, 0…1024.
/// [any-thread]
uint32_t portative_parameters_count(const portative_parameters *parameters);

/// @return NULL if `index` is not below the count.
/// [any-thread]
const portative_parameter *portative_parameters_get(const portative_parameters *parameters, uint32_t index);

/// Returns the index of the parameter with an identifier; -1 if there is none.
/// [any-thread]
int32_t portative_parameters_index(const portative_parameters *parameters, const char *identifier);

/// Returns the number of groups.
/// [any-thread]
uint32_t portative_parameters_group_count(const portative_parameters *parameters);

/// @return NULL if `index` is not below the count.
/// [any-thread]
const portative_parameter_group *portative_parameters_get_group(const portative_parameters *parameters, uint32_t index);

/// The presets of a unit. They do not change. Threads: any.
typedef struct portative_presets portative_presets;

/// Frees the presets that `portative_connection_presets` has returned.
/// [main-thread]
void portative_presets_free(portative_presets *presets);

/// Returns the number of presets.
/// [any-thread]
uint32_t portative_presets_count(const portative_presets *presets);

/// @return NULL if `index` is not below the count.
/// [any-thread]
const portative_preset *portative_presets_get(const portative_presets *presets, uint32_t index);

/// A file that a unit plays and that a host can replace.
typedef struct portative_file {
  /// Identifies the file within the unit, such as "soundfont".
  const char *identifier;
  /// A name for the user, such as "SoundFont".
  const char *name;
  /// The absolute path; empty if the unit plays none.
  const char *path;
  /// The 128-bit XXH3 of the contents, in 32 hexadecimal digits; NULL if unknown.
  const char *hash;
} portative_file;

/// The files of a unit. They do not change. Threads: any.
typedef struct portative_files portative_files;

/// Frees the files that `portative_connection_files` has returned.
/// [main-thread]
void portative_files_free(portative_files *files);

/// Returns the number of files.
/// [any-thread]
uint32_t portative_files_count(const portative_files *files);

/// Returns a file, valid until the files are freed; NULL if there is none with this index.
/// [any-thread]
const portative_file *portative_files_get(const portative_files *files, uint32_t index);

// ---- Host

/// A program that plays nodes. Threads: any.
typedef struct portative_host portative_host;

/// Creates a host. Free it with `portative_host_free`; its connections remain.
///
/// @param name The name of the program, as shown to users; at most 255 bytes.
/// @param icon The path of an image; may be NULL.
/// @param url The address of further information; may be NULL.
/// [any-thread]
portative_host *portative_host_create(const char *name, const char *icon, const char *url);

/// Frees a host. Its connections remain.
/// [main-thread]
void portative_host_free(portative_host *host);

/// A connection to one port of a node.
///
/// Guarantees: an event with offset k acts at frame k of the cycle's output, and that output is available in the same
/// cycle. No call waits longer than its limit, whatever the node does. An accepted event is never dropped. Once the
/// connection is lost, every call returns immediately with that status or error.
///
/// States: open (after `portative_host_connect`), initialized, parked (like open, after the node missed too many cycles
/// or the host stopped rendering) and lost (permanent). Functions with [render-thread] may be called in every state.
/// Only one thread may call them at a time, and none while another thread initializes, uninitializes or frees the
/// connection. Connections are independent of each other.
typedef struct portative_connection portative_connection;

/// Acquires a port. Starts its node if it does not run.
///
/// Close the connection with `portative_connection_free`.
///
/// @param component A component of a list, or one that the caller has composed of a `port` with the fields `type`,
///   `subtype` and `manufacturer`, and a `node`.
/// @param seconds The longest wait in seconds for a node to start and publish the component, for instance 5.
/// @return NULL on error: "portInUse" if another host has the port, "launchFailed" if the node cannot be started.
/// [any-thread]
portative_connection *portative_host_connect(
    portative_host *host, const portative_component *component, double seconds, portative_error *error);

/// The properties of a port. They do not change. Threads: any.
typedef struct portative_details portative_details;

/// Returns the properties of a port without acquiring it. Starts its node if it does not run.
///
/// Free the details with `portative_details_free`. Parameters `component` and `seconds` as in `portative_host_connect`.
/// [any-thread]
portative_details *portative_host_describe(
    portative_host *host, const portative_component *component, double seconds, portative_error *error);

/// Frees details, and the parameters and presets in them.
/// [main-thread]
void portative_details_free(portative_details *details);

/// Returns the description of the port. Valid until the details are freed.
/// [any-thread]
const portative_port *portative_details_port(const portative_details *details);

/// Returns the latency in frames.
/// [any-thread]
int64_t portative_details_latency(const portative_details *details);

/// Returns the tail in frames; -1 if it is unknown.
/// [any-thread]
int64_t portative_details_tail(const portative_details *details);

/// Returns the parameters. Valid until the details are freed.
/// [any-thread]
const portative_parameters *portative_details_parameters(const portative_details *details);

/// Returns the value of a parameter: the current one if a host has initialized the port, otherwise the initial one.
///
/// @return 0 if there is no such parameter.
/// [any-thread]
float portative_details_value(const portative_details *details, uint32_t index);

/// Returns the presets. Valid until the details are freed; do not free them.
/// [any-thread]
const portative_presets *portative_details_presets(const portative_details *details);

/// Returns the ports of a running node and their state as JSON: an object with the fields `node`, `sound` and `ports`,
/// which is a list of `PortReport`s of the protocol.
///
/// @return A string that the caller frees; NULL on error.
/// [any-thread]
char *portative_host_report(portative_host *host, const char *node, portative_error *error);

/// Sends a command to the host that plays a port, by way of the port's node. For remote controls such as foot switches.
///
/// @return -1 with "commandFailed" if no host is connected to the port, or the host does not support the command or
///   cannot carry it out now.
/// [any-thread]
int portative_host_command(
    portative_host *host, const portative_component *component, const portative_command *command,
    portative_error *error);

/// Gives the calling thread realtime priority (SCHED_FIFO): within the system's limits, or otherwise by RealtimeKit.
/// May wait for seconds.
///
/// Call this on the thread that will render, before `portative_connection_initialize`.
///
/// @param priority 1…99; 70 is usual.
/// @return The resulting priority, which may be lower; -1 with "notPermitted" and the remedy.
/// [render-thread & !realtime]
int portative_request_realtime_priority(int priority, portative_error *error);

/// Pins the calling thread to its current processor, so that a node can render there while the thread waits. The round
/// trip then takes 5 µs instead of 25 µs.
///
/// Call this once on the thread that will render, before the first cycle. It has an effect only with realtime priority.
/// [render-thread & !realtime]
void portative_keep_thread_on_processor(void);

// ---- Connection

/// Closes and frees a connection. Waits for a callback in progress, unless a callback of this connection calls it. No
/// callback is called afterwards. Not during another call.
/// [main-thread]
void portative_connection_free(portative_connection *connection);

/// Releases the port. The connection is then lost with the reason PORTATIVE_LOST_CLOSED. Ends waits in progress.
///
/// [any-thread]
void portative_connection_close(portative_connection *connection);

/// Returns the node's description of the port. Valid until the connection is freed.
/// [any-thread]
const portative_port *portative_connection_port(const portative_connection *connection);

/// Returns the name of the node. Valid until the connection is freed.
///
/// @param process_id Receives the node's process ID; may be NULL.
/// [any-thread]
const char *portative_connection_node(const portative_connection *connection, int32_t *process_id);

/// What `portative_connection_initialize` needs. The fields without "0:" are required.
typedef struct portative_initialization {
  uint32_t size;
  /// Frames per second: 8000…192000.
  uint32_t sample_rate;
  /// The number of input channels: 0…64; 0 for instruments and generators.
  uint32_t input_channels;
  /// The number of output channels: 1…64.
  uint32_t output_channels;
  /// The length of the longest cycle in frames: 1…65536.
  uint32_t maximum_frames;
  /// Whether render calls wait for as long as the node makes progress, for rendering to files.
  bool is_offline;
  /// The SCHED_FIFO priority of the thread that will render: 1…99. The node's render thread gets one priority less if
  /// that is permitted. 0: the priority of the calling thread. -1: the default scheduler.
  int32_t priority;
  /// The number of consecutive late cycles after which the connection is parked. 0: 50.
  uint32_t late_limit;
  /// The longest wait of a render call, as a fraction of the cycle's duration, above 0. 0: 0.9. A node that is itself a
  /// host should use a smaller fraction than its own host.
  double deadline_fraction;
  /// Offline, the longest wait of a render call in seconds without progress of the node; then the connection is parked.
  /// 0: 10 s. Negative: no limit.
  double stall_limit;
} portative_initialization;

/// Prepares the node for rendering, and creates the shared memory. May take up to 60 s. Events that were scheduled
/// before are discarded. State: open or parked.
///
/// @return -1 on error: "unsupportedFormat" with the limit in the message; "unitFailed" if the node cannot load what it
///   needs; "badSequence" if the connection is initialized.
/// [main-thread & !initialized]
int portative_connection_initialize(
    portative_connection *connection, const portative_initialization *initialization, portative_error *error);

/// Frees the resources of `portative_connection_initialize` in both processes. Does nothing in other states.
/// [main-thread]
void portative_connection_uninitialize(portative_connection *connection);

typedef enum portative_connection_state {
  /// The port is acquired but not initialized.
  PORTATIVE_OPEN = 0,
  PORTATIVE_INITIALIZED = 1,
  /// Like open: the node has freed its render resources. The connection can be initialized again.
  PORTATIVE_PARKED = 2,
  /// The connection has ended permanently.
  PORTATIVE_LOST = 3,
} portative_connection_state;

/// The reason why a connection has ended.
typedef enum portative_loss_reason {
  PORTATIVE_NOT_LOST = 0,
  /// The host has closed the connection.
  PORTATIVE_LOST_CLOSED = 1,
  /// The node's process has ended, or closed the socket without giving a reason.
  PORTATIVE_LOST_NODE_ENDED = 2,
  /// The node no longer publishes the port.
  PORTATIVE_LOST_PORT_REMOVED = 3,
  /// The node did not answer a request in time.
  PORTATIVE_LOST_NO_ANSWER = 4,
  /// The node sent an invalid message.
  PORTATIVE_LOST_PROTOCOL_VIOLATION = 5,
} portative_loss_reason;

typedef struct portative_connection_status {
  uint32_t size;
  portative_connection_state state;
  portative_park_reason park_reason;
  portative_loss_reason loss_reason;
} portative_connection_status;

/// Writes the state of the connection to `status`, whose `size` the caller has set.
/// [any-thread]
void portative_connection_get_status(
    const portative_connection *connection, portative_connection_status *status);

/// Returns the state of the connection as text, such as "lost: the node has ended". The caller frees the string.
///
/// [any-thread]
char *portative_connection_status_text(const portative_connection *connection);

/// Sets the function that is called with the new status when the connection is parked or lost.
///
/// @param changed Called on a thread of the connection, one call at a time, also with the functions below. It may send
///   requests to the node. NULL: none.
/// [any-thread]
void portative_connection_on_change(
    portative_connection *connection,
    void (*changed)(void *context, const portative_connection_status *status), void *context);

typedef enum portative_notice_kind {
  /// The unit's latency has changed.
  PORTATIVE_NOTICE_LATENCY = 0,
  /// The unit's tail has changed.
  PORTATIVE_NOTICE_TAIL = 1,
  /// The node asks the host to show its window.
  PORTATIVE_NOTICE_SHOW = 2,
  /// Another program has changed parameters, channels or files of the unit.
  PORTATIVE_NOTICE_SETTINGS = 3,
  /// The host has asked the node for its window, which is a page, and the node has no display: the host opens `link` in a
  /// browser.
  PORTATIVE_NOTICE_PAGE = 4,
} portative_notice_kind;

/// A notification from a node.
typedef struct portative_notice {
  uint32_t size;
  portative_notice_kind kind;
  /// The new latency or tail in frames; a tail of -1 is unknown.
  int64_t frames;
  /// The link of a page, with a secret, valid during the call; otherwise NULL.
  const char *link;
} portative_notice;

/// Sets the function that is called for notifications of the node. Parameters and threads as in
/// `portative_connection_on_change`.
/// [any-thread]
void portative_connection_on_notice(
    portative_connection *connection, void (*noticed)(void *context, const portative_notice *notice), void *context);

/// Allows the node to control the host's transport from now on.
///
/// @param kinds The commands that the host supports: for each `portative_command_kind` k, the bit `1u << k`. Other
///   commands fail.
/// @param execute Executes a command and returns whether it was carried out. The node waits up to 1 s for the result.
///   Threads as in `portative_connection_on_change`.
/// [any-thread]
void portative_connection_accept_commands(
    portative_connection *connection, uint32_t kinds,
    bool (*execute)(void *context, const portative_command *command), void *context);

/// Asks the node to show its window.
/// [any-thread]
void portative_connection_show(portative_connection *connection);

/// Returns the delay in frames from an event or input frame to the corresponding output; 0 before the first
/// initialization.
/// [any-thread]
int64_t portative_connection_latency(const portative_connection *connection);

/// Returns the number of frames for which the unit may sound after its input ends; -1 if it is unknown.
/// [any-thread]
int64_t portative_connection_tail(const portative_connection *connection);

// ---- Rendering

/// The result of scheduling an event.
typedef enum portative_schedule_status {
  /// The event will act on its frame, or immediately if that frame has passed.
  PORTATIVE_ACCEPTED = 0,
  /// There is no space. Schedule the event again after the next cycle.
  PORTATIVE_FULL = 1,
  /// The message is longer than 65520 bytes without F0 and F7.
  PORTATIVE_TOO_LONG = 2,
  /// The bytes are not one complete message.
  PORTATIVE_MALFORMED = 3,
  /// The unit has no parameter with this index.
  PORTATIVE_UNKNOWN_PARAMETER = 4,
  /// The value is out of the parameter's range.
  PORTATIVE_OUT_OF_RANGE = 5,
  /// The connection is not initialized, parked or lost.
  PORTATIVE_NOT_RUNNING = 6,
} portative_schedule_status;

/// Schedules a message for the next cycle or a later one.
///
/// Messages may be scheduled in any order. Messages for the same frame act in the order in which they were scheduled.
///
/// @param offset The frame at which the message acts, relative to the first frame of the next cycle. A message beyond
///   that cycle is held until its cycle; a negative offset means frame 0.
/// @param bytes One complete channel or system message without running status, or a System Exclusive message from F0 to
///   F7.
/// @param count The number of bytes.
/// [render-thread]
portative_schedule_status portative_connection_schedule(
    portative_connection *connection, int64_t offset, const uint8_t *bytes, uint32_t count);

/// Schedules a received event of this or another connection, or an event of a unit's cycle.
/// [render-thread]
portative_schedule_status portative_connection_schedule_event(
    portative_connection *connection, const portative_event *event);

/// Schedules a parameter change.
///
/// @param offset As in `portative_connection_schedule`.
/// @param index The index in `portative_connection_parameters`.
/// @param value In the range of the parameter.
/// @param ramp The length in frames of a linear ramp from the current value; 0 for an immediate change.
/// [render-thread]
portative_schedule_status portative_connection_schedule_parameter(
    portative_connection *connection, int64_t offset, uint32_t index, float value, uint32_t ramp);

/// Sets the host's transport for the next cycle. A cycle without a call has no transport.
///
/// Call this once per cycle with offset 0, and again for each frame at which the transport changes in a way that the
/// previous one does not imply: a change of tempo or meter, a jump, or the return to the start of a loop.
///
/// @param offset The frame relative to the first frame of the next cycle. A transport beyond that cycle is discarded.
/// @return PORTATIVE_FULL after 64 transports in one cycle.
/// [render-thread]
portative_schedule_status portative_connection_set_transport(
    portative_connection *connection, uint32_t offset, const portative_transport *transport);

/// The status of a cycle. The output is silence unless the status is PORTATIVE_RENDERED.
typedef enum portative_render_status {
  /// The node has rendered the cycle.
  PORTATIVE_RENDERED = 0,
  /// The node did not answer before the deadline. Scheduled events are kept for the next cycle.
  PORTATIVE_LATE = 1,
  /// The connection must be initialized again, because the node was late too often or the host did not render for too
  /// long.
  PORTATIVE_IS_PARKED = 2,
  /// The connection is not initialized.
  PORTATIVE_NOT_INITIALIZED = 3,
  /// The connection has ended permanently.
  PORTATIVE_CONNECTION_LOST = 4,
  /// `frames` was not between 1 and the format's maximum. The cycle was not requested.
  PORTATIVE_BAD_FRAME_COUNT = 5,
} portative_render_status;

/// Renders one cycle. Realtime, except for the wait for the node, which takes at most the `deadline_fraction` of the
/// cycle's duration.
///
/// @param frames The number of frames: 1 to the format's maximum. May differ from cycle to cycle.
/// @param host_time The time at which the first frame is audible, in nanoseconds of CLOCK_MONOTONIC; 0: now.
/// @param input One pointer per channel to `frames` samples, for instance `portative_connection_audio` of another
///   connection. Copied. NULL if `input_channels` is 0.
/// @param input_channels The number of pointers. Channels of the format beyond it are silent.
/// @param output One pointer per output channel of the format, to memory for `frames` samples. Filled with silence
///   unless the status is PORTATIVE_RENDERED; not written if the connection has no render resources
///   (PORTATIVE_NOT_INITIALIZED, or PORTATIVE_CONNECTION_LOST without an earlier initialization) or if `frames` is 0.
///   NULL: the audio is not copied; use `portative_connection_audio`.
/// [render-thread]
portative_render_status portative_connection_render(
    portative_connection *connection, uint32_t frames, int64_t host_time, const float *const *input,
    uint32_t input_channels, float *const *output);

/// Begins a cycle without waiting for it, so that several nodes can render at the same time. Call
/// `portative_connection_finish` before this connection's next render call. Parameters as in
/// `portative_connection_render`.
///
/// @return The status that `portative_connection_finish` will return, if it is already known; otherwise
///   PORTATIVE_RENDERED.
/// [render-thread]
portative_render_status portative_connection_begin(
    portative_connection *connection, uint32_t frames, int64_t host_time, const float *const *input,
    uint32_t input_channels);

/// Waits for the cycle that `portative_connection_begin` began. Realtime, except for the wait.
///
/// @param limit The longest wait in nanoseconds from the begin of the cycle; negative: as in
///   `portative_connection_render`.
/// @return The status of the cycle. Further calls return the same.
/// [render-thread]
portative_render_status portative_connection_finish(portative_connection *connection, int64_t limit);

/// Returns the audio of the last cycle in the memory shared with the node: one pointer for each output channel; silence
/// unless the status was PORTATIVE_RENDERED.
///
/// @param channels Receives the number of channels; may be NULL.
/// @return NULL if the connection has no render resources. Valid until the next cycle begins, or the connection is
///   initialized, uninitialized or freed.
/// [render-thread]
const float *const *portative_connection_audio(const portative_connection *connection, uint32_t *channels);

/// Returns the number of events that the node sent in the last cycle: what keyboards played into the port, and what the
/// unit sent; 0 unless the status was PORTATIVE_RENDERED.
/// [render-thread]
uint32_t portative_connection_received_count(const portative_connection *connection);

/// Writes a received event to `event`, in the order of the offsets. Events of a late cycle arrive with offset 0 in the
/// next cycle that is rendered.
///
/// @return `false` if `index` is not below the count.
/// [render-thread]
bool portative_connection_get_received(const portative_connection *connection, uint32_t index, portative_event *event);

/// The defects of a rendered cycle.
typedef struct portative_defects {
  uint32_t size;
  uint32_t reserved;
  /// The number of notes that started up to 63 frames late because the node was not ready for so many notes at once.
  uint64_t late_notes;
  /// The number of infinite and NaN samples in the node's audio, which were replaced by 0.
  uint64_t invalid_samples;
  /// The number of infinite and NaN samples in the host's input, which the node replaced by 0.
  uint64_t invalid_input_samples;
} portative_defects;

/// Writes the defects of the last cycle to `defects`, whose `size` the caller has set.
/// [render-thread]
void portative_connection_get_defects(const portative_connection *connection, portative_defects *defects);

/// The statistics of all cycles since the connection was initialized.
typedef struct portative_statistics {
  uint32_t size;
  uint32_t reserved;
  uint64_t cycles;
  /// The number of cycles that were silent because the node did not answer in time.
  uint64_t late_cycles;
  /// The number of events that the node has sent.
  uint64_t received_events;
  /// The number of received events that were sent in a late cycle and moved to the start of the next.
  uint64_t late_events;
  /// The number of malformed events, which were dropped.
  uint64_t malformed_events;
  /// The number of events that the node dropped because the FIFO was full.
  uint64_t refused_events;
  /// As in `portative_defects`.
  uint64_t late_notes;
  uint64_t invalid_samples;
  uint64_t invalid_input_samples;
  /// The longest time from requesting a cycle until its audio was available, in nanoseconds, without late cycles.
  int64_t longest_round_trip;
} portative_statistics;

/// Writes the statistics to `statistics`, whose `size` the caller has set.
/// [render-thread]
void portative_connection_get_statistics(const portative_connection *connection, portative_statistics *statistics);

/// Returns a quantile of the times from requesting a cycle until its audio was available, in nanoseconds, within 3 %.
/// Not during a call of a function with [render-thread].
///
/// @param part 0…1; 0.5 for the median.
/// @return 0 if no cycle was rendered.
/// [main-thread]
int64_t portative_connection_round_trip(const portative_connection *connection, double part);

// ---- Requests to the unit
//
// State: initialized, otherwise "badSequence". The node must answer within 5 s, or the connection is lost. Another
// thread may render at the same time.

/// Returns the unit's parameters; none while the connection is not initialized.
///
/// @return Valid until the connection is initialized, uninitialized or freed.
/// [main-thread]
const portative_parameters *portative_connection_parameters(const portative_connection *connection);

/// Writes the parameters' values at the end of the last cycle to `values`, in the order of the parameters.
///
/// @param count The number of values that fit.
/// @return The number of parameters; -1 on error.
/// [main-thread & initialized]
int32_t portative_connection_get_values(
    portative_connection *connection, float *values, uint32_t count, portative_error *error);

/// Sets parameters from the next cycle on: all or, on an error, none.
///
/// @return -1 on error: "badParameter" with the identifier and the range.
/// [main-thread & initialized]
int portative_connection_set_parameters(
    portative_connection *connection, const portative_value *values, uint32_t count, portative_error *error);

/// Returns the unit's presets. Free them with `portative_presets_free`.
/// [main-thread & initialized]
portative_presets *portative_connection_presets(portative_connection *connection, portative_error *error);

/// Sets the parameters of a preset from the next cycle on.
///
/// @param index The index in `portative_connection_presets`.
/// @return -1 on error: "noSuchPreset".
/// [main-thread & initialized]
int portative_connection_use_preset(portative_connection *connection, uint32_t index, portative_error *error);

/// Returns the files that the unit plays and that `portative_connection_set_file` replaces, such as its SoundFont. The
/// node reads them to calculate their hashes, for up to 60 s. Free them with `portative_files_free`.
/// [main-thread & initialized]
portative_files *portative_connection_files(portative_connection *connection, portative_error *error);

/// Replaces a file that the unit plays from the next cycle on. What sounds fades; parameters and channels remain. The
/// node may read the file for up to 60 s.
///
/// @param identifier A file of `portative_connection_files`.
/// @param path An absolute path.
/// @param hash The hash of the contents, with which the node may find the file elsewhere; NULL if unknown.
/// @return -1 on error: "unusableFile". Nothing has changed then.
/// [main-thread & initialized]
int portative_connection_set_file(
    portative_connection *connection, const char *identifier, const char *path, const char *hash,
    portative_error *error);

/// Returns the unit's full state as JSON. Store it without interpreting it, for instance in a project file.
///
/// @return A string that the caller frees; NULL on error.
/// [main-thread & initialized]
char *portative_connection_save_state(portative_connection *connection, portative_error *error);

/// Restores a saved state of the unit from the next cycle on.
///
/// @param state A string of `portative_connection_save_state`.
/// @return -1 on error: "badState" for a state that belongs to another component, has another version, is malformed or is
///   longer than 64 MiB; "unusableFile" if a file of the state, such as a SoundFont, is missing. Nothing has changed then.
/// [main-thread & initialized]
int portative_connection_restore_state(portative_connection *connection, const char *state, portative_error *error);

#ifdef __cplusplus
}
#endif
