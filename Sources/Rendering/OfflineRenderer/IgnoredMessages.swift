import FluidSynthEngine
import MIDIFile
import RenderCore

/// Messages of one kind in a song that have no effect on its sound.
public struct IgnoredMessages: Equatable, Sendable {
  public enum Category: String, CaseIterable, Sendable {
    case sysEx = "sysex"
    /// Controllers, parameters and key pressure with another value than the initial one.
    case controllers
    /// Meta events and system messages that ask for more than text.
    case meta
    case ports
  }

  public let category: Category
  /// The kind of the messages, such as `CC 74` or `display text or picture`.
  public let kind: String
  public internal(set) var count: Int
  /// The track, from 0, and the time in seconds of the first.
  public let track: Int
  public let seconds: Double
}

/// Finds the messages of a song that have no effect.
struct IgnoredMessageFinder {
  private var found: [String: IgnoredMessages] = [:]
  private let timeline: Timeline
  /// The controllers to which modulators of the SoundFont respond; `nil` if they are unknown, and every controller may act.
  private let sources: ModulatorSources?
  /// For each channel of each port, the selected parameter.
  private var parameters: [Parameter]

  private struct Parameter {
    var isRegistered = true
    var coarse: UInt8 = 127
    var fine: UInt8 = 127

    var isNull: Bool { isRegistered && coarse == 127 && fine == 127 }

    /// Whether data entry acts on it: registered parameters 0 to 5, those of SoundFonts (120) and of the AWE32 (127), and
    /// vibrato of GS (1/8 to 1/10). Data entry for the null parameter asks for nothing.
    var acts: Bool {
      if isRegistered { return isNull || (coarse == 0 && fine <= 5) }
      return coarse == 120 || coarse == 127 || (coarse == 1 && 8...10 ~= fine)
    }
  }

  /// - Parameter sources: Those of the SoundFont; `nil` if they are unknown.
  static func messages(_ range: FrameRange, _ sources: ModulatorSources?) -> [IgnoredMessages] {
    var finder = IgnoredMessageFinder(range.timeline, sources)
    finder.find(until: Int64(range.end))
    return finder.found.values.sorted {
      ($0.category.rawValue, $0.seconds, $0.kind) < ($1.category.rawValue, $1.seconds, $1.kind)
    }
  }

  private init(_ timeline: Timeline, _ sources: ModulatorSources?) {
    self.timeline = timeline
    self.sources = sources
    parameters = Array(repeating: Parameter(), count: 16 * timeline.ports.count)
  }

  private mutating func find(until end: Int64) {
    for event in timeline.events.prefix(while: { $0.frame <= end }) {
      switch event.message {
      case .channel(let message): find(message, event)
      case .sysEx(let range):
        timeline.bytes(of: range).withUnsafeBufferPointer { bytes in
          let message = SystemExclusive(bytes)
          if !message.acts { add(.sysEx, message.kind.rawValue, event.track, event.frame) }
        }
      }
    }
    for ignored in timeline.ignored where ignored.frame <= end {
      let category = ignored.kind.isPort ? IgnoredMessages.Category.ports : .meta
      add(category, ignored.kind.description, ignored.track, ignored.frame, count: ignored.count)
    }
  }

  private mutating func find(_ message: ChannelMessage, _ event: Timeline.Event) {
    switch message.kind {
    case .controlChange: find(controller: message.data1, message, event)
    case .keyPressure where sources?.hasKeyPressure == false && message.data2 > 0:
      add(.controllers, "key pressure", event.track, event.frame)
    default: break
    }
  }

  private mutating func find(
    controller: UInt8, _ message: ChannelMessage, _ event: Timeline.Event
  ) {
    let place = Int(event.port) * 16 + Int(message.channel)
    switch controller {
    case 98, 99, 100, 101:
      let isRegistered = controller >= 100
      if parameters[place].isRegistered != isRegistered {
        parameters[place] = Parameter(isRegistered: isRegistered)
      }
      if controller % 2 == 0 {
        parameters[place].fine = message.data2
      } else {
        parameters[place].coarse = message.data2
      }
    case 6, 96, 97:
      let parameter = parameters[place]
      if parameter.acts, controller == 6 || parameter.isNull { return }
      let name = parameter.isRegistered ? "RPN" : "NRPN"
      let step = controller == 6 ? "" : ", in steps"
      add(
        .controllers, "\(name) \(parameter.coarse)/\(parameter.fine)\(step)", event.track,
        event.frame)
    default:
      if Self.acting.contains(controller) || controller >= 120
        || message.data2 == Self.initialValue(controller)
        || sources?.controllers.contains(controller) != false
      {
        return
      }
      add(.controllers, "CC \(controller)", event.track, event.frame)
    }
  }

  /// The controllers that act with every SoundFont: bank, modulation, portamento, data entry, volume, balance, pan,
  /// expression, sustain, sostenuto, legato, reverb and chorus.
  private static let acting: Set<UInt8> = [
    0, 1, 5, 7, 8, 10, 11, 32, 37, 38, 64, 65, 66, 68, 84, 91, 93,
  ]

  private static func initialValue(_ controller: UInt8) -> UInt8 {
    70...79 ~= controller ? 64 : controller == 43 ? 127 : 0
  }

  private mutating func add(
    _ category: IgnoredMessages.Category, _ kind: String, _ track: Int32, _ frame: Int64,
    count: Int = 1
  ) {
    found[
      category.rawValue + kind,
      default: IgnoredMessages(
        category: category, kind: kind, count: 0, track: Int(track),
        seconds: Double(frame) / Double(timeline.sampleRate))
    ].count += count
  }
}
