import Configuration
import LivePlayer
import NodeProtocol

/// The table of `portative list --status`: one row for each port, within 100 columns unless names are long.
enum StatusTable {
  private static let head = ["PORT", "NODE", "PLAYED BY", "RATE", "LOAD", "PLAYED"]

  /// Returns the table, followed by a line for each host that states its round trips, and for each node whose ports sound
  /// on a device while no host uses them.
  static func text(_ reports: [NodeReport]) -> OutputText {
    if reports.isEmpty { return "No node is running: start one, such as portative serve.\n" }
    let sounds = reports.compactMap { report -> OutputText? in
      report.sound.map { "\(report.node.name) sounds on \($0)\n" }
    }
    let songs = reports.compactMap { report -> OutputText? in
      report.song.map { "\(report.node.name) plays \($0.text)\n" }
    }
    let roundTrips = reports.flatMap(\.ports).flatMap { port -> [OutputText] in
      (port.roundTrips ?? []).map { text($0, of: port.port.name) }
    }
    return "\(Columns.table(head, reports.flatMap(rows)))\((roundTrips + sounds + songs).joined())"
  }

  private static func text(_ roundTrips: PortReport.RoundTrips, of port: String) -> OutputText {
    func text(_ microseconds: Double) -> String {
      decimal(microseconds, digits: microseconds < 100 ? 1 : 0)
    }
    let host = "\(roundTrips.host.name) (\(roundTrips.host.processID))"
    let times = "\(text(roundTrips.median)) us, longest \(text(roundTrips.longest)) us"
    return "\(port): round trip of \(host) \(times)\n"
  }

  static func rows(_ report: NodeReport) -> [[String]] {
    let node = "\(report.node.name) (\(report.node.processID))"
    if report.ports.isEmpty { return [["no port yet", node, "-", "-", "-", "-"]] }
    return report.ports.map { port in
      return [port.port.name, node, players(port)] + cells(port)
    }
  }

  private static func players(_ port: PortReport) -> String {
    let host = port.host.map { "\($0.name) (\($0.processID))" }
    let others = port.hostCount.map { counted($0 - 1, "other host") }
    let players = [host, others].compactMap(\.self) + port.players
    return players.isEmpty ? "-" : players.joined(separator: ", ")
  }

  private static func cells(_ port: PortReport) -> [String] {
    guard let rendering = port.rendering else { return ["-", "-", "-"] }
    let load = "\(decimal(rendering.load * 100, digits: rendering.load < 0.1 ? 1 : 0)) %"
    // A song that is rendered offline has no position that a user could hear.
    let song = rendering.isOffline ? "" : port.song.map { ", \(text($0))" } ?? ""
    return ["\(rendering.sampleRate)", load, played(rendering) + song]
  }

  /// Returns the position of the host's song, such as `beat 12.5`.
  private static func text(_ song: HostSong) -> String {
    let beat = "beat \(decimal(song.beat, digits: 1))"
    return song.isRecording ? "\(beat), recorded" : song.isPlaying ? beat : "\(beat), stopped"
  }

  /// Returns what was played, and the problems.
  private static func played(_ rendering: PortReport.Rendering) -> String {
    var parts = [NoteFigures(rendering.unit)?.text ?? counted(rendering.cycles, "cycle")]
    let problems = [
      (rendering.lateCycles ?? 0, "late cycle"),
      (rendering.malformedEvents, "malformed event"), (rendering.lateEvents, "late event"),
      (rendering.droppedEvents, "dropped event"), (rendering.invalidSamples ?? 0, "invalid sample"),
      (rendering.invalidInputSamples ?? 0, "invalid input sample"),
    ]
    parts += problems.filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
    if rendering.isOffline { parts.append("offline") }
    return parts.joined(separator: ", ")
  }
}

extension NodeReport.Song {
  /// The name and the position, such as `'Waltz' 0:12 of 3:05`.
  var text: String {
    if length == 0 { return "'\(name)'" }
    let place =
      position < 0 ? "count-in" : "\(clockText(position)) of \(clockText(length))"
    return "'\(name)' \(place)\(isPlaying ? "" : ", stopped")"
  }
}
