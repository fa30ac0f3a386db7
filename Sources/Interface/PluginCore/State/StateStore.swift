import NodeProtocol
package import RenderCore
import Synchronization

/// The state of an instance that a host would save while no unit can be asked, and that a new unit receives.
package final class StateStore: Sendable {
  package init() {}

  private struct Content {
    /// The string that the host has restored or that was saved last.
    var text: String?
    /// The same, if it could be read.
    var state: SavedState?
    /// The files that the user has chosen while there was no state.
    var files: [String: FileReference] = [:]
    /// Whether the string must not be replaced by the unit's state.
    var isKept = false
  }

  private let content = Mutex(Content())

  /// The state for a unit; `nil` for the unit's own.
  var state: SavedState? { content.withLock { $0.state } }

  /// The state that the host saves; `nil` for none. A string that this version cannot read is kept unchanged.
  package var text: String? { content.withLock { $0.text } }

  /// Stores the unit's state, unless another one is kept.
  func set(_ state: SavedState) {
    let text = state.text
    content.withLock { if !$0.isKept { $0 = Content(text: text, state: state) } }
  }

  /// Keeps the string that the host has restored, because the unit does not accept it.
  func keep() {
    content.withLock {
      $0.state = nil
      $0.isKept = true
    }
  }

  /// The files of the state, or those that the user has chosen before there was one, by their identifiers.
  package var files: [String: FileReference] {
    content.withLock { $0.state == nil ? $0.files : $0.state?.unit.files ?? [:] }
  }

  /// Replaces a file, unless the state is kept.
  package func setFile(_ identifier: String, to file: FileReference) {
    content.withLock { content in
      if content.isKept { return }
      if var state = content.state {
        state.unit.files = (state.unit.files ?? [:]).merging([identifier: file]) { $1 }
        content = Content(text: state.text, state: state)
      } else {
        content.files[identifier] = file
      }
    }
  }

  /// Stores a string of the host.
  ///
  /// - Parameter paths: The paths of files that replace those of the state, by their identifiers.
  /// - Throws: ``SavedState/Flaw`` if it cannot be read. It is kept nevertheless.
  package func restore(_ text: String, paths: [String: String] = [:]) throws(SavedState.Flaw) {
    var state: SavedState
    do throws(SavedState.Flaw) {
      state = try SavedState(text)
    } catch {
      content.withLock { $0 = Content(text: text, state: nil, isKept: true) }
      throw error
    }
    for (identifier, path) in paths { state.unit.files?[identifier]?.path = path }
    content.withLock { $0 = Content(text: text, state: state) }
  }
}
