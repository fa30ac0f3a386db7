import LivePlayer
import MIDIFile
import NodeDirectory
import NodeHost
import NodeProtocol
import Options

/// Renders a take through its port, with the settings with which it was played.
struct TakeRendering {
  /// The options of `portative play` for the port.
  private let port: [String]

  /// Reads the settings of the port.
  init(_ take: NodeTake, _ component: Component, _ host: AudioHost) throws {
    let song = try StandardMIDIFile(decoding: take.file)
    port =
      ["--node", "\(component.node)/\(component.port.name)"]
      + ["--rate", "\(take.properties.sampleRate)"]
      + (try PlayedSettings(component, host, song).assignments.flatMap {
        ["--set", "\($0.name)=\($0.value)"]
      })
  }

  /// Returns the options of `portative play`, without the MIDI file.
  ///
  /// - Parameters:
  ///   - part: The seconds after the first note at which the file begins and ends; `nil` at the end: when the sound ends.
  func arguments(
    _ take: NodeTake, part: (from: Double, to: Double?) = (0, nil), to audio: String
  ) -> [String] {
    let first = Double(take.properties.firstNote) / Double(take.properties.sampleRate)
    var range: [String] = []
    // A millionth of a second is less than half a frame.
    let from = max(0, first + part.from)
    if from > 0 { range += ["--from", decimal(from, digits: 6)] }
    if let to = part.to {
      range += ["--to", decimal(max(0, first + to), digits: 6), "--tail", "exact"]
    }
    return port + range + Self.format(of: audio) + ["--output", audio]
  }

  /// Renders a take.
  ///
  /// - Parameters:
  ///   - take: With the silence before its first note, so that effects sound as they were heard.
  ///   - input: The name of the take in messages.
  func render(
    _ take: NodeTake, part: (from: Double, to: Double?) = (0, nil), to audio: String,
    input: String, isQuiet: Bool
  ) throws {
    let arguments = arguments(take, part: part, to: audio) + [input] + (isQuiet ? ["--quiet"] : [])
    try PlayCommand(
      PlayOptions(arguments: arguments), song: StandardMIDIFile(decoding: take.file)
    ).run()
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
