import BatchRenderer
import Configuration
import Effects
import FluidSynthEngine
import LocalSystem
import NodeHost
import NodeProtocol
import PluginNodes
import RenderCore

extension PortSettings {
  /// Reads what plays the channels of a split.
  ///
  /// - Throws: ``SettingError`` for a wrong channel, one with two instruments, and a plugin that cannot be played.
  func channelInstruments() throws(SettingError) -> [ChannelInstrument] {
    guard let instruments, !instruments.isEmpty else {
      throw SettingError(
        instruments == nil ? nil : "instruments",
        "a split needs instruments: { \"1\": \"lv2:URI\", … }, what plays the channels")
    }
    var known: Set<UInt8> = []
    var read: [ChannelInstrument] = []
    for (key, name) in instruments.sorted(by: { $0.key < $1.key }) {
      let part: ChannelInstrument
      do throws(Failure) {
        guard let found = try ChannelInstrument("\(key)=\(name)", of: "'\(key)'") else {
          throw .usage("a channel is 1 to 16, but was '\(key)'")
        }
        part = found
        if case .port(let name) = part.choice { try Self.check(name) }
      } catch {
        throw SettingError("instruments", "has a wrong element: \(error.message)")
      }
      for channel in part.channels {
        if channel.port != nil || !known.insert(channel.channel).inserted {
          throw SettingError(
            "instruments",
            "has '\(key)', but each channel has one instrument, and a port of a song has none here")
        }
      }
      read.append(part)
    }
    return read
  }

  /// Checks that a plugin can be played.
  private static func check(_ name: String) throws(Failure) {
    do {
      try PluginSelection(prefixed: name)?.check(.instrument)
    } catch {
      throw Failure(error)
    }
  }
}

extension PortPlan {
  /// Returns what plays a split.
  ///
  /// - Parameters:
  ///   - others: What plays the other channels.
  ///   - report: Receives sentences about the processes of plugins.
  /// - Throws: `InstrumentError` for a SoundFont that cannot be played, `LV2Error` for a plugin.
  func split(
    others: any RenderUnitSource, _ settings: InstrumentSettings,
    _ report: @escaping @Sendable (String) -> Void
  ) throws -> any RenderUnitSource {
    var free = UInt16.max
    var parts: [SplitSource.Part] = []
    for part in channelInstruments {
      let channels = part.channels.reduce(UInt16(0)) { $0 | 1 << UInt16($1.channel) }
      free &= ~channels
      parts.append(
        SplitSource.Part(
          channels: channels, try source(part.choice, settings, report) ?? others))
    }
    if free != 0 { parts.append(SplitSource.Part(channels: free, others)) }
    return SplitSource(parts)
  }

  /// - Returns: `nil` for the SoundFont of the port.
  private func source(
    _ choice: InstrumentChoice, _ settings: InstrumentSettings,
    _ report: @escaping @Sendable (String) -> Void
  ) throws -> (any RenderUnitSource)? {
    switch choice {
    case .soundFont(nil): nil
    case .soundFont(let path?):
      InstrumentSource(soundFont: try SoundFont.open(path), settings: settings)
    case .port(let name):
      try PluginSelection(prefixed: name).map { source($0, report) } ?? ChainSource([name])
    }
  }
}
