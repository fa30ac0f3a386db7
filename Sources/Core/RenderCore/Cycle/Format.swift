/// The audio format of a port while it is initialized: 32-bit floats, with a separate buffer for each channel.
///
/// Realtime: yes.
public struct Format: Equatable, Sendable, BitwiseCopyable {
  /// Frames per second: 8000…192000. The node uses the host's rate.
  public var sampleRate: Int
  /// The number of input channels: 0…64. Instruments and generators have none.
  public var inputChannels: Int
  /// The number of output channels: 1…64.
  public var outputChannels: Int
  /// The length of the longest cycle in frames: 1…65536.
  public var maximumFrames: Int

  public static let sampleRates = 8000...192_000
  public static let inputChannelCounts = 0...64
  public static let outputChannelCounts = 1...64
  public static let frameCounts = 1...65_536

  /// The longest latency of a unit in frames: 10 s at the highest rate.
  public static var longestLatency: Int { @_noLocks get { 1_920_000 } }

  @_noLocks
  public init(
    sampleRate: Int = 48_000, inputChannels: Int = 0, outputChannels: Int = 2,
    maximumFrames: Int = 1024
  ) {
    self.sampleRate = sampleRate
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    self.maximumFrames = maximumFrames
  }

  /// Checks that all fields are in range.
  ///
  /// - Throws: ``FormatError`` for the first field that is out of range.
  public func validate() throws(FormatError) {
    try Self.check("sampleRate", sampleRate, in: Self.sampleRates)
    try Self.check("inputChannels", inputChannels, in: Self.inputChannelCounts)
    try Self.check("outputChannels", outputChannels, in: Self.outputChannelCounts)
    try Self.check("maximumFrames", maximumFrames, in: Self.frameCounts)
  }

  /// - Throws: ``FormatError`` if a field is out of a range.
  package static func check(
    _ field: String, _ value: Int, in range: ClosedRange<Int>
  ) throws(FormatError) {
    guard range.contains(value) else {
      throw FormatError(field: field, value: value, allowed: range)
    }
  }
}

/// A field of a format that is out of range. Its description is a sentence for the user.
public struct FormatError: Error, Equatable, Sendable, CustomStringConvertible {
  public let field: String
  public let value: Int
  public let allowed: ClosedRange<Int>

  public init(field: String, value: Int, allowed: ClosedRange<Int>) {
    self.field = field
    self.value = value
    self.allowed = allowed
  }

  public var description: String {
    allowed.count == 1
      ? "\(field) must be \(allowed.lowerBound), but is \(value)"
      : "\(field) must be \(allowed.lowerBound) to \(allowed.upperBound), but is \(value)"
  }
}
