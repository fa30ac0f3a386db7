import AudioFile
import Configuration
import LivePlayer
import LocalSystem
import MIDIFile
import NodeHost
import NodeProtocol
import RenderCore

/// The verb `take`: writes what keyboards have played to a MIDI file, and to an audio file.
struct TakeCommand {
  private let options: TakeOptions
  private let host = AudioHost(name: "portative take")

  /// - Parameter arguments: The arguments after `take`.
  static func run(_ arguments: [String]) throws -> ExitCode {
    let options = try TakeOptions(arguments: arguments)
    if options.wantsHelp { return try Command.write(Help.take) }
    try TakeCommand(options: options).run()
    return .done
  }

  /// A take, and the node that made it.
  private struct Found {
    let node: String
    let component: ComponentDescription?
    let take: NodeTake

    var seconds: Double {
      (try? StandardMIDIFile(decoding: take.file)
        .timeline(sampleRate: take.properties.sampleRate).seconds) ?? 0
    }
  }

  private init(options: TakeOptions) { self.options = options }

  private func run() throws {
    let path = options.output ?? freeName()
    try refuseExisting(path)
    if let audio = options.audio { try refuseExisting(audio) }
    let found = try find()
    let ports = found.take.properties.ports
    try write(found.take.file, to: path)
    if let audio = options.audio { try render(found, to: audio, path) }
    if options.isJSON {
      try Command.write(json(found, path))
      return
    }
    var text = summary(found, path)
    let hasZones = ports.contains { $0.sound != nil }
    if hasZones || ports.count > 1 {
      text.append("each \(hasZones ? "sound of the zones" : "port") has a track of its own")
      text.append(options.audio == nil ? "; --audio FILE renders them together\n" : "\n")
    } else if let port = ports.first {
      text.append(
        try command(found, port.name, path).map { "to render it: \($0)\n" }
          ?? "\(port.name) is no longer published, so its sound is not known\n")
    }
    if !options.isQuiet { try Command.write(text) }
  }

  // MARK: Finding

  /// Returns the take of the node that has one.
  private func find() throws -> Found {
    if let name = options.port {
      let component = try NodeFinder(for: .port).find(name)
      if !component.isRunning {
        throw Failure(
          .failed,
          "the node '\(component.node)' of \(component.port.name) is not running, so nothing was played"
        )
      }
      guard let take = try take(component.node, component.port.component) else {
        throw Self.recordsNothing(component.node)
      }
      if take.file.isEmpty { throw nothing(take.properties, component.port.name) }
      return Found(node: component.node, component: component.port.component, take: take)
    }
    var found: [Found] = []
    var problem: (any Error)?
    var properties: TakeProperties?
    let nodes = try RunningNodes.all()
    for node in nodes {
      do {
        guard let take = try take(node.name, nil) else { continue }
        if properties?.limit ?? 0 == 0 { properties = take.properties }
        if !take.file.isEmpty { found.append(Found(node: node.name, component: nil, take: take)) }
      } catch {
        problem = problem ?? error
      }
    }
    if found.count > 1 {
      let names = found.flatMap { found in
        found.take.properties.ports.map { "'\(found.node)/\($0.name)'" }
      }
      throw Failure.usage("several nodes were played: add \(alternatives(names))")
    }
    if let only = found.first { return only }
    if let problem { throw problem }
    if nodes.isEmpty {
      throw Failure(.failed, "no node is running: portative serve records what keyboards play")
    }
    guard let properties else { throw Self.recordsNothing(nodes[0].name) }
    throw nothing(properties, nil)
  }

  /// - Returns: `nil` if the node is none that records what keyboards play.
  private func take(_ node: String, _ component: ComponentDescription?) throws -> NodeTake? {
    do throws(ConnectionError) {
      return try host.take(
        ofNode: node, component: component, seconds: options.seconds,
        keepsSilence: options.keepsSilence)
    } catch {
      guard case .refused(let reason) = error, reason.code == .unknownMethod else { throw error }
      return nil
    }
  }

  private static func recordsNothing(_ node: String) -> Failure {
    Failure(
      .failed,
      "the node '\(node)' does not record what keyboards play, as portative serve does")
  }

  private func nothing(_ properties: TakeProperties, _ port: String?) -> Failure {
    let limit = properties.limit
    if limit == 0 {
      return Failure(
        .failed,
        "nothing is recorded: the node has no sound device (--audio none), or its configuration has "
          + "takes: { minutes: 0 }")
    }
    let place = port.map { " on \($0)" } ?? ""
    guard let seconds = options.seconds, seconds < limit else {
      return Failure(
        .failed,
        "nothing has been played\(place) yet, or not in the \(clockText(limit)) that the node keeps; what is played "
          + "through a host is the host's to record")
    }
    return Failure(.failed, "nothing has been played\(place) in the last \(clockText(seconds))")
  }

  // MARK: Writing

  private func freeName() -> String {
    var (name, number) = ("take.mid", 2)
    while exists(name) {
      name = "take \(number).mid"
      number += 1
    }
    return name
  }

  private func exists(_ path: String) -> Bool {
    (try? OutputFile.wouldReplace(path, rules: OutputRules())) ?? true
  }

  private func refuseExisting(_ path: String) throws(Failure) {
    if options.overwrites || !exists(path) { return }
    throw Failure(
      .outputNotWritten, "'\(path)' exists: choose another name, or replace it with --overwrite")
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try OutputFile(path: path)
    _ = bytes.withUnsafeBytes(file.write)
    try file.commit()
  }

  private func summary(_ found: Found, _ path: String) -> OutputText {
    let properties = found.take.properties
    var lines: [String] = []
    let ports = properties.ports.map { port in
      "\(port.sound.map { "\(port.name), \($0)" } ?? port.name): \(port.notes) \(port.notes == 1 ? "note" : "notes")"
    }
    lines.append("wrote \(path): \(ports.joined(separator: ", ")); \(clockText(found.seconds))")
    if properties.hasLosses {
      lines.append("some events are missing, because the machine was too slow")
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private func json(_ found: Found, _ path: String) throws -> OutputText {
    let properties = found.take.properties
    let ports = properties.ports
    let isAlone = ports.count == 1 && ports[0].sound == nil
    return JSONOutput.take.line(
      Entry(
        file: path, audio: options.audio, seconds: found.seconds,
        ports: ports.map { Entry.Port(name: $0.name, sound: $0.sound, notes: $0.notes) },
        hasLosses: properties.hasLosses,
        command: isAlone ? try command(found, ports[0].name, path) : nil))
  }

  private struct Entry: Encodable {
    let file: String
    let audio: String?
    let seconds: Double
    let ports: [Port]
    let hasLosses: Bool
    let command: String?

    struct Port: Encodable {
      let name: String
      let sound: String?
      let notes: Int
    }
  }

  // MARK: Rendering

  private func render(_ found: Found, to audio: String, _ path: String) throws {
    let take =
      options.keepsSilence
      ? found.take
      : try TakeRendering.request(
        ofNode: found.node, component: found.component, seconds: options.seconds, host)
    try TakeRendering(take, ofNode: found.node, host)
      .render(to: audio, input: path, isQuiet: options.isQuiet || options.isJSON)
  }

  /// Returns the command that renders the take of one instrument; `nil` if the instrument is no longer published.
  private func command(_ found: Found, _ port: String, _ path: String) throws -> String? {
    let isPublished = ComponentRegistry().components().contains { component in
      component.node == found.node && component.port.name == port
    }
    if !isPublished { return nil }
    let rendering = try TakeRendering(found.take, ofNode: found.node, host)
    let words = rendering.arguments(to: options.audio ?? "take.wav") + [path]
    return "portative play \(words.map(Shell.word).joined(separator: " "))"
  }
}

extension Help {
  static let take = HelpText(
    usage: [
      "portative take [OPTIONS] [DURATION] [PORT]"
    ],
    description: """
      Writes what keyboards have played on the sound device of portative serve to a
      MIDI file, each event on its frame: the last half hour, or as much as "takes" in
      the configuration says, or the last DURATION: 90, 90s, 5m, 1h or 1:30. The file
      begins with the first note: silence before it is left out. It has a track for
      each port that was played, or only that of PORT. What hosts play or keyboards
      play through a host is not recorded.

      The settings in force before the file begins are at its beginning, also if the
      messages that made them are no longer kept. Notes that began before are left
      out, and notes that are still held end with the file. If the device was closed
      and opened again in between, the file has all of it, in the time that passed.

      --audio renders it with the settings that were changed with portative set: each
      port and each sound of zones, at its level and place. The result has the bits
      that were heard, as long as the ports are played by keyboards only and nothing
      before the take still sounds. For a single instrument, take also shows the
      command that renders the file. Reverb and chorus depend on the time since the
      instrument began to render, so --audio takes it into account; with the command,
      use --keep-silence.
      """,
    options: TakeOptions.table.entries,
    remarks: """
      Without PORT, one node only may have been played.
      """,
    exitCodes: ExitStatus.of(0, 1, 2, 4, 5),
    examples: """
      portative take
      portative take 5m -o idea.mid --audio idea.wav
      portative take 1:30 "General MIDI"
      """)
}
