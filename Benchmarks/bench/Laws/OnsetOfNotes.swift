import FluidSynthEngine
import MIDIFile
import RenderCore

/// Compares every program and drum key at each offset in FluidSynth's block of 64 frames.
///
/// Between two notes, other notes with other pans play in the same lanes.
func onsetOfNotes(_ bench: Bench) throws -> [Trial] {
  let sounds = Sound.all.enumerated().filter { !bench.isQuick || $0.offset % 16 == 0 }
    .map(\.element)
  let offsets = bench.isQuick ? [0, 1, 31, 63] : Array(0..<64)
  // Each share loads the SoundFont, so shares must be large.
  let shares = stride(from: 0, to: sounds.count, by: 22).map {
    Array(sounds[$0..<min($0 + 22, sounds.count)])
  }
  let fonts = bench.fonts
  return try inParallel(fonts.count * shares.count) { index in
    let font = fonts[index / shares.count]
    let instrument = try ExactInstrument(soundFont: font.path, settings: InstrumentSettings())
    var random = Seeded(UInt64(index))
    return try shares[index % shares.count].flatMap { sound in
      try sound.playOthers(on: instrument, &random)
      let reference = try sound.note(at: 0, on: instrument)
      return try offsets.map { offset in
        try sound.playOthers(on: instrument, &random)
        let sums = try sound.note(at: offset, on: instrument)
        return Trial(
          font: font.name, what: "\(sound) at offset \(offset)", isIdentical: sums == reference,
          isSilent: reference.allSatisfy { $0 == 0 })
      }
    }
  }.flatMap { $0 }
}

/// A program with a key, or a drum key.
private struct Sound: CustomStringConvertible {
  var channel: UInt8
  var program: UInt8
  var key: UInt8

  static let all = programs + drums
  private static let programs: [Sound] = (0..<128).map { program in
    Sound(channel: 0, program: UInt8(program), key: UInt8(36 + program * 7 % 49))
  }
  private static let drums: [Sound] = (35...81).map { Sound(channel: 9, program: 0, key: $0) }

  var description: String { "channel \(channel + 1) program \(program + 1) key \(key)" }

  private static let comparedFrames = 6144

  /// Plays the note and releases it after 4096 frames.
  ///
  /// - Returns: 6144 frames of dry left, dry right and both sends, starting at the note's frame.
  func note(at offset: Int, on instrument: ExactInstrument) throws -> [Int64] {
    let frames = Self.comparedFrames + 64
    var player = PassagePlayer(
      Passage(
        [
          event(0, .programChange, program), event(0, .controlChange, 10, 64),
          event(0, .controlChange, 91, 90), event(0, .controlChange, 93, 60),
          event(offset, .noteOn, key, 100), event(offset + 4096, .noteOff, key, 64),
        ], frames: frames), on: instrument)
    _ = try player.render(frames)
    return instrument.withSums(frames: frames) { sums in
      sums.flatMap { $0[offset..<offset + Self.comparedFrames] }
    }
  }

  /// Plays other notes in the same lanes, then renders until no voice is active.
  func playOthers(on instrument: ExactInstrument, _ random: inout Seeded) throws {
    func value() -> UInt8 { UInt8.random(in: 0..<128, using: &random) }
    let start = Int.random(in: 0..<64, using: &random)
    var events = [event(0, .programChange, channel == 9 ? 0 : value())]
    for controller: UInt8 in [10, 91, 93] {
      events.append(event(0, .controlChange, controller, value()))
    }
    for _ in 0..<2 {
      let key = UInt8.random(in: 35...81, using: &random)
      events.append(event(start, .noteOn, key, max(1, value())))
    }
    events.append(event(2048, .controlChange, 120, 0))
    var player = PassagePlayer(Passage(events, frames: 1 << 20), on: instrument)
    repeat {
      _ = try player.render(4096)
    } while instrument.load(ofGroup: 0) > 0 && player.framesLeft > 0
    guard player.framesLeft > 0 else { throw BenchError("notes continue after All Sound Off") }
  }

  private func event(
    _ frame: Int, _ kind: ChannelMessage.Kind, _ data1: UInt8, _ data2: UInt8 = 0
  ) -> Timeline.Event {
    Timeline.Event(
      frame: Int64(frame), track: 0,
      .channel(ChannelMessage(kind, channel: channel, data1, data2)))
  }
}
