/// A division and a tempo with which ticks stand for frames, so that a file keeps the frames of its events.
///
/// A tick has the length of a frame if the format has such a division. Otherwise it is shorter, so that each frame has
/// a tick that is nearest to it. In both cases ``StandardMIDIFile/timeline(sampleRate:)`` returns the same frames.
package struct FrameTicks: Equatable, Sendable {
  package let division: UInt16
  /// Microseconds per quarter note.
  package let tempo: UInt32
  private let sampleRate: Int

  /// The tempos of 120, 240, 480, 960 and 60 quarter notes per minute.
  private static let tempos: [UInt32] = [500_000, 250_000, 125_000, 62_500, 1_000_000]

  /// - Parameter sampleRate: Frames per second: 1…1 000 000.
  package init(sampleRate: Int) {
    precondition(1...1_000_000 ~= sampleRate)
    self.sampleRate = sampleRate
    for tempo in Self.tempos {
      let (division, rest) = (Int(tempo) * sampleRate).quotientAndRemainder(dividingBy: 1_000_000)
      if rest == 0, 1...0x7FFF ~= division {
        (self.division, self.tempo) = (UInt16(division), tempo)
        return
      }
    }
    division = 0x7FFF
    tempo = UInt32(min(0xFF_FFFF, Int(division) * 1_000_000 / sampleRate))
  }

  /// Returns the tick that is nearest to a frame.
  ///
  /// - Parameter frame: 0 or more.
  package func tick(of frame: Int64) -> Int64 {
    let divisor = Int128(sampleRate) * Int128(tempo)
    return Int64((Int128(frame) * Int128(division) * 1_000_000 + divisor / 2) / divisor)
  }
}
