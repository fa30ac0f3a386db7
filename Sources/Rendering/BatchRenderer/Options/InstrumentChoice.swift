import Configuration
package import LocalSystem

/// What plays a song, or some of its channels.
package enum InstrumentChoice: Equatable, Sendable {
  /// A SoundFont by its name or path; `nil`: that of the options.
  case soundFont(String?)
  /// An LV2 plugin as `lv2:URI` or `lv2:URI#PRESET`, or the name of a port.
  case port(String)

  private static let prefix = PortSettings.soundFontPrefix

  /// - Parameters:
  ///   - text: A name of a port or plugin, or `sf2:` and a SoundFont; `sf2:` alone is that of the options.
  ///   - option: The name of the option for messages.
  /// - Throws: ``Failure/Kind/usage`` for an empty text.
  init(_ text: String, of option: String = "--instrument") throws(Failure) {
    if text.isEmpty {
      throw .usage("\(option) needs a name: lv2:URI, sf2:FILE, or a port of portative list")
    }
    if text.hasPrefix(Self.prefix) {
      let name = String(text.dropFirst(Self.prefix.count))
      self = .soundFont(name.isEmpty ? nil : name)
    } else {
      self = .port(text)
    }
  }
}

extension InstrumentChoice: CustomStringConvertible {
  package var description: String {
    switch self {
    case .soundFont(let name): Self.prefix + (name ?? "")
    case .port(let name): name
    }
  }
}

/// What plays some channels of a song.
package struct ChannelInstrument: Equatable, Sendable {
  package var channels: [PartChannel]
  package var choice: InstrumentChoice

  /// - Parameters:
  ///   - text: Channels and an instrument, as `1=lv2:URI` or `2:1,2:2=sf2:FILE`.
  ///   - option: The name of the option for messages.
  /// - Returns: `nil` if the text does not begin with channels, so that it names an instrument for all of them.
  /// - Throws: ``Failure/Kind/usage``.
  package init?(_ text: String, of option: String = "--instrument") throws(Failure) {
    guard let mark = text.firstIndex(of: "="), mark > text.startIndex,
      text[..<mark].allSatisfy({ $0.isASCII && ($0.isNumber || ",: ".contains($0)) })
    else { return nil }
    choice = try InstrumentChoice(String(text[text.index(after: mark)...]), of: option)
    channels = try String(text[..<mark]).listed { (word) throws(Failure) in
      guard let channel = try PartChannel(word, of: option) else {
        throw .usage(
          "\(option): a channel is 1 to 16, or 2:10 for that of a port, but was '\(word)'")
      }
      return channel
    }
  }

  /// The channels as they are written before the instrument.
  var channelText: String {
    channels.map { channel in
      (channel.port.map { "\($0 + 1):" } ?? "") + "\(channel.channel + 1)"
    }.joined(separator: ",")
  }

  /// Whether it plays a channel, 0…15, of a port.
  package func plays(_ channel: UInt8, ofPort port: Int) -> Bool {
    channels.contains { $0.channel == channel && ($0.port ?? port) == port }
  }
}
