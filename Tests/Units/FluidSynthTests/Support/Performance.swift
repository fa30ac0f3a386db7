import Dispatch
import FluidSynthEngine
import RenderCore

/// Messages with their frames, to be played on an instrument.
struct Performance: Sendable {
  struct Step: Sendable {
    var frame: Int
    var content: MIDIEvent.Content
  }

  private(set) var steps: [Step] = []
  private(set) var sysEx: [UInt8] = []

  init() {}

  /// Creates a performance from some of another's steps.
  init(_ steps: [Step], of other: Performance) {
    self.steps = steps
    sysEx = other.sysEx
  }

  mutating func add(
    _ frame: Int, _ kind: ChannelMessage.Kind, _ channel: Int, _ a: Int, _ b: Int = 0
  ) {
    let message = ChannelMessage(kind, channel: UInt8(channel), UInt8(a), UInt8(b))
    steps.append(Step(frame: frame, content: .channel(message)))
  }

  mutating func add(_ step: Step) { steps.append(step) }

  mutating func note(_ frame: Int, _ channel: Int, _ key: Int, _ velocity: Int, length: Int) {
    add(frame, .noteOn, channel, key, velocity)
    add(frame + length, .noteOff, channel, key, 0)
  }

  mutating func addSysEx(_ frame: Int, _ bytes: [UInt8]) {
    steps.append(
      Step(
        frame: frame,
        content: .sysEx(start: UInt32(sysEx.count), count: UInt32(bytes.count))))
    sysEx += bytes
  }

  /// The steps ordered by frame; steps of one frame keep their order.
  var sorted: Performance {
    var result = self
    let ordered = steps.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }
    result.steps = ordered.map(\.element)
    return result
  }

  /// The recurring notes.
  var recurrence: Recurrence {
    var finder = RecurrenceFinder()
    for step in sorted.steps {
      switch step.content {
      case .channel(let message): finder.process(message, at: Int64(step.frame))
      case .sysEx: finder.processSysEx()
      case .system: break
      }
    }
    return finder.finish()
  }

  /// Returns the steps of one channel, and those of none.
  func only(channel: UInt8) -> Performance {
    Performance(
      steps.filter { step in
        if case .channel(let message) = step.content { message.channel == channel } else { true }
      }, of: self)
  }

  func shifted(by frames: Int) -> Performance {
    var result = self
    for i in result.steps.indices { result.steps[i].frame += frames }
    return result
  }

  var end: Int { steps.map(\.frame).max() ?? 0 }
}

/// The result of a performance, from its first frame on.
struct RenderedSound: Equatable, Sendable {
  var left: [Float] = []
  var right: [Float] = []
  /// Left, right, reverb send and chorus send in fixed point, then those of the stems; empty if not kept.
  var sums: [[Int64]] = []
  /// Left and right of each stem and of the rest; empty if not kept.
  var stems: [[Float]] = []
  var statistics = Statistics()

  static func == (a: RenderedSound, b: RenderedSound) -> Bool {
    a.left == b.left && a.right == b.right && a.sums == b.sums
  }

  mutating func add(_ sums: [UnsafeBufferPointer<Int64>]) {
    if self.sums.isEmpty { self.sums = sums.map { _ in [] } }
    for i in sums.indices { self.sums[i] += sums[i] }
  }

  /// Returns the sums from `frame` on.
  func sums(from frame: Int) -> [[Int64]] { sums.map { Array($0[frame...]) } }
}

extension Instrument {
  /// Creates an instrument with the timing of the settings.
  static func make(
    soundFont path: String, settings: InstrumentSettings
  ) throws -> Instrument {
    try make(soundFont: .open(path), settings: settings)
  }

  /// Plays a performance in cycles whose lengths `cycles` returns one by one.
  ///
  /// Consecutive calls continue on the same instrument.
  func play(
    _ performance: Performance, frames: Int, cycles: @escaping () -> Int = { 1024 }
  ) throws -> RenderedSound {
    try play(performance, frames: frames, cycles: cycles) { cycle in
      try (self as? ExactInstrument)?.reserveLanes(cycle.events.count + 1)
      try loadSamples(for: cycle)
    }
  }

  /// - Parameter prepare: Called before each cycle.
  func play(
    _ performance: Performance, frames: Int, cycles: @escaping () -> Int = { 1024 },
    prepare: (MIDICycle) throws -> Void
  ) throws -> RenderedSound {
    let exact = self as? ExactInstrument
    exact?.keepSums()
    var recording = RenderedSound()
    try Portions(performance.sorted, frames: frames, cycles: cycles).forEach { cycle in
      try prepare(cycle)
      var left = [Float](repeating: .nan, count: cycle.frames)
      var right = left
      render(cycle, left: &left, right: &right)
      recording.left += left
      recording.right += right
      exact?.withSums(frames: cycle.frames) { sums in recording.add(sums) }
    }
    recording.statistics = statistics
    return recording
  }
}

extension ExactInstrument {
  /// Plays a performance with each lane group on its own thread.
  func playInParallel(_ performance: Performance, frames: Int) throws -> RenderedSound {
    keepSums()
    var recording = RenderedSound()
    try Portions(performance.sorted, frames: frames, cycles: { 4096 }).forEach { cycle in
      try reserveLanes(cycle.events.count + 1)
      try loadSamples(for: cycle)
      var left = [Float](repeating: .nan, count: cycle.frames)
      var right = left
      plan(cycle)
      let frames = cycle.frames
      DispatchQueue.concurrentPerform(iterations: settings.threads) { group in
        renderGroup(group, frames: frames)
      }
      mix(endCycle(frames: cycle.frames), left: &left, right: &right)
      recording.left += left
      recording.right += right
      withSums(frames: cycle.frames) { sums in
        recording.add(sums)
      }
    }
    recording.statistics = statistics
    return recording
  }
}

/// A performance divided into cycles.
struct Portions {
  let performance: Performance
  let frames: Int
  let cycles: () -> Int

  init(_ performance: Performance, frames: Int, cycles: @escaping () -> Int) {
    self.performance = performance
    self.frames = frames
    self.cycles = cycles
  }

  func forEach(_ body: (MIDICycle) throws -> Void) rethrows {
    var start = 0
    var next = 0
    while start < frames {
      let count = min(cycles(), frames - start)
      var events: [MIDIEvent] = []
      while next < performance.steps.count, performance.steps[next].frame < start + count {
        let step = performance.steps[next]
        events.append(MIDIEvent(offset: UInt32(step.frame - start), content: step.content))
        next += 1
      }
      try events.withUnsafeBufferPointer { events in
        try performance.sysEx.withUnsafeBufferPointer { sysEx in
          try body(MIDICycle(frames: count, events: events, sysEx: sysEx))
        }
      }
      start += count
    }
  }
}
