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
  private var timebaseWord: SharedWord { @_noLocks get { words[0] } }
  /// Whether the song can play from ``readyFrame``, which is stored before.
  private var isReady: SharedWord { @_noLocks get { words[1] } }
  private var readyFrame: SharedWord { @_noLocks get { words[2] } }
  /// Whether the transport is to be moved to ``location``, which is stored before.
  private var isLocationSet: SharedWord { @_noLocks get { words[3] } }
  private var location: SharedWord { @_noLocks get { words[4] } }

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

  package var timebase: Timebase { Timebase(rawValue: timebaseWord.value) ?? .nobody }

  @_noLocks package func setTimebase(_ timebase: Timebase) { timebaseWord.store(timebase.rawValue) }

  /// Whether the song gives bars and tempo.
  package var isMaster: Bool { @_noLocks get { timebaseWord.value == 1 } }

  // MARK: From the song to the device

  /// Reports that the song can play from a frame in the next cycle.
  @_noLocks package func setReady(at frame: Int64) {
    readyFrame.store(UInt32(truncatingIfNeeded: frame))
    isReady.store(1)
  }

  @_noLocks package func setUnready() { isReady.store(0) }

  /// Requests that the device moves the graph's transport, after the song has jumped.
  @_noLocks package func locate(_ frame: Int64) {
    location.store(UInt32(truncatingIfNeeded: max(0, frame)))
    isLocationSet.store(1)
  }

  // MARK: From the device to the song

  /// Whether the graph's transport may start to play at a frame.
  @_noLocks package func isReady(at frame: UInt32) -> Bool {
    isReady.value != 0 && readyFrame.value == frame
  }

  /// Returns and forgets the frame to which the graph's transport is to be moved; `nil` if it is not.
  @_noLocks package func takeLocation() -> UInt32? {
    isLocationSet.exchange(1, for: 0) ? location.value : nil
  }
}
