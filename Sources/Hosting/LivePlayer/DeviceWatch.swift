/// Detects a sound device that stops requesting audio without reporting that it is lost, such as a JACK server that
/// hangs or a sound server without a sound card.
struct DeviceWatch {
  private var frames: Int64 = -1
  private var checks = 0

  /// The number of consecutive calls without a request after which the device is stalled. At about 30 calls per second
  /// this is longer than a cycle of any device and shorter than the time after which a node gives up its host. Calls
  /// are counted instead of time because this process may have been stopped.
  static let limit = 50

  /// - Parameter rendered: The number of frames that the device has requested so far.
  /// - Returns: Whether the device has stopped requesting audio.
  mutating func isStalled(_ rendered: Int64) -> Bool {
    checks = rendered == frames ? checks + 1 : 0
    frames = rendered
    return checks >= Self.limit
  }
}
