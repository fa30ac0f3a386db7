#pragma once
#include <stddef.h>
#include <stdint.h>

// The memory through which `portative-link` passes the state of a Link session to the program that has started it.
//
// Numbers have the machine's byte order. After a release fence, the program writes a state into the slot after the last
// one, and then stores its number in `posted`, with release order. A reader loads `posted` with acquire order, copies
// the slot, and loads `posted` again after an acquire fence: the copy is valid if the program has posted fewer than
// `LINK_SLOTS - 1` states meanwhile.

#define LINK_MAGIC 0x6B6E694Cu // "Link"
#define LINK_VERSION 1u
/// A power of two.
#define LINK_SLOTS 4

/// The state of a session at a time. Beats are quarter notes.
struct link_state {
  /// In nanoseconds of CLOCK_MONOTONIC.
  int64_t time;
  /// The position at `time`.
  double beat;
  /// Quarter notes per minute, until the next state.
  double tempo;
  /// The time at which the session was, or will be, started or stopped last.
  int64_t since;
  /// Whether the session plays from `since` on: 0 or 1. Before, it is the opposite.
  uint32_t is_playing;
  /// The number of other programs in the session.
  uint32_t peers;
};

struct link_memory {
  uint32_t magic;
  uint32_t version;
  /// Atomic. The number of the last state; 0: there is none yet. State N is in slot N modulo LINK_SLOTS.
  uint32_t posted;
  uint32_t unused;
  struct link_state slots[LINK_SLOTS];
};

/// The offset of `slots` in bytes.
#define LINK_SLOTS_OFFSET 16

#ifndef __cplusplus
_Static_assert(sizeof(struct link_state) == 40, "both programs have the same layout");
_Static_assert(offsetof(struct link_memory, slots) == LINK_SLOTS_OFFSET, "LINK_SLOTS_OFFSET is the offset of slots");
_Static_assert(sizeof(struct link_memory) == 176, "both programs have the same layout");
#endif
