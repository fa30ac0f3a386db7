/// Why a device does not do what it should.
enum PCMFailure: Error, Equatable, Sendable {
  /// A call of alsa-lib failed, with an `errno`.
  case failed(code: CInt)
  /// It has no rate that we can follow; what it has.
  case noRate(ClosedRange<Int>)
  case noChannels
  case noEncoding
  case noAccess
  /// The buffer has no room for two periods.
  case noBuffer(frames: Int, period: Int)
}

/// - Returns: The result of a call, if it is no error.
@discardableResult
func check<Result: SignedInteger>(_ result: Result) throws(PCMFailure) -> Result {
  if result < 0 { throw .failed(code: CInt(-result)) }
  return result
}
