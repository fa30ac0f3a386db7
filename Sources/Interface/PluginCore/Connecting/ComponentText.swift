import NodeProtocol

extension ComponentDescription {
  /// Reads a description such as `instrument gmsy Ptvo`. The codes have four characters, which may be spaces.
  ///
  /// - Returns: `nil` for another text.
  init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let type = PortType(rawValue: String(words[0])),
      words[1].utf8.count == 9, words[1].dropFirst(4).first == " ",
      let subtype = try? FourCharacterCode(String(words[1].prefix(4))),
      let manufacturer = try? FourCharacterCode(String(words[1].suffix(4)))
    else { return nil }
    self.init(type: type, subtype: subtype, manufacturer: manufacturer)
  }
}
