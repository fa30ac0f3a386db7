/// The audio that a unit is given in one cycle.
///
/// Realtime: yes. Valid for the cycle that it came with.
public struct AudioInput: BitwiseCopyable {
  private let channels: UnsafePointer<UnsafePointer<Float>>?
  /// Channels: those that the format says.
  public let count: Int

  /// Makes one without channels.
  @_noLocks public init() {
    channels = nil
    count = 0
  }

  /// - Parameter channels: One pointer per channel, to as many samples as the cycle has frames.
  @_noLocks public init(_ channels: UnsafePointer<UnsafePointer<Float>>, count: Int) {
    self.channels = channels
    self.count = count
  }

  /// A channel's samples; silence is given as such. They may be any number there is, infinity and NaN too (not
  /// through a connection, which makes silence of them): what a unit keeps from one cycle to the next it takes
  /// through ``Sample/tame(_:)``.
  ///
  /// - Precondition: `channel` is in 0…``count`` − 1.
  public subscript(channel: Int) -> UnsafePointer<Float> {
    @_noLocks get {
      precondition(channel >= 0 && channel < count, "there is no such input channel")
      return channels.unsafelyUnwrapped[channel]
    }
  }
}

/// One channel's value at a frame: full scale is ±1.
///
/// Realtime: yes.
public enum Sample {
  /// Makes silence of what is no sound: NaN, infinity, and what is above +200 dBFS.
  ///
  /// A unit with feedback takes its input through it, for one NaN would else sound for ever.
  @_noLocks public static func tame(_ sample: Float) -> Float {
    // False for NaN as well.
    abs(sample) < 1e10 ? sample : 0
  }
}
