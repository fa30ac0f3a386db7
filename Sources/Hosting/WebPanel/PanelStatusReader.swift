import LiveAudio
import LiveMIDI
import LocalSystem
import NodeProtocol
import PortativeServer

/// Reads for a page what has changed in a server.
///
/// Threads: that of the web server.
final class PanelStatusReader {
  private let server: PortativeServer
  private let host: any PanelHost
  private let reader: ServerStatusReader
  private var strikes: [String: [UInt8: UInt16]] = [:]
  private var last: PanelStatus?
  private var nextLine = 0
  private var ports: [ObjectIdentifier] = []
  private var revision = 0

  init(_ server: PortativeServer, _ host: any PanelHost) {
    (self.server, self.host) = (server, host)
    reader = ServerStatusReader(server)
  }

  /// Returns the status; `nil` if it has not changed since the last call.
  func next() -> PanelStatus? {
    let (allLines, next) = host.logLines(from: nextLine)
    nextLine = next
    let lines = Self.limited(allLines)
    let status = reader.read()
    let keys = server.playedKeys
    let ports = server.publishedPorts.map { ObjectIdentifier($0) }
    if ports != self.ports {
      self.ports = ports
      revision += 1
    }
    var result = PanelStatus(
      revision: revision, xruns: status.xruns, sound: status.sound,
      silence: server.soundSilence, transposition: status.transposition,
      scene: status.scene.map { .init($0) },
      recording: .init(server.recordingStatus),
      ports: status.ports.map { port in
        PanelStatus.Port(
          name: port.name, preset: port.preset, voices: port.voices, mostVoices: port.mostVoices,
          // So that a decay below what is drawn does not count as a change.
          peaks: port.peaks.map { [Self.rounded($0.left), Self.rounded($0.right)] },
          keys: shown(keys[port.name] ?? [], of: port.name), players: port.players,
          host: port.host)
      }, log: [])
    if result == last, lines.isEmpty { return nil }
    last = result
    result.log = lines
    return result
  }

  /// The most bytes of log in a message. Far below what may wait for a page, so that no page is closed because a log grows.
  private static let logLimit = 65_536

  /// Returns the last lines that fit into a message.
  private static func limited(_ lines: [String]) -> [String] {
    var room = logLimit
    let last = lines.reversed().prefix { line in
      room -= line.utf8.count
      return room >= 0
    }
    return last.count == lines.count
      ? lines : ["(\(lines.count - last.count) lines left out)"] + last.reversed()
  }

  fileprivate static func rounded(_ peak: Float) -> Float {
    peak.isFinite ? (min(peak, 100) * 10_000).rounded(.down) / 10_000 : 0
  }

  /// Returns the keys that are held, or were struck since the last call.
  private func shown(_ keys: [PlayedKey], of port: String) -> [UInt8] {
    let earlier = strikes[port] ?? [:]
    strikes[port] = Dictionary(keys.map { ($0.key, $0.strikes) }) { $1 }
    // At first, what has ended is not shown.
    if last == nil { return keys.filter(\.isHeld).map(\.key) }
    return keys.filter { $0.isHeld || earlier[$0.key, default: 0] != $0.strikes }.map(\.key)
  }
}

/// The data that a page draws, besides the responses to its requests. Sent at most 25 times per second, when it has changed.
struct PanelStatus: Notification {
  static let method = "panel.status"
  /// Increases when ports are published or withdrawn.
  var revision: Int
  var xruns: Int
  var sound: String?
  /// Why there is no sound; `nil` while the device plays or can be opened.
  var silence: SoundSilence?
  /// The transposition of all ports, by the scene and the player, in semitones.
  var transposition: Int
  var scene: Scene?
  var recording: Recording
  var ports: [Port]
  /// New lines of the log.
  var log: [String]

  struct Scene: Codable, Equatable {
    var name: String?
    var place: Int?
    var count: Int
    /// The next scene of the set list that can be played; `nil` at its end.
    var next: String?
    /// What the player wants to read.
    var text: String?
  }

  /// The recording of what is heard.
  struct Recording: Codable, Equatable {
    var isOn: Bool
    /// The name of the audio file, how many seconds it has and its greatest sample; `nil` until something was heard.
    var file: String?
    var seconds: Double?
    var peak: Float?
    /// Why the last one ended early.
    var failure: String?
  }

  struct Port: Codable, Equatable {
    var name: String
    var preset: String?
    var voices: Int?
    var mostVoices: Int?
    /// The peaks of the left and right channels since the last message; 1 is full scale.
    var peaks: [Float]?
    /// The keys that are held, or were struck since the last message.
    var keys: [UInt8]
    var players: [String]
    var host: String?
  }
}

extension PanelStatus.Scene {
  init(_ scene: ServerStatus.Scene) {
    self.init(
      name: scene.name, place: scene.place, count: scene.count, next: scene.next, text: scene.text)
  }
}

extension PanelStatus.Recording {
  init(_ status: RecordingStatus) {
    let progress = status.progress
    self.init(
      isOn: status.isOn, file: progress.map { String($0.path.folderAndName.name) },
      // Tenths, so that the status does not change with each cycle.
      seconds: progress.map { ($0.seconds * 10).rounded(.down) / 10 },
      peak: progress.map { PanelStatusReader.rounded($0.peak) }, failure: status.failure)
  }
}
