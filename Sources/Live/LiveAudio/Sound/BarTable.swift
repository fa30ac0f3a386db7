package import RenderCore

/// The bars, beats and tempos of a song by its frames, for render threads.
///
/// Realtime: yes, except ``init(_:sampleRate:)``, which allocates, and ``destroy()``, which the owner must call.
///
/// `@unchecked Sendable`: the table does not change.
package struct BarTable: @unchecked Sendable, BitwiseCopyable {
  /// The meter and tempo from a frame on, until the next entry.
  package struct Entry: BitwiseCopyable {
    let frame: Int64
    /// The beat at the frame, in quarter notes.
    let beat: Double
    /// In quarter notes per minute.
    let tempo: Double
    let meter: Meter
    /// The bar at the frame, counted from 1, and the beat at which it begins.
    let bar: Int64
    let barStart: Double

    package init(
      frame: Int64, beat: Double, tempo: Double, meter: Meter, bar: Int64, barStart: Double
    ) {
      self.frame = frame
      self.beat = beat
      self.tempo = tempo
      self.meter = meter
      self.bar = bar
      self.barStart = barStart
    }
  }

  /// A place in the song as musicians count it.
  package struct Position: BitwiseCopyable {
    /// Counted from 1.
    package let bar: Int64
    /// The beats of the meter since the bar began, with the fraction of the present one.
    package let beatsInBar: Double
    /// The quarter notes from the beginning of the song to that of the bar.
    package let barStart: Double
    package let meter: Meter
    /// In quarter notes per minute.
    package let tempo: Double
  }

  private let entries: UnsafeMutablePointer<Entry>
  private let count: Int
  private let framesPerMinute: Double

  /// Two positions that are closer, in quarter notes, are equal but for rounding.
  private static var precision: Double { @_noLocks get { 1e-6 } }

  /// - Parameter entries: In order of frame, at least one.
  package init(_ entries: [Entry], sampleRate: Int) {
    precondition(!entries.isEmpty)
    count = entries.count
    self.entries = .allocate(capacity: count)
    self.entries.initialize(from: entries, count: count)
    framesPerMinute = 60 * Double(sampleRate)
  }

  package func destroy() { entries.deallocate() }

  /// Returns the position at a frame.
  @_noLocks package func position(at frame: Int64) -> Position {
    let entry = entries[index(of: frame)]
    let beat = entry.beat + Double(frame - entry.frame) / framesPerMinute * entry.tempo
    // A bar that begins between two frames may belong to the earlier one.
    let since = max(0, beat - entry.barStart + Self.precision)
    let bars = Int64(since / entry.meter.barLength)
    let barStart = entry.barStart + Double(bars) * entry.meter.barLength
    return Position(
      bar: entry.bar + bars, beatsInBar: max(0, beat - barStart) / entry.meter.beatLength,
      barStart: barStart, meter: entry.meter, tempo: entry.tempo)
  }

  /// The index of the last entry at or before a frame, or of the first.
  @_noLocks private func index(of frame: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}
