import FluidSynthEngine
import MIDIFile
import RenderCore

/// Messages with their frames, and the number of frames to render.
struct Passage: Sendable {
  var events: [Timeline.Event]
  var sysEx: [UInt8] = []
  var frames: Int

  init(_ events: [Timeline.Event], frames: Int) {
    self.events = events
    self.frames = frames
  }

  /// Creates a passage from the first `seconds` of a song, or from the whole song if it is shorter.
  init(_ song: Bench.Song, seconds: Double, rate: Int = 48_000) throws {
    let timeline = try StandardMIDIFile(at: song.path).timeline(sampleRate: rate)
    frames = Int(min(seconds * Double(rate), Double(timeline.endFrame)))
    sysEx = timeline.sysEx
    let end = Int64(frames)
    events = timeline.events.filter { $0.frame < end }
  }

  func shifted(by shift: Int) -> Passage {
    var result = self
    result.frames += shift
    result.events = events.map {
      Timeline.Event(frame: $0.frame + Int64(shift), track: $0.track, $0.message)
    }
    return result
  }
}

/// Plays a passage on an exact instrument, one cycle at a time.
struct PassagePlayer: ~Copyable {
  let instrument: ExactInstrument
  private let passage: Passage
  private var next = 0
  private var now = 0
  private var events: [MIDIEvent] = []
  /// The output of the last cycle.
  private(set) var left: [Float]
  private(set) var right: [Float]

  init(
    _ passage: Passage, font: Bench.SoundFont, polyphony: Int = 1024, rate: Int = 48_000
  ) throws {
    let settings = InstrumentSettings(rate: rate, polyphony: polyphony)
    try self.init(passage, on: ExactInstrument(soundFont: font.path, settings: settings))
  }

  /// - Parameter instrument: The instrument; if it has played before, its next frame is the passage's first.
  init(_ passage: Passage, on instrument: ExactInstrument) {
    self.passage = passage
    self.instrument = instrument
    instrument.keepSums()
    left = [Float](repeating: 0, count: instrument.settings.maximumFrames)
    right = left
  }

  var framesLeft: Int { passage.frames - now }

  /// Renders the next cycle and leaves its sums in the instrument.
  ///
  /// - Returns: The number of rendered frames: fewer than `frames` at the end of the passage.
  mutating func render(_ frames: Int) throws -> Int {
    let count = min(frames, framesLeft)
    events.removeAll(keepingCapacity: true)
    var notes = 0
    while next < passage.events.count, passage.events[next].frame < Int64(now + count) {
      let event = passage.events[next]
      let offset = UInt32(event.frame - Int64(now))
      switch event.message {
      case .channel(let message):
        notes += message.startsNote ? 1 : 0
        events.append(MIDIEvent(offset: offset, content: .channel(message)))
      case .sysEx(let range):
        events.append(
          MIDIEvent(offset: offset, content: .sysEx(start: range.start, count: range.count)))
      }
      next += 1
    }
    if notes > 0 { try instrument.reserveLanes(notes) }
    try events.withUnsafeBufferPointer { events in
      try passage.sysEx.withUnsafeBufferPointer { sysEx in
        let cycle = MIDICycle(frames: count, events: events, sysEx: sysEx)
        try instrument.loadSamples(for: cycle)
        instrument.render(cycle, left: &left, right: &right)
      }
    }
    now += count
    return count
  }

  /// Renders the rest of the passage.
  ///
  /// - Parameters:
  ///   - start: The first frame to include.
  ///   - cycles: Returns the length of the next cycle in frames.
  mutating func fingerprint(
    from start: Int = 0, cycles: () -> Int = { 8192 }
  ) throws -> Fingerprint {
    var result = Fingerprint()
    while framesLeft > 0 {
      let first = now
      let count = try render(cycles())
      let skipped = min(count, max(0, start - first))
      instrument.withSums(frames: count) { result.add($0, from: skipped) }
      result.add(left, right, skipped..<count)
    }
    return result
  }
}

/// Hashes of audio that is too long to keep: dry channels and sends, and the final output.
///
/// Each hash step is invertible, so a single differing sample always changes the hash.
struct Fingerprint: Equatable {
  var sums: [UInt64] = [0, 0, 0, 0]
  var sound: [UInt64] = [0, 0]
  var isSilent = true

  mutating func add(_ channels: [UnsafeBufferPointer<Int64>], from start: Int) {
    for (index, channel) in channels.enumerated() {
      var hash = sums[index]
      var seen: Int64 = 0
      for frame in start..<channel.count {
        hash = Self.mix(hash, UInt64(bitPattern: channel[frame]))
        seen |= channel[frame]
      }
      sums[index] = hash
      if seen != 0 { isSilent = false }
    }
  }

  mutating func add(_ left: [Float], _ right: [Float], _ frames: Range<Int>) {
    for frame in frames {
      sound[0] = Self.mix(sound[0], UInt64(left[frame].bitPattern))
      sound[1] = Self.mix(sound[1], UInt64(right[frame].bitPattern))
    }
  }

  private static func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 {
    let product = (hash ^ value) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product >> 29)
  }
}
