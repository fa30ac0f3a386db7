/// The input audio of a unit in one cycle.
///
/// Realtime: yes. Valid during its cycle.
public struct AudioInput: BitwiseCopyable {
  /// One pointer for each channel; `nil` without channels.
  package let channels: UnsafePointer<UnsafePointer<Float>>?
  /// The number of channels, as in the format.
  public let count: Int

  /// Makes an input without channels.
  @_noLocks public init() {
    channels = nil
    count = 0
  }

  /// - Parameters:
  ///   - channels: One pointer for each channel, to as many samples as the cycle has frames.
  ///   - count: The number of channels.
  @_noLocks public init(_ channels: UnsafePointer<UnsafePointer<Float>>, count: Int) {
    self.channels = channels
    self.count = count
  }

  /// The samples of a channel; zeros for silence.
  ///
  /// A sample may be any float, including infinity and NaN (except through a connection, which replaces these by 0). A
  /// unit passes samples that it keeps from one cycle to the next through ``Sample/sanitize(_:)``.
  ///
  /// - Precondition: `channel` is in 0…``count`` − 1.
  public subscript(channel: Int) -> UnsafePointer<Float> {
    @_noLocks get {
      precondition(channel >= 0 && channel < count, "there is no such input channel")
      return channels.unsafelyUnwrapped[channel]
    }
  }
}

/// The value of one channel at one frame: full scale is ±1.
///
/// Realtime: yes.
public enum Sample {
  /// Returns 0 for NaN, infinities and samples above +200 dBFS, and all other samples unchanged.
  ///
  /// A unit with feedback needs it for its input, because a single NaN would circulate forever.
  @_noLocks public static func sanitize(_ sample: Float) -> Float {
    // The comparison is false for NaN.
    abs(sample) < 1e10 ? sample : 0
  }
}
