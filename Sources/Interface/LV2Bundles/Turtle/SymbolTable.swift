/// The LV2 symbols of a plugin's ports and groups, each of which is unique.
struct SymbolTable {
  private var used: Set<String> = []

  /// Returns a symbol that no earlier call has returned: the text with `_` for all characters but letters and digits of
  /// ASCII, and a number at its end if that symbol is in use.
  mutating func add(_ text: String) -> String {
    var symbol = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            ? scalar : "_"
        }))
    // A symbol does not begin with a digit.
    if symbol.first?.isNumber ?? true { symbol = "_" + symbol }
    return used.insertUnique(symbol, separator: "_")
  }
}
