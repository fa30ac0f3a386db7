/// The reason why a device could not be opened or used.
enum PCMFailure: Error, Equatable, Sendable {
  /// An alsa-lib call failed with an `errno` value.
  case failed(code: CInt)
  /// The device supports none of our rates. The value is its own range.
  case noRate(ClosedRange<Int>)
  case noChannels
  case noEncoding
  case noAccess
  /// The buffer is shorter than two periods.
  case noBuffer(frames: Int, period: Int)
}

/// Returns `result`, or throws if it is a negative error code.
@discardableResult
func check<Result: SignedInteger>(_ result: Result) throws(PCMFailure) -> Result {
  if result < 0 { throw .failed(code: CInt(-result)) }
  return result
}
