import NodeProtocol
import PortativeServer

/// What a page draws, besides what it requests. Sent at most 25 times per second, when it has changed.
struct PanelStatus: Notification {
  static let method = "panel.status"
  /// Increases when ports are published or withdrawn.
  var revision: Int
  var xruns: Int
  var sound: String?
  var scene: Scene?
  var ports: [Port]
  /// New lines of the log.
  var log: [String]

  struct Scene: Codable, Equatable {
    var name: String?
    var place: Int?
    var count: Int
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
    self.init(name: scene.name, place: scene.place, count: scene.count)
  }
}
