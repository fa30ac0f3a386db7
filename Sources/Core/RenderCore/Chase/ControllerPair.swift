/// A 14-bit controller value in two halves: CC 0 and CC 32 for the bank, CC 6 and CC 38 for data entry.
struct ControllerPair: Equatable, BitwiseCopyable {
  var coarse: UInt8 = 0
  var fine: UInt8 = 0

  /// Sets the half that belongs to CC 6 or CC 38.
  @_noLocks mutating func enter(_ controller: UInt8, _ value: UInt8) {
    if controller == 6 { coarse = value } else { fine = value }
  }
}
