/// The settings of a channel that a message has set. An instrument's initial settings may differ from the usual ones,
/// for example those of a port with its own preset. Settings that no message has set are therefore not sent.
struct KnownSettings: BitwiseCopyable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  var program = false
  /// Whether a bank was selected before the program.
  var bank = false
  var bend = false
  var pressure = false
  /// One bit for each registered parameter that data entry has set.
  var parameters: UInt8 = 0
  /// One bit for each registered parameter that CC 6 has set.
  var coarseParameters: UInt8 = 0

  @_noLocks init() {}

  subscript(controller: UInt8) -> Bool {
    @_noLocks get {
      (controller < 64 ? low : high) & Self.bit(controller) != 0
    }
    @_noLocks set {
      let bit = Self.bit(controller)
      if controller < 64 {
        low = newValue ? low | bit : low & ~bit
      } else {
        high = newValue ? high | bit : high & ~bit
      }
    }
  }

  @_noLocks private static func bit(_ controller: UInt8) -> UInt64 {
    1 << UInt64(controller & 63)
  }
}
