extension JSON5Scanner {
  /// Skips white space and comments.
  mutating func skipBlanks() throws(SyntaxError) {
    while let next {
      if next.isBlank {
        position += 1
      } else if next == "/" {
        try skipComment()
      } else {
        return
      }
    }
  }

  private mutating func skipComment() throws(SyntaxError) {
    let start = position
    position += 1
    switch next {
    case "/":
      while let next, !next.isLineEnd { position += 1 }
    case "*":
      position += 1
      while let next {
        position += 1
        if next == "*", consume("/") { return }
      }
      throw error("the comment has no '*/'", at: start)
    default: throw error("a comment begins with '//' or '/*'", at: start)
    }
  }
}

extension Unicode.Scalar {
  var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\u{2028}" || self == "\u{2029}" }

  var isBlank: Bool {
    switch self {
    case "\t", "\u{B}", "\u{C}", " ", "\u{A0}", "\u{FEFF}": true
    default: isLineEnd || value > 0x7F && properties.generalCategory == .spaceSeparator
    }
  }
}
