import BatchRenderer
import Configuration
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import RenderCore

/// Renders a take through its ports, with the settings with which it was played, and their sum.
struct TakeRendering {
  /// The longest silence in seconds that is rendered before the first note. A day of silence takes minutes.
  private static let longestSilence = 600.0

  private let take: NodeTake
  private let song: StandardMIDIFile
  /// The units of the take in the order in which they were mixed.
  private let chains: [PlayOptions.Chain]

  /// Reads the settings of the ports.
  ///
  /// - Parameters:
  ///   - take: With the silence before its first note, effects sound as they were heard.
  ///   - node: The node that made the take.
  init(_ take: NodeTake, ofNode node: String, _ host: AudioHost) throws {
    self.take = take
    let song = try StandardMIDIFile(decoding: take.file)
    self.song = song
    let components = ComponentRegistry().components().filter { $0.node == node }
    // The first track of the file has no events.
    let played = zip(song.tracks.indices.dropFirst(), take.properties.ports)
    chains = try played.sorted { ($0.1.unit ?? 0) < ($1.1.unit ?? 0) }.map { track, port in
      guard let component = components.first(where: { $0.port.name == port.name }) else {
        throw Failure(
          .failed, "\(port.name) is no longer published, so its sound is not known")
      }
      return try Self.chain(port, track, of: song, component, host)
    }
  }

  /// Requests a take to be rendered: with the silence before its first note, so that effects sound as they were heard, if
  /// that is not too long.
  static func request(
    ofNode node: String, component: ComponentDescription?, seconds: Double? = nil, _ host: AudioHost
  ) throws -> NodeTake {
    let take = try host.take(
      ofNode: node, component: component, seconds: seconds, keepsSilence: true)
    let silence = Double(take.properties.firstNote) / Double(max(1, take.properties.sampleRate))
    if silence <= longestSilence { return take }
    return try host.take(ofNode: node, component: component, seconds: seconds)
  }

  private static func chain(
    _ port: TakeProperties.PlayedPort, _ track: Int, of song: StandardMIDIFile,
    _ component: Component, _ host: AudioHost
  ) throws -> PlayOptions.Chain {
    var chain = PlayOptions.Chain(
      instrument: .port(named: "\(component.node)/\(port.name)"))
    var part = ChainPart(track: track)
    if let sound = port.sound {
      guard let unit = port.unit else {
        throw Failure(
          .failed,
          "\(component.node) has an earlier version, which does not tell how \(port.name), \(sound) sounds: "
            + "restart it")
      }
      (part.left, part.right) = (port.left ?? 1, port.right ?? 1)
      chain.take = TakePart(unit: unit, part: part)
    } else {
      chain.settings = try PlayedSettings(component, host, song.tracks[track]).assignments
      chain.take = TakePart(unit: nil, part: part)
    }
    return chain
  }

  /// Returns the options of `portative play`, without the MIDI file.
  ///
  /// - Parameter part: The seconds after the first note at which the file begins and ends; `nil` at the end: when the sound
  ///   ends.
  func arguments(part: (from: Double, to: Double?) = (0, nil), to audio: String) -> [String] {
    let ports = chains.flatMap { chain in
      chain.instrument.arguments
        + chain.settings.flatMap { ["--set", "\($0.name)=\($0.value)"] }
    }
    let rate = take.properties.sampleRate
    let first = Double(take.properties.firstNote) / Double(rate)
    var range: [String] = []
    // A millionth of a second is less than half a frame.
    let from = max(0, first + part.from)
    if from > 0 { range += ["--from", decimal(from, digits: 6)] }
    if let to = part.to {
      range += ["--to", decimal(max(0, first + to), digits: 6), "--tail", "exact"]
    }
    return ports + ["--rate", "\(rate)"] + range + Self.format(of: audio) + ["--output", audio]
  }

  /// Renders the take.
  ///
  /// - Parameters:
  ///   - part: As for ``arguments(part:to:)``.
  ///   - input: The name of the take in messages.
  func render(
    part: (from: Double, to: Double?) = (0, nil), to audio: String, input: String, isQuiet: Bool
  ) throws {
    let arguments = arguments(part: part, to: audio) + [input] + (isQuiet ? ["--quiet"] : [])
    var options = try PlayOptions(arguments: arguments)
    options.chains = chains
    var playback = try SongPlayback(options, song: song, with: PlayedSoundFonts())
    try playback.run()
  }

  /// The options with which a file has the bits that were heard, if its format can have them.
  private static func format(of path: String) -> [String] {
    switch path.split(separator: ".").last?.lowercased() {
    case "wav", "w64", "rf64", "aiff", "au", "raw": ["--bits", "32f"]
    case "flac": ["--bits", "24"]
    default: []
    }
  }
}

/// The music that a unit has played in a take.
struct TakePart: Equatable {
  /// The number of the unit, if it has played zones; `nil`: the port's own instrument.
  var unit: Int?
  var part: ChainPart
}

/// The settings with which keyboards play a port, as far as they differ from those of a host that renders offline.
struct PlayedSettings {
  private(set) var assignments: [Assignment] = []

  /// Acquires the port for a moment, which does not interrupt what keyboards play.
  ///
  /// - Parameter track: What was played. A program that it selects on the first channel is not a setting.
  init(_ component: Component, _ host: AudioHost, _ track: StandardMIDIFile.Track) throws {
    let control = try host.control(of: component)
    let (values, files) = try (control.values(), control.files())
    let fresh = try host.connect(to: component)
    defer { fresh.close() }
    let takesAudio = component.port.component.type.takesAudio
    try fresh.initialize(
      Format(sampleRate: 48_000, inputChannels: takesAudio ? 2 : 0, maximumFrames: 1024),
      mode: .offline)
    let freshFiles = try fresh.files()
    for (file, own) in zip(files, freshFiles) where file.file.path != own.file.path {
      assignments.append(Assignment(name: file.identifier, value: file.file.path))
    }
    let freshValues = try fresh.parameterValues()
    let parameters = control.parameters.parameters
    for (index, parameter) in parameters.enumerated() where index < freshValues.count {
      let isProgram = ["preset.bank", "preset.program"].contains(parameter.identifier)
      if values[index] == freshValues[index] || isProgram && track.selectsProgram { continue }
      let text = ParameterText(parameter: parameter).text(values[index])
      assignments.append(Assignment(name: parameter.identifier, value: text))
    }
  }
}

extension StandardMIDIFile.Track {
  /// Whether a program is selected on the first channel.
  fileprivate var selectsProgram: Bool {
    events.contains { event in
      guard case .channel(let message) = event.content else { return false }
      return message.kind == .programChange && message.channel == 0
    }
  }
}
