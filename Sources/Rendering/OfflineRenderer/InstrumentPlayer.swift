package import FluidSynthEngine
import LocalSystem
import MIDIFile
import RenderCore

/// Renders a song with an instrument of either timing, or with one for each port of the song.
///
/// The instruments of several ports sound as if each was played alone and their outputs were added in the order of the
/// ports, as a host does that connects to a node for each port.
struct InstrumentPlayer: SongPlayer {
  /// One for each port. All play the same SoundFont.
  private let instruments: [Instrument]
  /// `nil` in `stock`.
  private let renderer: ParallelLaneRenderer?
  private let notes: PortNotes
  /// Whether the release of a key may begin a note: on a monophonic channel.
  private let mayReturn: Bool
  private let cycles: PortCycles
  /// The sound that is not needed, of `exact`.
  private let skipping: Skipping
  private var noteSink: (any NoteSink)?

  /// Creates the instruments.
  ///
  /// - Parameters:
  ///   - range: The part of the song.
  ///   - stems: The stems to be rendered separately, in `exact`.
  ///   - lanePool: The pool from which lanes are taken and to which they are returned.
  init(
    _ range: FrameRange, soundFont: SoundFont, settings: RenderSettings,
    stems: StemPlan? = nil, lanePool: LanePool? = nil
  ) throws(RenderError) {
    let timeline = range.timeline
    let ports = timeline.ports.count
    var instrumentSettings = InstrumentSettings(settings)
    instrumentSettings.maximumFrames = Self.cycleFrames
    // Lanes are created before their notes, so notes rarely lack one.
    instrumentSettings.overflowVoices = 16
    mayReturn = timeline.asksForLegato
    instrumentSettings.ownsPresets = mayReturn
    let notes = PortNotes(timeline, end: range.end)
    self.notes = notes
    cycles = PortCycles(ports)
    skipping = Skipping(range, soundFont, settings.timing)
    if settings.timing == .stock {
      var instruments: [Instrument] = []
      for _ in 0..<ports {
        instruments.append(
          try mapError(
            StockInstrument(soundFont: soundFont, settings: instrumentSettings),
            RenderError.instrument))
      }
      for instrument in instruments { instrument.set(settings.parameters) }
      self.instruments = instruments
      renderer = nil
      return
    }
    let stemsOfNotes = stems.map { notes.divided($0.stemOfNote) } ?? []
    var instruments: [ExactInstrument] = []
    for port in 0..<ports {
      let exact = try mapError(
        ExactInstrument(soundFont: soundFont, settings: instrumentSettings, lanePool: lanePool),
        RenderError.instrument)
      if let stems, !stems.stems.isEmpty {
        exact.keepStems(stemsOfNotes[port], count: stems.stems.count)
        // The sounds of one stem on several ports are added before they are rounded.
        if ports > 1 { exact.keepSums() }
      }
      instruments.append(exact)
    }
    for instrument in instruments { instrument.set(settings.parameters) }
    self.instruments = instruments
    renderer = try mapError(ParallelLaneRenderer(instruments), RenderError.thread)
  }

  private var exact: [ExactInstrument] { instruments.compactMap { $0 as? ExactInstrument } }

  /// Frames per cycle: long enough that threads rarely wait for each other, and short enough that few lanes are idle
  /// until the next cycle, and that little memory is needed for the notes that may start in one cycle.
  static let cycleFrames = 4096
  var cycleFrames: Int { Self.cycleFrames }

  /// Enables the cache that renders recurring notes only once, if the instruments support it.
  ///
  /// - Parameter memory: The memory for the cache; `nil` disables it.
  func enableNoteCache(_ timeline: Timeline, in memory: RecordingMemory?) {
    // A recording is made when its first note sounds.
    guard renderer != nil, skipping.frames == 0, let memory else { return }
    var finders = instruments.map { _ in RecurrenceFinder() }
    for event in timeline.events {
      switch event.message {
      case .channel(let message): finders[Int(event.port)].process(message, at: event.frame)
      case .sysEx: finders[Int(event.port)].processSysEx()
      }
    }
    for (instrument, finder) in zip(exact, finders) {
      instrument.keepRecordings(finder.finish(), in: memory)
    }
  }

  /// Records when notes begin and end, if the instruments support it.
  ///
  /// - Parameter notes: The number of notes in the song.
  func keepLog(notes: Int) { exact.forEach { $0.keepLog(notes: notes) } }

  /// Passes the dry sound of each note to `sink`, before that of the mix. Needs ``keepLog(notes:)``.
  mutating func keepNoteSound(_ sink: any NoteSink) {
    exact.forEach { $0.keepNoteSound() }
    noteSink = sink
  }

  /// The recorded notes, in the order of their note-ons in the song. The notes that they refer to have the numbers on
  /// their own port.
  var loggedNotes: [LoggedNote] {
    renderer == nil ? [] : notes.joined(exact.map(\.loggedNotes))
  }

  /// The notes that monophonic channels returned to, for each port. They refer to notes as ``loggedNotes`` do.
  var loggedReturns: [[LoggedNote]] { exact.map(\.loggedReturns) }

  func render(_ cycle: SongCycle, _ output: OutputHandler) throws(RenderError) {
    let isSkipped = skipping.advance(cycle.midi.frames)
    let result = cycles.divide(cycle) { parts in
      Result { () throws(RenderError) in try render(parts, isSkipped: isSkipped, output) }
    }
    try result.get()
  }

  private func render(
    _ parts: [PortCycles.Part], isSkipped: Bool, _ output: OutputHandler
  ) throws(RenderError) {
    for (instrument, part) in zip(instruments, parts) {
      let exact = instrument as? ExactInstrument
      let returns = mayReturn ? part.midi.events.count(where: \.endsNote) : 0
      try mapError(
        exact?.prepare(frames: part.midi.frames, notes: part.notes + returns),
        RenderError.instrument)
      try mapError(instrument.loadSamples(for: part.midi), RenderError.instrument)
    }
    let frames = parts[0].midi.frames
    if let renderer, isSkipped {
      let endsReleased = skipping.endsReleased
      return renderer.skip(parts.map(\.midi), endsReleased: endsReleased, output)
    }
    if let renderer {
      renderer.render(parts.map(\.midi), output)
      if let noteSink {
        for (port, instrument) in exact.enumerated() {
          instrument.forEachNoteBlock {
            noteSink.add($0, ofNote: notes.number(of: $0.note, port: port), port: port)
          }
        }
        try noteSink.endCycle(frames: frames)
      }
      return
    }
    var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
    instruments[0].render(parts[0].midi, left: &left, right: &right)
    for (instrument, part) in zip(instruments, parts).dropFirst() {
      var (otherLeft, otherRight) = (left, right)
      instrument.render(part.midi, left: &otherLeft, right: &otherRight)
      for i in 0..<frames {
        left[i] += otherLeft[i]
        right[i] += otherRight[i]
      }
    }
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in output([left, right]) }
    }
  }

  var isSounding: Bool { instruments.contains { $0.engine.isSounding } }

  func flush(_ output: OutputHandler) { renderer?.flush(output) }

  /// Whether reverb and chorus are returned separately from the stems.
  var hasWetReturn: Bool { exact.first?.hasWetReturn ?? false }

  /// The figures of all instruments together.
  var statistics: Statistics {
    instruments.dropFirst().reduce(into: instruments[0].statistics) { $0.add($1.statistics) }
  }

  /// The presets that any instrument substituted.
  var substitutions: [PresetSubstitution] {
    instruments.dropFirst().reduce(into: instruments[0].substitutions) { all, instrument in
      all += instrument.substitutions.filter { !all.contains($0) }
    }
  }

  var cacheFigures: CacheFigures {
    exact.dropFirst().reduce(into: exact.first?.cacheFigures ?? CacheFigures()) {
      $0.add($1.cacheFigures)
    }
  }
}

/// The part of a song that a player skips, and how far it has come.
///
/// Threads: one at a time.
private final class Skipping {
  let frames: Int
  /// Whether the SoundFont alone says how long notes sound after their release.
  let endsReleased: Bool
  private var position = 0

  init(_ range: FrameRange, _ soundFont: SoundFont, _ timing: Timing) {
    frames = timing == .exact ? range.skippable : 0
    // Those of a SoundFont in the song's file are not known.
    endsReleased = frames > 0 && soundFont.modulatorSources?.changesRelease == false
  }

  /// Goes on by a cycle, which does not cross the end of the part, and returns whether it is skipped.
  func advance(_ count: Int) -> Bool {
    position += count
    return position <= frames
  }
}

extension Timeline {
  /// Whether the song has passages that need presets of their own; see ``InstrumentSettings/ownsPresets``.
  fileprivate var asksForLegato: Bool {
    events.contains {
      if case .channel(let message) = $0.message { message.asksForLegato } else { false }
    }
  }
}

extension Statistics {
  /// Adds the figures of another instrument that plays at the same time. Those of the most at once are then upper bounds.
  fileprivate mutating func add(_ other: Statistics) {
    for count in [
      \Self.notes, \.silentNotes, \.unmappedNotes, \.voicelessNotes, \.inexactOnsets,
      \.unloadedNotes,
      \.legatoNotes, \.stolenNotes, \.mostVoices, \.mostLanes, \.lanes, \.unusableLanes,
      \.clippedSends,
    ] { self[keyPath: count] += other[keyPath: count] }
  }
}

extension CacheFigures {
  fileprivate mutating func add(_ other: CacheFigures) {
    for count in [
      \Self.notes, \.blocks, \.playedNotes, \.playedBlocks, \.recordedNotes, \.divergedNotes,
      \.evictedRecordings,
    ] { self[keyPath: count] += other[keyPath: count] }
    // All have the same memory.
    peakBytes = max(peakBytes, other.peakBytes)
  }
}

/// Divides the cycles of a song among its ports.
///
/// Threads: one at a time.
final class PortCycles {
  /// The events of each port; empty if there is one port.
  private var events: [[MIDIEvent]]

  /// A cycle for one port.
  struct Part {
    var midi: MIDICycle
    /// The number of notes that start in it.
    var notes: Int
  }

  init(_ ports: Int) { events = ports == 1 ? [] : Array(repeating: [], count: ports) }

  /// Passes the cycle of each port to `body`, where they are valid.
  func divide<Result>(_ cycle: SongCycle, _ body: ([Part]) -> Result) -> Result {
    if events.isEmpty { return body([Part(midi: cycle.midi, notes: cycle.notes)]) }
    for port in events.indices { events[port].removeAll(keepingCapacity: true) }
    for (event, origin) in zip(cycle.midi.events, cycle.origins) {
      events[Int(origin.port)].append(event)
    }
    return divide(cycle, [], body)
  }

  /// - Parameter parts: Those of the first ports, which are valid during the call.
  private func divide<Result>(
    _ cycle: SongCycle, _ parts: [Part], _ body: ([Part]) -> Result
  ) -> Result {
    if parts.count == events.count { return body(parts) }
    return events[parts.count].withUnsafeBufferPointer { events in
      var part = Part(midi: cycle.midi, notes: events.count(where: \.startsNote))
      part.midi.events = events
      return divide(cycle, parts + [part], body)
    }
  }
}

extension InstrumentSettings {
  /// Creates the settings of an instrument that plays a song.
  package init(_ settings: RenderSettings) {
    self.init(
      rate: settings.sampleRate, timing: settings.timing, gain: settings.gain,
      effects: settings.effects, reverbEngine: settings.reverbEngine,
      polyphony: settings.polyphony, threads: settings.timing == .exact ? settings.threads : 1)
    bankStyle = settings.bankStyle
  }
}
