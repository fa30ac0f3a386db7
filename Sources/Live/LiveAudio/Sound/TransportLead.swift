import LocalSystem

/// The words by which a song that leads the transport of a graph and the song's device communicate.
///
/// Realtime: yes, except ``init(_:takesOver:)``, which allocates, and ``destroy()``, which the owner must call. Threads: the
/// device's, except ``timebase``, which any may read.
package struct TransportLead: Sendable, BitwiseCopyable {
  /// Where the song's bars are.
  package let bars: BarTable
  /// Whether the song replaces another program that gives bars and tempo to the graph.
  package let takesOver: Bool
  private let words = SharedWords(count: 5)

  /// Who gives bars and tempo to the graph.
  package enum Timebase: UInt32, Sendable {
    case nobody
    /// Its raw value is used in ``TransportLead/isMaster``.
    case song
    /// Another program, which had been there before the song.
    case other
    /// Another program, which has taken over from the song.
    case successor
  }

  package init(_ bars: BarTable, takesOver: Bool) {
    (self.bars, self.takesOver) = (bars, takesOver)
  }

  package func destroy() {
    bars.destroy()
    words.destroy()
  }

  package var timebase: Timebase { Timebase(rawValue: words[0].value) ?? .nobody }

  @_noLocks package func setTimebase(_ timebase: Timebase) { words[0].store(timebase.rawValue) }

  /// Whether the song gives bars and tempo.
  package var isMaster: Bool { @_noLocks get { words[0].value == 1 } }

  // MARK: From the song to the device

  /// Reports that the song can play from a frame in the next cycle.
  @_noLocks package func setReady(at frame: Int64) {
    words[2].store(UInt32(truncatingIfNeeded: frame))
    words[1].store(1)
  }

  @_noLocks package func setUnready() { words[1].store(0) }

  /// Requests that the device moves the graph's transport, after the song has jumped.
  @_noLocks package func locate(_ frame: Int64) {
    words[4].store(UInt32(truncatingIfNeeded: max(0, frame)))
    words[3].store(1)
  }

  // MARK: From the device to the song

  /// Whether the graph's transport may start to play at a frame.
  @_noLocks package func isReady(at frame: UInt32) -> Bool {
    words[1].value != 0 && words[2].value == frame
  }

  /// Returns and forgets the frame to which the graph's transport is to be moved; `nil` if it is not.
  @_noLocks package func takeLocation() -> UInt32? {
    words[3].exchange(1, for: 0) ? words[4].value : nil
  }
}
