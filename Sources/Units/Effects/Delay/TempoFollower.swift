import RenderCore

/// The host's tempo on each frame.
///
/// Realtime: yes.
struct TempoFollower: BitwiseCopyable {
  private var tempo = 0.0
  private var slope = 0.0
  private var frames = 0

  /// Creates a follower without a tempo.
  @_noLocks init() {}

  @_noLocks init(_ transport: Transport) {
    // The comparison is false for NaN as well.
    guard transport.provides.has(.beat), transport.tempo > 0 else { return }
    tempo = transport.tempo
    slope = transport.advances ? transport.tempoSlope : 0
  }

  var isKnown: Bool { @_noLocks get { tempo > 0 } }
  var isChanging: Bool { @_noLocks get { !(slope == 0) } }

  @_noLocks mutating func advance(frames: Int) { self.frames += frames }

  /// The tempo at the current frame in beats per minute, 10…1000.
  var value: Double {
    @_noLocks get {
      let now = tempo + slope * Double(frames)
      // In this order, NaN becomes 10.
      return now > 10 ? (now < 1000 ? now : 1000) : 10
    }
  }
}
