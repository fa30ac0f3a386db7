/// Keeps a device without a clock, such as ALSA's `null`, from requesting cycles as fast as they can be rendered. Without a
/// limit, it would use a whole CPU at realtime priority.
///
/// A device with a clock never reaches the limit: it may be ahead of the time by its buffer and 50 ms, and its clock may
/// be fast by 2 %.
///
/// Realtime: yes.
struct PlaybackPace: BitwiseCopyable {
  private let rate: Int64
  /// How far the device has been ahead of the time at ``begin``, and the frames since, in frames.
  private var frames: Int64 = 0
  /// In nanoseconds.
  private var begin: Int64

  /// The duration that a plugin that forwards to a sound server may accept at once, beside the device's buffer, in nanoseconds.
  private static var burst: Int64 { @_noLocks get { 50_000_000 } }
  private static var second: Int64 { @_noLocks get { 1_000_000_000 } }

  /// - Parameter rate: Frames per second.
  @_noLocks init(rate: Int, at now: Int64) {
    self.rate = Int64(rate)
    begin = now
  }

  /// Counts frames that the device has accepted.
  ///
  /// - Parameters:
  ///   - buffer: The length of the device's buffer in frames.
  ///   - now: The time in nanoseconds.
  /// - Returns: For how long to accept no more, in nanoseconds; 0 or less: not at all.
  @_noLocks mutating func add(_ count: Int, buffer: Int, at now: Int64) -> Int64 {
    frames += Int64(count)
    let ahead = frames * Self.second / rate - (now - begin)
    if now - begin >= Self.second {
      begin = now
      frames = max(0, ahead - Self.second / 50) * rate / Self.second
    }
    return ahead - Self.burst - Int64(buffer) * Self.second / rate
  }
}
