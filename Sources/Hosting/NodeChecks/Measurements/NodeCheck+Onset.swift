import NodeProtocol

extension NodeCheck {
  /// The frames by which a note is moved: first those that tell most, which are also tried on a slow machine.
  static let moves = fewMoves + Set(0..<66).union(moreMoves).subtracting(fewMoves).sorted()
  static let fewMoves = [0, 1, 31, 63, 64, 128, 300, 600, 1024]
  private static let moreMoves = [
    100, 127, 129, 191, 255, 256, 257, 511, 512, 640, 700, 900, 1023, 1025,
  ]
  private static let releaseMoves =
    fewMoves + [2, 3, 5, 8, 13, 21, 32, 33, 47, 100, 127, 129, 700, 1023]
  /// The frame of the note, a multiple of any likely block.
  private static let begin = 4096
  private static let length = 4096
  private static let frames = begin + 1025 + length + 4096
  /// The time in seconds after which no further move is tried.
  private static let limit = Duration.seconds(40)

  /// A difference from silence below this, −100 dB, is not yet the note.
  private static let threshold: Float = 1e-5

  private func note(movedBy move: Int, length: Int? = NodeCheck.length, release: Int = 0)
    throws(CheckFault) -> Stimulus
  {
    Stimulus(
      frames: Self.frames,
      notes: [
        .init(frame: Self.begin + move, key: try audibleKey(), length: length.map { $0 + release })
      ])
  }

  /// The key that is measured: 48, or the first of the scale that sounds.
  private func audibleKey() throws(CheckFault) -> UInt8 {
    let scale = try playScale()
    let step = Int(Double(SubjectPlayer.rate) * Stimulus.step)
    func sounds(_ index: Int) -> Bool {
      scale.peak(in: step * index..<step * (index + 1)) > Recording.audible
    }
    let indices = Stimulus.keys.indices.filter(sounds)
    let wanted = Stimulus.keys.firstIndex(of: 48) ?? 0
    return Stimulus.keys[indices.contains(wanted) ? wanted : indices.first ?? wanted]
  }

  /// Returns why notes cannot be measured; `nil` if they can.
  private func obstacle() throws(CheckFault) -> String? {
    if !subject.type.takesMIDI { return "it plays no notes" }
    if try !playScale().isAudible { return "no note has sounded" }
    return nil
  }

  /// A note that was moved by several numbers of frames.
  struct MovedNote {
    let placement: Placement
    /// Whether the samples have moved with it, without a change of a bit.
    let hasSameBits: Bool
    let count: Int
  }

  /// Plays a note that is moved, and returns what becomes of its frame; `nil` if a note changes nothing.
  ///
  /// - Throws: Also if only some of the notes are heard.
  func move(
    by moves: [Int], rate: Int = SubjectPlayer.rate, cycle: Int = SubjectPlayer.cycle
  ) throws(CheckFault) -> MovedNote? {
    let isRepeatable = try isRepeatable()
    let rest = try player.play(Stimulus(frames: Self.frames), rate: rate, cycle: cycle)
    let tolerance = isRepeatable ? Self.threshold : rest.peak * 2 + Recording.audible
    let end = ContinuousClock.now + Self.limit
    var (events, places, bits): ([Int], [Int], [Int]) = ([], [], [])
    var first: Recording?
    var hasSameBits = true
    for move in moves where events.count < Self.fewMoves.count || ContinuousClock.now < end {
      let run = try player.play(note(movedBy: move), rate: rate, cycle: cycle)
      guard let place = run.firstDifference(from: rest, above: tolerance) else {
        if events.isEmpty { return nil }
        throw CheckFault(text: "loses the note at frame \(Self.begin + move)")
      }
      events.append(Self.begin + move)
      places.append(place)
      if isRepeatable || rest.peak == 0 { bits.append(run.firstDifference(from: rest) ?? place) }
      let reference = first ?? run
      hasSameBits =
        hasSameBits && run.hasBits(of: reference, from: move, count: Self.frames - 1025)
      first = reference
    }
    return Placement(events: events, places: places, bits: bits).map {
      MovedNote(placement: $0, hasSameBits: hasSameBits, count: events.count)
    }
  }

  /// Returns the frames from a note to its sound, if they are constant and more than the frame with which an attack may begin at
  /// zero; 0 otherwise, and if it cannot be measured.
  ///
  /// - Parameter rate: Frames per second.
  package func constantDelay(rate: Int) -> Int {
    guard let note = try? move(by: Self.fewMoves, rate: rate),
      case .exact(let delays) = note.placement, delays.count == 1, delays.lowerBound > 1
    else { return 0 }
    return delays.lowerBound
  }

  func onset() throws(CheckFault) -> CheckRow {
    if let obstacle = try obstacle() { return .unmeasured(.onset, obstacle) }
    guard let note = try move(by: isBrief ? Self.fewMoves : Self.moves) else {
      return .unmeasured(.onset, "a note changes nothing")
    }
    return try row(.onset, note)
  }

  private func row(
    _ measurement: Measurement, _ note: MovedNote
  ) throws(CheckFault) -> CheckRow {
    let count = note.count
    let subject = measurement == .onset ? "A note" : "The release of a key"
    let moved = "\(subject) was moved by \(count) different numbers of frames"
    switch note.placement {
    case .exact(let delays):
      return CheckRow(
        measurement, .good, note.hasSameBits ? "exact, the same bits" : "\(note.placement)",
        "\(moved), and acted as much later each time, \(delays.lowerBound) frames after its event",
        [
          .init("delay", Double(delays.lowerBound), "frames"),
          .init("moves", Double(count), "moves"),
        ])
    case .blocks(let frames, let early):
      var text = "\(note.placement)"
      if measurement == .onset, frames == SubjectPlayer.cycle,
        case .blocks(frames / 4, _)? = try move(
          by: [0, 1, 128, 255, 256, 512], cycle: frames / 4)?.placement
      {
        text = early > 0 ? "at the beginning of its cycle" : "at the next cycle"
      }
      let isOnset = measurement == .onset
      // Many synthesizers compute envelopes in short blocks, of which an ear hears only those of attacks.
      return CheckRow(
        measurement, isOnset || frames > 64 ? .bad : .warning, text,
        "\(moved), and acted at multiples of \(frames) frames: \(isOnset ? "rhythms" : "lengths of notes") are uneven by up to \(frames - 1) frames",
        [
          .init("block", Double(frames), "frames"), .init("early", Double(early), "frames"),
          .init("moves", Double(count), "moves"),
        ])
    case .scattered(let delays):
      // A release may begin so gently that its first frames have the same bits, and an attack with another phase each time.
      let isUneven = measurement == .onset && !(delays.lowerBound >= 0 && delays.count <= 32)
      return CheckRow(
        measurement, isUneven ? .bad : .warning, "\(note.placement)",
        "\(moved), and acted \(delays.lowerBound) to \(delays.upperBound) frames after its event"
          + (isUneven
            ? "" : ". A sound that begins with another phase each time can be the reason."),
        [
          .init("least delay", Double(delays.lowerBound), "frames"),
          .init("greatest delay", Double(delays.upperBound), "frames"),
          .init("moves", Double(count), "moves"),
        ])
    }
  }

  /// The first frame at which a note that is released differs from one that is held.
  func release() throws(CheckFault) -> CheckRow {
    if let obstacle = try obstacle() { return .unmeasured(.release, obstacle) }
    if try !isRepeatable() {
      return .unmeasured(.release, "a held note cannot be compared, because two runs differ")
    }
    let held = try player.play(note(movedBy: 0, length: nil))
    let isComparable = try player.play(note(movedBy: 0, length: nil)).hasBits(of: held)
    let end = ContinuousClock.now + Self.limit
    var events: [Int] = []
    var places: [Int] = []
    for move in Self.releaseMoves
    where events.count < Self.fewMoves.count || ContinuousClock.now < end {
      let run = try player.play(note(movedBy: 0, release: move))
      guard let place = run.firstDifference(from: held) else {
        return .unmeasured(.release, "the release of the key changes nothing")
      }
      let event = Self.begin + Self.length + move
      if !isComparable || place < event - SubjectPlayer.cycle {
        return .unmeasured(
          .release, "a held note cannot be compared, because two runs with it differ")
      }
      events.append(event)
      places.append(place)
    }
    guard let placement = Placement(events: events, places: places) else {
      return .unmeasured(.release, "no key was released")
    }
    return try row(
      .release, MovedNote(placement: placement, hasSameBits: false, count: events.count))
  }
}
