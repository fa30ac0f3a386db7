import BatchRenderer
import MIDIFile
import OfflineRenderer
import RenderCore

/// The chains among which the channels of a song are divided: one for each instrument of each port, or for each instrument of each
/// stem. Chains without notes are left out.
struct ChannelDivision {
  private(set) var chains: [Chain] = []

  struct Chain {
    let instrument: InstrumentChoice
    let part: ChainPart
  }

  /// - Parameter stems: The stems, which are channels or tracks; `nil` for none.
  init(
    _ timeline: Timeline, _ options: SongOptions, _ stems: StemPlan?, _ grouping: StemGrouping?
  ) {
    let users = Users(timeline)
    for (port, channels) in users.channels.enumerated() {
      for index in options.instruments.indices {
        let played = channels.indices.filter {
          options.instrument(ofChannel: UInt8($0), port: port) == index
        }
        // A song without notes still has a chain.
        let isNeeded = played.contains { !channels[$0].isEmpty }
        guard isNeeded || (port == 0 && index == 0 && users.isEmpty) else { continue }
        let instrument = options.instruments[index]
        var part = ChainPart(port: port)
        part.channels = Set(played.map { UInt8($0) })
        part.sentChannel = options.sentChannel(ofInstrument: index)
        switch users.isEmpty ? nil : grouping {
        case .channel?:
          for channel in played where !channels[channel].isEmpty {
            var own = part
            own.channels = [UInt8(channel)]
            own.stem = stems?.stems.firstIndex { $0.place == 16 * port + channel }
            chains.append(Chain(instrument: instrument, part: own))
          }
        case .track?:
          let tracks = played.reduce(into: Set<Int>()) { $0.formUnion(channels[$1]) }
          for track in tracks.sorted() {
            var own = part
            own.noteTrack = track
            own.stem = stems?.stems.firstIndex { $0.number == track + 1 }
            chains.append(Chain(instrument: instrument, part: own))
          }
        case .note?, nil: chains.append(Chain(instrument: instrument, part: part))
        }
      }
    }
  }

  /// The tracks that have notes on each channel of each port.
  private struct Users {
    private(set) var channels: [[Set<Int>]]

    init(_ timeline: Timeline) {
      channels = Array(
        repeating: Array(repeating: [], count: 16), count: max(1, timeline.ports.count))
      for event in timeline.events {
        guard case .channel(let message) = event.message, message.startsNote else { continue }
        channels[Int(event.port)][Int(message.channel)].insert(Int(event.track))
      }
    }

    var isEmpty: Bool { channels.allSatisfy { $0.allSatisfy(\.isEmpty) } }
  }
}

extension SongOptions {
  /// Returns the channel on which an instrument receives its messages; `nil`: on their own.
  ///
  /// Many plugins listen to the first channel only, as the tracks of a DAW use it. The tenth channel stands for percussion.
  fileprivate func sentChannel(ofInstrument index: Int) -> UInt8? {
    guard index > 0, case .port = instruments[index] else { return nil }
    let channels = channelInstruments[index - 1].channels
    guard channels.count == 1, channels[0].channel != 9 else { return nil }
    return 0
  }
}
