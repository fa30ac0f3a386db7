import Configuration
import LocalSystem

/// Stores learned controls across restarts of a server.
///
/// The file is `portative/controls.json` in `$XDG_STATE_HOME` (default: `~/.local/state`). All servers of a user share
/// it; each has the controls with the name of its node.
struct ControlStore: Sendable {
  private let file: StoredFile<StoredControls>?
  private let node: String

  init(_ environment: ProcessEnvironment, node: String) {
    file = environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      StoredFile(path: "\($0)/portative/controls.json")
    }
    self.node = node
  }

  /// The greatest number of stored controls of all servers. Older ones are removed.
  private static let maximumCount = 1024

  /// Returns the stored controls.
  ///
  /// - Parameter report: Receives a sentence for each control that is invalid. The file keeps it.
  func read(_ report: (String) -> Void) throws(StoredFileError) -> [Control] {
    guard let file else { throw .noHome }
    return try file.read().controls.filter { $0.node == node }.compactMap { stored in
      do throws(SettingError) {
        return try Control(stored.control, ports: nil)
      } catch {
        let field = error.field.map { "\($0) " } ?? ""
        report("a control in '\(file.path)' is ignored: \(field)\(error.predicate)")
        return nil
      }
    }
  }

  /// Replaces the node's controls. Those of other nodes, and what ``read(_:)`` has ignored, remain.
  func write(_ controls: [Control]) throws(StoredFileError) {
    guard let file else { throw .noHome }
    func change(_ content: inout StoredControls) -> Bool {
      let others = content.controls.filter { stored in
        stored.node != node || (try? Control(stored.control, ports: nil)) == nil
      }
      let new = others + controls.map { StoredControl(node: node, control: $0.settings) }
      if new == content.controls { return false }
      content.controls = Array(new.suffix(Self.maximumCount))
      return true
    }
    do throws(StoredFileError) {
      try file.update(change)
    } catch {
      // The unusable file has been renamed.
      guard case .unusable(_, _, .some) = error else { throw error }
      try file.update(change)
    }
  }
}

/// The content of the file that stores learned controls.
struct StoredControls: StoredContent {
  static let currentVersion = 1
  var version = currentVersion
  var controls: [StoredControl] = []
}

struct StoredControl: Codable, Equatable, Sendable {
  var node: String
  var control: ControlSettings
}
