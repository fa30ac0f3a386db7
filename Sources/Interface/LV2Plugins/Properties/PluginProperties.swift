import CLV2
import PluginBundles
import Synchronization

/// The properties of an instance that its host can show and set: the port of a plugin without one of its own, and the
/// files of its unit.
///
/// Threads: any.
final class PluginProperties: Sendable {
  private let subjects: [LV2_URID: PluginProperty.Subject]
  private let state = Mutex(State())

  private struct State {
    /// The last value of each property.
    var values: [LV2_URID: String] = [:]
    /// The properties of which the host does not know the value yet.
    var unreported: Set<LV2_URID> = []
  }

  init(_ plugin: PluginDescription, _ number: (String) -> LV2_URID) {
    let subjects = plugin.properties.map { (number($0.uri), $0.subject) }
    self.subjects = Dictionary(subjects) { $1 }
  }

  subscript(key: LV2_URID) -> PluginProperty.Subject? { subjects[key] }

  /// The numbers of the properties that are files, by the files' identifiers.
  var fileKeys: [String: LV2_URID] {
    var keys: [String: LV2_URID] = [:]
    for case (let key, .file(let identifier)) in subjects { keys[identifier] = key }
    return keys
  }

  /// Sets the value of a property, to be reported to the host.
  func set(_ subject: PluginProperty.Subject, to value: String) {
    guard let key = subjects.first(where: { $0.value == subject })?.key else { return }
    state.withLock { state in
      if state.values.updateValue(value, forKey: key) != value { state.unreported.insert(key) }
    }
  }

  /// Reports all values once more, because the host has asked for them.
  func reportAll() { state.withLock { $0.unreported = Set($0.values.keys) } }

  /// Passes a value that the host does not know yet to `report`, which returns whether the host will know it.
  func report(_ report: (LV2_URID, PluginProperty.Subject, String) -> Bool) {
    state.withLock { state in
      guard let key = state.unreported.first, let subject = subjects[key],
        let value = state.values[key]
      else { return }
      if report(key, subject, value) { state.unreported.remove(key) }
    }
  }
}
