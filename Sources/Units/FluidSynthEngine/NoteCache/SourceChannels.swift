/// The channels of a block that are not silent and can predict later channels: left, right and reverb send.
struct SourceChannels {
  private(set) var left: UnsafePointer<Float>?
  private(set) var right: UnsafePointer<Float>?
  private(set) var reverbSend: UnsafePointer<Float>?

  @_noLocks init() {}

  @_noLocks mutating func add(_ channel: Int, _ samples: UnsafePointer<Float>) {
    switch channel {
    case 0: left = samples
    case 1: right = samples
    case 2: reverbSend = samples
    default: break
    }
  }

  /// The approximate peak of left and right; see ``LaneGroup``.
  var peak: Float {
    @_noLocks get {
      max(left.map(LaneGroup.peak) ?? 0, right.map(LaneGroup.peak) ?? 0)
    }
  }
}
