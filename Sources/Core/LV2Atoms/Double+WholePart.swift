extension Double {
  /// The greatest whole number that is not greater, of a number within ±10¹⁵. The standard library's function is not `@_noLocks`.
  package var wholePart: Double {
    @_noLocks get {
      let whole = Double(Int64(self))
      return whole > self ? whole - 1 : whole
    }
  }
}
