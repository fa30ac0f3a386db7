import Options

/// Notices that a sound device asks for no more sound without saying that it is gone, as a JACK server that hangs, or
/// a sound server without a sound card.
struct DeviceWatch {
  private var frames: Int64 = -1
  private var looks = 0

  /// Looks, about thirty to the second, in which nothing was asked for: longer than any device's cycle, and shorter
  /// than a node waits for a host. They are counted, and not the time, in which this process may have been stopped.
  static let limit = 50

  /// - Parameter rendered: Frames that the device has asked for so far.
  /// - Returns: Whether it asks for no more.
  mutating func isStalled(_ rendered: Int64) -> Bool {
    looks = rendered == frames ? looks + 1 : 0
    frames = rendered
    return looks >= Self.limit
  }
}
