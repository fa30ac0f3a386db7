#pragma once
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

// The memory that a host and a node share. The host creates, seals and initializes it; the node checks it.
//
// Numbers have the machine's byte order. Each field has one writer. Fields marked "Atomic" are stored with release and
// loaded with acquire order. The other fields belong to the node from the time the host has stored `posted` until the
// node has stored the same number in `answered`, and to the host at all other times. Neither side trusts the values:
// numbers out of range are clamped.

#define SEGMENT_MAGIC 0x76697461746f7250u // "Portativ"
#define SEGMENT_VERSION 4u
// A side that does not know a new field leaves it 0, as all unused fields. The value 0 means that the field is not set,
// so a new field needs no new version.

/// The size of a slot in bytes.
#define SEGMENT_SLOT_SIZE 16
/// The number of slots in each event FIFO, a power of two. Both FIFOs have the same size, so that a unit can forward all
/// events that it can receive in a cycle.
#define SEGMENT_EVENT_SLOTS 4096
/// The longest System Exclusive message in bytes, without F0 and F7: it fills a FIFO.
#define SEGMENT_LONGEST_SYSEX 65520

/// The kind of an event, in the first of its slots.
enum segment_event {
  /// A channel message: `bytes` has its status and data bytes.
  SEGMENT_EVENT_CHANNEL = 1,
  /// System Exclusive: `count` bytes follow, without F0 and F7, in as many slots as they need.
  SEGMENT_EVENT_SYSEX = 2,
  /// A system common or real-time message: `bytes` has its status and data bytes.
  SEGMENT_EVENT_SYSTEM = 3,
  /// A parameter change: `count` is the index of the parameter, and the next slot is a `segment_parameter`.
  SEGMENT_EVENT_PARAMETER = 4,
};

/// One event in a FIFO.
struct segment_slot {
  /// The frame at which the event takes effect, on the scale of `position`. An event whose frame has passed takes
  /// effect immediately.
  int64_t frame;
  uint32_t count;
  uint8_t kind;
  uint8_t bytes[3];
};

/// The target of a parameter change.
struct segment_parameter {
  float value;
  /// The length of the ramp in frames; 0: none.
  uint32_t ramp;
  uint64_t unused;
};

/// The state of the host's song at a frame of the cycle.
struct segment_transport {
  uint32_t offset;
  /// The values that the host provides, and the state of the song: `segment_transport_flag`s.
  uint32_t flags;
  uint16_t meter_count;
  uint16_t meter_unit;
  uint32_t unused;
  /// In quarter notes, as are `bar_start`, `loop_start` and `loop_end`.
  double beat;
  /// Quarter notes per minute.
  double tempo;
  /// The increase of the tempo from each frame to the next.
  double tempo_slope;
  double bar_start;
  double loop_start;
  double loop_end;
  int64_t song_frame;
};

enum segment_transport_flag {
  SEGMENT_PROVIDES_BEAT = 1,
  SEGMENT_PROVIDES_METER = 2,
  SEGMENT_PROVIDES_STATE = 4,
  SEGMENT_PROVIDES_LOOP = 8,
  SEGMENT_PROVIDES_SONG_FRAME = 16,
  SEGMENT_PROVIDES = 31,
  SEGMENT_PLAYING = 256,
  SEGMENT_RECORDING = 512,
  SEGMENT_LOOPING = 1024,
};

/// The maximum number of transports in a cycle.
#define SEGMENT_TRANSPORTS 64

/// The header, at the beginning of the segment. The functions below give the offsets of what follows.
struct segment_header {
  // The host writes these fields before the node receives the segment, and never again.
  /// This field and `version` have the same offsets in all versions.
  uint64_t magic;
  uint32_t version;
  uint32_t size;
  uint32_t maximum_frames;
  uint32_t output_channels;
  uint32_t input_channels;
  uint32_t unused[9];

  // The host's cycle. This group and each group below has its own cache line.
  /// Atomic, a futex. The number of the cycle that the host requests: one more than the previous one, modulo 2³².
  uint32_t posted;
  uint32_t frames;
  /// The position of the first frame in the host's stream, in frames. It jumps if cycles were missed.
  int64_t position;
  /// The time at which the first frame is heard, in nanoseconds of CLOCK_MONOTONIC.
  int64_t host_time;
  /// The processor of the host's thread, on which the node should render; negative: any.
  int32_t processor;
  /// The number of transports of the cycle; 0: the host does not provide the state of its song.
  uint32_t transports;
  /// The time until which the host waits for this cycle, in nanoseconds of CLOCK_MONOTONIC; 0: unknown. A node that
  /// needs more time to start notes on their frames may use a part of it.
  int64_t deadline;
  /// The time from the request of the previous cycle until the host saw its answer, in nanoseconds; 0: unknown, or the
  /// cycle was late. The node shows it to users.
  uint32_t round_trip;
  uint32_t unused_by_cycle[5];

  /// Atomic, a futex. The number of the last cycle that the node has completed.
  uint32_t answered;
  uint32_t unused_by_answer[15];

  /// Atomic. The number of slots that the host has written to the FIFO to the node, modulo 2³².
  uint32_t to_node_written;
  uint32_t unused_by_host_writer[15];

  /// Atomic. The number of slots that the node has read from the FIFO to the node, modulo 2³².
  uint32_t to_node_read;
  uint32_t unused_by_node_reader[15];

  /// Atomic. The number of slots that the node has written to the FIFO to the host, modulo 2³².
  uint32_t to_host_written;
  /// Atomic. The number of events to the host that were dropped because there was no room, modulo 2³².
  uint32_t to_host_refused;
  /// Atomic. The number of notes that did not start on their frames because the node was not ready for that many
  /// notes, modulo 2³².
  uint32_t late_notes;
  /// Atomic. It changes whenever the node makes progress with a cycle. An offline host waits as long as it changes.
  uint32_t progress;
  /// Atomic. The number of infinite or NaN input samples that the node has replaced by 0, modulo 2³².
  uint32_t invalid_input;
  uint32_t unused_by_node_writer[11];

  /// Atomic. The number of slots that the host has read from the FIFO to the host, modulo 2³².
  uint32_t to_host_read;
  /// Atomic. The number of infinite or NaN output samples that the host has replaced by 0, modulo 2³².
  uint32_t invalid_output;
  uint32_t unused_by_host_reader[14];
};

/// The offset of the cycle's transports in bytes, an array of `SEGMENT_TRANSPORTS`.
#define SEGMENT_TRANSPORT_OFFSET 448
/// The offset of the FIFO from host to node in bytes: `SEGMENT_EVENT_SLOTS` slots.
#define SEGMENT_TO_NODE_OFFSET 5056
/// The offset of the FIFO from node to host in bytes: `SEGMENT_EVENT_SLOTS` slots.
#define SEGMENT_TO_HOST_OFFSET 70592
/// The offset of the first output channel in bytes.
#define SEGMENT_AUDIO_OFFSET 136128

/// Returns the distance in bytes from one channel to the next: `maximum_frames` floats, rounded up to a cache line.
static inline size_t segment_channel_stride(uint32_t maximum_frames) {
  return ((size_t)maximum_frames * sizeof(float) + 63) & ~(size_t)63;
}

/// Returns the offset of an output channel in bytes.
static inline size_t segment_output_offset(uint32_t maximum_frames, uint32_t channel) {
  return SEGMENT_AUDIO_OFFSET + channel * segment_channel_stride(maximum_frames);
}

/// Returns the offset of an input channel in bytes. The input channels follow the output channels.
static inline size_t segment_input_offset(uint32_t maximum_frames, uint32_t output_channels,
                                          uint32_t channel) {
  return segment_output_offset(maximum_frames, output_channels + channel);
}

/// Returns the size of the segment in bytes, a multiple of 4096.
static inline size_t segment_size(uint32_t maximum_frames, uint32_t output_channels,
                                  uint32_t input_channels) {
  size_t end = segment_input_offset(maximum_frames, output_channels, input_channels);
  return (end + 4095) & ~(size_t)4095;
}

static_assert(sizeof(struct segment_slot) == SEGMENT_SLOT_SIZE, "a slot has 16 bytes");
static_assert(offsetof(struct segment_header, posted) == 64, "one cache line for each writer");
static_assert(offsetof(struct segment_header, answered) == 128, "one cache line for each writer");
static_assert(offsetof(struct segment_header, to_host_written) == 320, "one cache line for each writer");
static_assert(sizeof(struct segment_parameter) == SEGMENT_SLOT_SIZE, "it fills a slot");
static_assert(sizeof(struct segment_header) == SEGMENT_TRANSPORT_OFFSET, "transports follow the header");
static_assert(sizeof(struct segment_transport) % 8 == 0, "it is copied in pieces of 8 bytes");
static_assert(
    SEGMENT_TRANSPORT_OFFSET + SEGMENT_TRANSPORTS * sizeof(struct segment_transport) ==
        SEGMENT_TO_NODE_OFFSET,
    "slots follow the transports");
static_assert(SEGMENT_TO_NODE_OFFSET + SEGMENT_EVENT_SLOTS * SEGMENT_SLOT_SIZE ==
                  SEGMENT_TO_HOST_OFFSET,
              "the FIFO to the host follows the FIFO to the node");
static_assert(SEGMENT_TO_HOST_OFFSET + SEGMENT_EVENT_SLOTS * SEGMENT_SLOT_SIZE ==
                  SEGMENT_AUDIO_OFFSET,
              "the channels follow the FIFOs");
