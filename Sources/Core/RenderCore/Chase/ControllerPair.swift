/// A 14-bit controller value in two halves: CC 0 and CC 32 for the bank, CC 6 and CC 38 for data entry.
struct ControllerPair: BitwiseCopyable {
  var coarse: UInt8 = 0
  var fine: UInt8 = 0

  @_noLocks init() {}

  @_noLocks init(coarse: UInt8, fine: UInt8) {
    self.coarse = coarse
    self.fine = fine
  }

  /// Sets the half that belongs to CC 6 or CC 38.
  @_noLocks mutating func enter(_ controller: UInt8, _ value: UInt8) {
    if controller == 6 { coarse = value } else { fine = value }
  }

  @_noLocks func isSame(as other: Self) -> Bool { coarse == other.coarse && fine == other.fine }
}
