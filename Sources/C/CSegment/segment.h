#pragma once
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

// The memory that a host and a node share: made, sealed and filled in by the host, checked by the node.
//
// Numbers have the machine's byte order. Every field has one writer. Fields marked "atomic" are stored
// with release and loaded with acquire order; the others belong to the node from the moment the host
// has stored `posted` until the node has stored the same number in `answered`, and to the host at all
// other times. Neither side believes what it reads here: numbers out of range are brought into it.

#define SEGMENT_MAGIC 0x76697461746f7250u // "Portativ"
#define SEGMENT_VERSION 3u
// Fields that were unused before are 0 where the other side does not know them, and 0 means the same as
// that nothing was said: a new one needs no new version.
/// Bytes of an event's slot; either event FIFO has a power of two of them.
#define SEGMENT_SLOT_SIZE 16

/// What a slot of a FIFO begins.
enum segment_event {
  /// A channel message: `bytes` has its status and its data.
  SEGMENT_EVENT_CHANNEL = 1,
  /// System Exclusive: `count` bytes follow, without F0 and F7, in as many slots as they need.
  SEGMENT_EVENT_SYSEX = 2,
  /// A system common or real-time message: `bytes` has its status and its data.
  SEGMENT_EVENT_SYSTEM = 3,
  /// A parameter's change: `count` is the parameter's index, and the next slot is a `segment_parameter`.
  SEGMENT_EVENT_PARAMETER = 4,
};

/// One event in a FIFO.
struct segment_slot {
  /// When it acts, on the scale of `position`. What is past acts at once.
  int64_t frame;
  uint32_t count;
  uint8_t kind;
  uint8_t bytes[3];
};

/// Where a parameter goes.
struct segment_parameter {
  float value;
  /// Frames until it is there.
  uint32_t ramp;
  uint64_t unused;
};

/// Where the host's song is at a frame of the cycle, and how it goes on from there.
struct segment_transport {
  uint32_t offset;
  /// What the host knows, and what is the case: `segment_transport_flag`s.
  uint32_t flags;
  uint16_t meter_count;
  uint16_t meter_unit;
  uint32_t unused;
  /// In quarter notes.
  double beat;
  /// Quarter notes per minute, and how much more of them from each frame to the next.
  double tempo;
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

/// The most transports that a cycle can have.
#define SEGMENT_TRANSPORTS 64

/// The segment's first bytes. At `SEGMENT_TRANSPORT_OFFSET` follow the cycle's transports; at
/// `SEGMENT_SLOTS_OFFSET` `event_slots` slots of the FIFO from host to node, as many of the FIFO from
/// node to host, then the channels of output and those of input, `maximum_frames` floats each, every
/// channel at a multiple of 64.
struct segment_header {
  // Written before the node sees it, and never again.
  /// This and the version lie here in every version.
  uint64_t magic;
  uint32_t version;
  uint32_t size;
  uint32_t maximum_frames;
  uint32_t output_channels;
  /// Of each FIFO. Both are of one size, so that a unit can pass on whatever it can be given in a cycle.
  uint32_t event_slots;
  uint32_t input_channels;
  uint32_t unused[8];

  // The host's cycle, in a cache line of its own, as are all that follow.
  /// Atomic, a futex. The number of the cycle that the host asks for; it goes up by one, and around.
  uint32_t posted;
  uint32_t frames;
  /// The first frame's place in the host's stream. It jumps where cycles were missed.
  int64_t position;
  /// Nanoseconds of CLOCK_MONOTONIC at which the first frame is heard.
  int64_t host_time;
  /// The processor of the host's thread, where the node may render best; negative: anywhere.
  int32_t processor;
  /// How many transports there are for the cycle; 0: the host says nothing of its song.
  uint32_t transports;
  /// Nanoseconds of CLOCK_MONOTONIC until which the host waits for this cycle; 0: it does not say. A node that
  /// needs more time to begin notes on their frames may take a part of it.
  int64_t deadline;
  uint32_t unused_by_cycle[6];

  /// Atomic, a futex. The number of the last cycle that the node has done.
  uint32_t answered;
  uint32_t unused_by_answer[15];

  /// Atomic. Slots of the FIFO to the node that the host has written since the beginning, modulo 2³².
  uint32_t to_node_written;
  uint32_t unused_by_host_writer[15];

  /// Atomic. Slots of it that the node has read.
  uint32_t to_node_read;
  uint32_t unused_by_node_reader[15];

  /// Atomic. Slots of the FIFO to the host that the node has written since the beginning, modulo 2³².
  uint32_t to_host_written;
  /// Atomic. Events for the host that found no room there, modulo 2³².
  uint32_t to_host_refused;
  /// Atomic. Notes that did not begin on their frame because the node was not ready for so many, modulo 2³².
  uint32_t late_notes;
  /// Atomic. Changes whenever the node gets on with a cycle; an offline host waits as long as it does.
  uint32_t progress;
  /// Atomic. Input samples that were infinite or NaN, which the node replaced by 0, modulo 2³².
  uint32_t invalid_input;
  uint32_t unused_by_node_writer[11];

  /// Atomic. Slots of it that the host has read.
  uint32_t to_host_read;
  /// Atomic. Output samples that were infinite or NaN, which the host replaced by 0, modulo 2³².
  uint32_t invalid_output;
  uint32_t unused_by_host_reader[14];
};

#define SEGMENT_TRANSPORT_OFFSET 448
#define SEGMENT_SLOTS_OFFSET 5056

static_assert(sizeof(struct segment_slot) == SEGMENT_SLOT_SIZE, "a slot has 16 bytes");
static_assert(offsetof(struct segment_header, posted) == 64, "one cache line for each writer");
static_assert(offsetof(struct segment_header, answered) == 128, "one cache line for each writer");
static_assert(offsetof(struct segment_header, to_host_written) == 320, "one cache line for each writer");
static_assert(sizeof(struct segment_parameter) == SEGMENT_SLOT_SIZE, "it fills a slot");
static_assert(sizeof(struct segment_header) == SEGMENT_TRANSPORT_OFFSET, "transports follow the header");
static_assert(sizeof(struct segment_transport) % 8 == 0, "it is copied in pieces of 8 bytes");
static_assert(
    SEGMENT_TRANSPORT_OFFSET + SEGMENT_TRANSPORTS * sizeof(struct segment_transport) ==
        SEGMENT_SLOTS_OFFSET,
    "slots follow the transports");
