package import LocalSystem
import Synchronization

/// Stores the connections that the user has made in JACK's graph, across restarts of servers.
///
/// The file is `portative/jack.json` in `$XDG_STATE_HOME` (default: `~/.local/state`).
///
/// Realtime: no. Threads: any.
package final class JACKConnectionStore: Sendable {
  private let file: StoredFile<StoredClients>?
  private let log: @Sendable (String) -> Void
  private let lastError = Mutex<StoredFileError?>(nil)

  /// The greatest number of clients. Those that were changed least recently are forgotten.
  static let maximumCount = 1024

  /// - Parameter log: Receives messages for the user.
  package init(_ environment: ProcessEnvironment, log: @escaping @Sendable (String) -> Void) {
    file = environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      StoredFile(path: "\($0)/portative/jack.json")
    }
    self.log = log
  }

  /// Returns the connections of a client; `nil` if the user has never changed them.
  func connections(of client: String) -> Set<JACKConnection>? {
    attempt { file throws(StoredFileError) in
      try file.read().clients.first { $0.name == client }.map { Set($0.connections) }
    } ?? nil
  }

  /// Replaces the connections of a client.
  func set(_ connections: Set<JACKConnection>, of client: String) {
    let connections = connections.sorted { $0.text < $1.text }
    // Twice, because the first attempt may find that the file is unusable, and set it aside.
    for _ in 1...2 {
      let content = attempt { file throws(StoredFileError) in
        try file.update { content in
          content.clients.removeAll { $0.name == client }
          content.clients.append(StoredClient(name: client, connections: connections))
          content.clients = Array(content.clients.suffix(Self.maximumCount))
          return true
        }
      }
      if content != nil { return }
    }
  }

  /// Reads or updates the file. Logs an error unless it is the same as the last one.
  private func attempt<Result>(
    _ action: (StoredFile<StoredClients>) throws(StoredFileError) -> Result
  ) -> Result? {
    do throws(StoredFileError) {
      guard let file else { throw .noHome }
      let result = try action(file)
      lastError.withLock { $0 = nil }
      return result
    } catch {
      let isNew = lastError.withLock { last in
        defer { last = error }
        return last != error
      }
      if isNew { log(error.message(about: "connections")) }
      return nil
    }
  }
}

/// A connection between a port of a client and one of another client.
struct JACKConnection: Codable, Hashable, Sendable {
  /// The client's port without the name of the client, such as `out_left`.
  var port: String
  /// The whole name of the other port.
  var other: String

  var text: String { "\(port) \(other)" }
  /// Whether the client's port is an output.
  var isFromOutput: Bool { !JACKPorts.inputNames.contains(port) }
}

struct StoredClients: StoredContent {
  static let currentVersion = 1
  var version = currentVersion
  var clients: [StoredClient] = []
}

struct StoredClient: Codable, Equatable, Sendable {
  var name: String
  var connections: [JACKConnection]
}
