package import NodeProtocol

/// The services of the program that a panel needs besides its server. Threads: any.
package protocol PanelHost: Sendable {
  /// The lines of the log from a number on, as far as they are kept, and the number of the next line.
  func logLines(from number: Int) -> (lines: [String], next: Int)

  /// Checks whether the machine is ready for playing. May take seconds.
  func findings() -> [PanelFinding]

  /// The keyboards and programs that can play ports; `nil` without a sequencer.
  func wiring() -> PanelWiring?

  /// Connects or disconnects a keyboard.
  ///
  /// - Parameters:
  ///   - keyboard: Its address, as in ``PanelWiring``.
  ///   - port: The name of the port.
  /// - Throws: An error whose description is a sentence for users.
  func connect(_ isConnected: Bool, _ keyboard: String, to port: String) throws

  /// Renders a part of what was played on a port to a new audio file. May take minutes.
  ///
  /// - Parameters:
  ///   - from: The beginning in seconds after the first note of the port; negative before it.
  ///   - to: The end; `nil`: that of the sound.
  ///   - path: The path of the file.
  /// - Throws: An error whose description is a sentence for users.
  func saveTake(
    of component: ComponentDescription, from: Double, to: Double?, in path: String) throws
}

/// The result of a check.
package struct PanelFinding: Codable, Equatable, Sendable {
  /// `good`, `warning` or `bad`.
  package var verdict: String
  package var subject: String
  package var message: String
  package var remedy: String?

  package init(verdict: String, subject: String, message: String, remedy: String?) {
    (self.verdict, self.subject) = (verdict, subject)
    (self.message, self.remedy) = (message, remedy)
  }
}

/// Which keyboards play which ports.
package struct PanelWiring: Codable, Equatable, Sendable {
  package var keyboards: [Keyboard]

  package init(keyboards: [Keyboard]) { self.keyboards = keyboards }

  package struct Keyboard: Codable, Equatable, Sendable {
    package var name: String
    /// In the sequencer.
    package var address: String
    /// The names of the ports that it plays.
    package var plays: [String]

    package init(name: String, address: String, plays: [String]) {
      (self.name, self.address, self.plays) = (name, address, plays)
    }
  }
}
