import NodeHost
import NodeProtocol
import RenderCore

// What a port does with events other than notes, and what it sends.
extension NodeCheck {
  /// The lengths of System Exclusive messages, F0 and F7 included.
  private static let sysExLengths = [4, 20, 300, 4000, 30_000]

  /// Plays the scale with System Exclusive messages for nobody among its notes.
  func sysEx() throws(CheckFault) -> CheckRow {
    if !subject.type.takesMIDI { return .unmeasured(.sysex, "it takes no MIDI") }
    var stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    for (index, length) in Self.sysExLengths.enumerated() {
      // 7D: for tests, of no manufacturer.
      let bytes: [UInt8] =
        [0xF0, 0x7D] + (0..<length - 3).map { UInt8(truncatingIfNeeded: $0) & 0x7F } + [0xF7]
      // Before a note, at a note and at the end of a cycle.
      for frame in [4700, 4800, 1023] { stimulus.sysEx.append((frame + 9600 * index, bytes)) }
    }
    stimulus.sysEx.sort { $0.frame < $1.frame }
    let isComparable = try isRepeatable()
    let plain = try playScale()
    let played = try player.play(stimulus)
    let count = stimulus.sysEx.count
    let figures = [CheckRow.Figure("messages", Double(count), "messages")]
    if played.invalidSamples > 0 {
      return CheckRow(
        .sysex, .bad, "NaN or infinite samples", "after messages of unknown content", figures)
    }
    if isComparable, !played.hasBits(of: plain) {
      return CheckRow(
        .sysex, .warning, "change the sound by \(levelText(played.largestDifference(from: plain)))",
        "System Exclusive messages with the number 7D, which is of no manufacturer, change notes that sound.",
        figures)
    }
    return CheckRow(
      .sysex, .good, isComparable ? "\(count) ignored, the same bits" : "\(count) accepted",
      "messages of 4 to 30 000 bytes that are for no manufacturer", figures)
  }

  private static let mostRamps = 64
  private static let rampFrames = 3000

  /// Moves all parameters that move gradually from one end to the other, and asks for their values afterwards.
  func ramps() throws(CheckFault) -> CheckRow {
    let tree = try player.begin().parameters
    let moving = tree.parameters.enumerated().filter {
      !$0.element.isStepped && $0.element.minimum < $0.element.maximum
    }.prefix(Self.mostRamps)
    if moving.isEmpty { return .unmeasured(.ramps, "no parameter moves gradually") }
    var stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    for (place, (index, parameter)) in moving.enumerated() {
      let values = [parameter.minimum, parameter.maximum]
      stimulus.changes.append(.init(frame: 0, index: index, value: values[0]))
      stimulus.changes.append(
        .init(frame: 1000 + 37 * place, index: index, value: values[1], ramp: Self.rampFrames))
    }
    let played = try player.render(stimulus)
    let values = try player.request { connection throws(ConnectionError) in
      try connection.parameterValues()
    }
    let lost = moving.first { index, parameter in
      let range = parameter.maximum - parameter.minimum
      return !(abs(values[index] - parameter.maximum) <= range * 1e-4)
    }
    let figures = [CheckRow.Figure("parameters", Double(moving.count), "parameters")]
    if let (index, parameter) = lost {
      return CheckRow(
        .ramps, .bad, "\(parameter.identifier) does not arrive",
        "after a ramp to \(parameter.maximum) its value is \(values[index])", figures)
    }
    if played.invalidSamples > 0 {
      return CheckRow(
        .ramps, .bad, "NaN or infinite samples",
        "while parameters move from their minimum to their maximum",
        figures)
    }
    let scale = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    if try isRepeatable(), try player.play(scale, cycle: 333).hasBits(of: playScale()),
      try player.play(stimulus).hasBits(of: played)
    {
      let other = try player.play(stimulus, cycle: 333)
      if !other.hasBits(of: played) {
        return CheckRow(
          .ramps, .warning,
          "differ by \(levelText(other.largestDifference(from: played))) in other cycles",
          "Ramps of \(moving.count) parameters sound different in cycles of 333 frames than in those of 1024; notes alone do not.",
          figures)
      }
    }
    return CheckRow(
      .ramps, .good, "\(moving.count) arrive",
      "after ramps of \(Self.rampFrames) frames, each at its end", figures)
  }

  /// Lets the song jump, loop, stop and change its tempo while the port plays.
  func transport() throws(CheckFault) -> CheckRow {
    var stimulus = Stimulus.scale(at: SubjectPlayer.rate, subject.type)
    stimulus.transports = Self.jumps
    let played = try player.play(stimulus)
    let figures = [CheckRow.Figure("changes", Double(Self.jumps.count), "changes")]
    return played.invalidSamples == 0
      ? CheckRow(
        .transport, .good, "\(Self.jumps.count) changes",
        "jumps forward and back, loops of a few frames, stops, positions before the song and far behind it, tempos from 0 to 10 000, and odd meters",
        figures)
      : CheckRow(
        .transport, .bad, "NaN or infinite samples", "when the song jumps or changes its tempo",
        figures)
  }

  /// What a song may do, all of it valid.
  private static let jumps: [(frame: Int, transport: Transport)] = {
    var song = Transport()
    song.isPlaying = true
    var all: [(frame: Int, transport: Transport)] = []
    func add(_ frame: Int, _ change: (inout Transport) -> Void) {
      change(&song)
      all.append((frame, song))
    }
    add(0) { $0.songFrame = 0 }
    add(5000) { ($0.beat, $0.songFrame) = (16, 384_000) }
    add(5001) { ($0.beat, $0.songFrame) = (0, 0) }
    add(9000) { $0.isPlaying = false }
    add(9600) { $0.isPlaying = true }
    add(12_000) { ($0.beat, $0.barStart, $0.songFrame) = (-3.5, -4, -84_000) }
    add(15_000) { ($0.beat, $0.barStart, $0.songFrame) = (1e9, 1e9, 1 << 40) }
    for (index, tempo) in [0, 1, 10_000, 120].enumerated() {
      add(20_000 + 1000 * index) { $0.tempo = Double(tempo) }
    }
    add(25_000) { $0.tempoSlope = -0.1 }
    add(28_000) { ($0.tempo, $0.tempoSlope) = (120, 0) }
    for (index, meter) in [Meter(1, 1), Meter(7, 8), Meter(65_535, 32_768), Meter(4, 4)]
      .enumerated()
    {
      add(30_000 + 1000 * index) { ($0.meter, $0.barStart) = (meter, $0.beat) }
    }
    add(35_000) { ($0.isLooping, $0.loopStart, $0.loopEnd) = (true, 4, 4.001) }
    // A loop of 24 frames, for two cycles.
    for frame in stride(from: 35_840, to: 37_888, by: 24) {
      add(frame) { ($0.beat, $0.barStart, $0.songFrame) = (4, 4, 96_000) }
    }
    add(40_000) { $0.isLooping = false }
    add(50_000) { $0.isPlaying = false }
    return all
  }()

  /// Compares the MIDI that the port sends in cycles of other lengths.
  func output() throws(CheckFault) -> CheckRow {
    let first = try playScale().events
    if first.isEmpty { return .unmeasured(.output, "it has sent no MIDI") }
    let figures = [CheckRow.Figure("messages", Double(first.count), "messages")]
    for length in [64, 333] {
      let other = try player.play(.scale(at: SubjectPlayer.rate, subject.type), cycle: length)
        .events
      let malformed = try player.request { $0.statistics }.malformedEvents
      if malformed > 0 {
        return CheckRow(
          .output, .bad, "\(malformed) malformed", "Hosts drop such messages.", figures)
      }
      if other != first {
        return CheckRow(
          .output, .warning, "other messages in other cycles",
          "In cycles of \(length) frames it sends \(other.count) messages, and in those of 1024 \(first.count), or on other frames.",
          figures)
      }
    }
    return CheckRow(
      .output, .good, "\(first.count) messages, on their frames",
      "the same in cycles of 64, 333 and 1024 frames", figures)
  }
}
