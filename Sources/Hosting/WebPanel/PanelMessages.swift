import NodeProtocol

// The panel's own methods. All others are those of the control socket.

/// The first message of a page, within 5 s: the server proves that it is the one of the page's link.
struct GreetPanel: Request {
  static let method = "panel.hello"
  /// A number that the page uses once, with at least 128 random bits.
  var number: String
  /// The name of the page's key, if it was admitted before.
  var key: String?

  struct Response: Codable, Equatable, Sendable {
    /// A number that the server uses once.
    var number: String
    /// The code of the server: see ``PanelAccess``.
    var code: String
  }

  /// The shortest and longest number or name, in characters.
  static let lengths = 16...128
}

/// The second message of a page, within the same 5 s.
struct OpenPanel: Request {
  static let method = "panel.open"
  /// The code of the secret in the link, or of the page's key.
  var code: String?
  /// The code of the password.
  var password: String?

  struct Response: Codable, Equatable, Sendable {
    var node: String
    /// The version of the server's page; another one must be loaded again.
    var version: String
    /// The secret of the link, for a page that is loaded again while the server runs.
    var secret: String
    /// The key that admits this page when the server has been restarted. Not to be stored.
    var keyName: String
    var key: String
  }
}

/// Connects the page to a port as a player, instead of to another one; `nil`: to none.
struct PlayPort: Request {
  static let method = "panel.play"
  typealias Response = Done
  var component: ComponentDescription?
}

/// Plays a channel message on the port of ``PlayPort``.
struct PlayMIDI: Notification {
  static let method = "panel.midi"
  /// The status byte and one or two data bytes.
  var bytes: [UInt8]
}

/// Ends all that the page holds.
struct ReleaseKeys: Notification {
  static let method = "panel.release"
}

/// Whether the page receives ``PanelStatus``.
struct WatchPanel: Request {
  static let method = "panel.watch"
  typealias Response = Done
  var isOn: Bool
}

/// Checks the machine.
struct CheckMachine: Request {
  static let method = "panel.doctor"

  struct Response: Codable, Equatable, Sendable {
    var findings: [PanelFinding]
  }
}

struct GetWiring: Request {
  static let method = "panel.wiring"

  struct Response: Codable, Equatable, Sendable {
    /// `nil`: there is no sequencer.
    var wiring: PanelWiring?
  }
}

struct SetWiring: Request {
  static let method = "panel.wire"
  typealias Response = Done
  var keyboard: String
  var port: String
  var isConnected: Bool
}

/// Closes the sound device and opens it again.
struct RestartSound: Request {
  static let method = "panel.restartSound"
  typealias Response = Done
}

/// Renders a part of what was played on a port to an audio file, whose folder and name the server chooses.
struct SaveTake: Request {
  static let method = "panel.saveTake"
  var component: ComponentDescription
  /// The beginning in seconds after the first note of the port; negative before it.
  var from: Double
  /// The end; `nil`: that of the sound.
  var to: Double?

  struct Response: Codable, Equatable, Sendable {
    /// The path.
    var file: String
  }

  /// The longest time from the first note, in seconds: more than a server keeps.
  static let limit = 360_000.0
}
