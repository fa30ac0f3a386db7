// portative-link: a participant in a Link session, for a program that must not contain Link.
//
// Copyright 2026 the authors of Portative.
//
// This program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public
// License as published by the Free Software Foundation, either version 2 of the License, or (at your option) any later
// version. It is distributed in the hope that it will be useful, but without any warranty. See the file LICENSE.
//
// See README.md for what it reads and writes.

#include <ableton/Link.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "link.h"

// Link 3.1 renamed the namespace of these clocks.
namespace ableton::platforms {
namespace linux {}
namespace linux_ {}
namespace linux_clocks {
using namespace linux;
using namespace linux_;
} // namespace linux_clocks
} // namespace ableton::platforms

namespace {

// The clock of sound servers and drivers. Link's own differs from it by up to 500 microseconds in each second, which is
// how fast the system may slew CLOCK_MONOTONIC.
using Clock = ableton::platforms::linux_clocks::ClockMonotonic;
using Link = ableton::BasicLink<Clock>;

constexpr int memory_descriptor = 3;
// The number of beats after which programs of a session are in phase: a bar of 4/4.
constexpr double quantum = 4;
// The time between states, in milliseconds. The timeline changes without notice, when Link measures another peer's
// clock more precisely.
constexpr int interval = 20;
// The number of states after which the number of peers is reported if it has changed.
constexpr unsigned report_interval = 25;

link_memory *map_memory() {
  void *memory = mmap(nullptr, sizeof(link_memory), PROT_READ | PROT_WRITE, MAP_SHARED, memory_descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<link_memory *>(memory);
}

void post(link_memory *memory, const Link &link) {
  const auto session = link.captureAppSessionState();
  const auto now = link.clock().micros();
  const uint32_t number = memory->posted + 1 != 0 ? memory->posted + 1 : LINK_SLOTS;
  link_state &state = memory->slots[number % LINK_SLOTS];
  // A reader that finds parts of the new state must also find that the previous one was posted.
  __atomic_thread_fence(__ATOMIC_RELEASE);
  state.time = now.count() * 1000;
  state.beat = session.beatAtTime(now, quantum);
  state.tempo = session.tempo();
  state.since = session.timeForIsPlaying().count() * 1000;
  state.is_playing = session.isPlaying() ? 1 : 0;
  state.peers = static_cast<uint32_t>(link.numPeers());
  __atomic_store_n(&memory->posted, number, __ATOMIC_RELEASE);
}

// A line on the standard input: "tempo BPM", "play" or "stop".
void perform(Link &link, const std::string &line) {
  auto session = link.captureAppSessionState();
  const auto now = link.clock().micros();
  double tempo = 0;
  if (std::sscanf(line.c_str(), "tempo %lf", &tempo) == 1 && tempo >= 20 && tempo <= 999) {
    session.setTempo(tempo, now);
  } else if (line == "play") {
    session.setIsPlaying(true, now);
  } else if (line == "stop") {
    session.setIsPlaying(false, now);
  } else {
    std::fprintf(stderr, "portative-link: '%s' is no command: tempo 20...999, play, stop\n", line.c_str());
    return;
  }
  link.commitAppSessionState(session);
}

// Reads commands for the time of an interval. Returns false at the end of the input.
bool read_commands(Link &link, std::string &input) {
  pollfd descriptor = {STDIN_FILENO, POLLIN, 0};
  if (poll(&descriptor, 1, interval) <= 0) return true;
  char bytes[256];
  const ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) return false;
  input.append(bytes, static_cast<size_t>(count));
  for (size_t end; (end = input.find('\n')) != std::string::npos; input.erase(0, end + 1)) {
    perform(link, input.substr(0, end));
  }
  if (input.size() > 256) input.clear();
  return true;
}

} // namespace

int main(int count, char **arguments) {
  double tempo = count == 2 ? std::atof(arguments[1]) : 0;
  link_memory *memory = tempo >= 20 && tempo <= 999 ? map_memory() : nullptr;
  if (!memory) {
    std::fputs(
        "usage: portative-link BPM\n"
        "Joins a Link session for 'portative serve --link', which starts it with shared memory as descriptor 3.\n",
        stderr);
    return 2;
  }
  memory->magic = LINK_MAGIC;
  memory->version = LINK_VERSION;
  Link link(tempo);
  link.enableStartStopSync(true);
  link.enable(true);
  std::string input;
  size_t reported = ~static_cast<size_t>(0);
  for (unsigned number = 0;; number++) {
    post(memory, link);
    if (number % report_interval == 0 && link.numPeers() != reported) {
      reported = link.numPeers();
      if (std::printf("peers %zu\n", reported) < 0 || std::fflush(stdout) != 0) break;
    }
    if (!read_commands(link, input)) break;
  }
  return 0;
}
