/// Which settings of a channel a message has set. An instrument's own beginnings may differ from the usual ones,
/// as those of a port with a preset of its own: what nobody has set, it need not be told.
struct KnownSettings: BitwiseCopyable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  var program = false
  /// Whether a bank was selected before the program.
  var bank = false
  var bend = false
  var pressure = false
  /// A bit for each registered parameter.
  var parameters: UInt8 = 0
  /// Of these, the ones that CC 6 has entered.
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
