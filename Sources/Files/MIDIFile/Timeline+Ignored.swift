extension Timeline.Ignored.Kind: CustomStringConvertible {
  package var isPort: Bool {
    if case .port = self { true } else { false }
  }

  package var description: String {
    switch self {
    case .meta(0x00): "FF 00 sequence number"
    case .meta(0x20): "FF 20 channel prefix"
    case .meta(0x54): "FF 54 SMPTE offset"
    case .meta(0x7F): "FF 7F for one sequencer"
    case .meta(let type):
      "FF \(type < 16 ? "0" : "")\(String(type, radix: 16, uppercase: true))"
    case .tempo: "FF 51 tempo, in a file with time code"
    case .escape: "system message"
    case .port(let port): "\(port) without notes"
    }
  }
}

extension Timeline.Port: CustomStringConvertible {
  /// As in `port 2` with the number in the file, or `port "Synth B"`.
  public var description: String {
    if let number { return "port \(number)" }
    return name.map { "port \"\($0)\"" } ?? "port"
  }
}
