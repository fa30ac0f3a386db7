import CLV2
import PluginBundle
import Synchronization

/// The properties of an instance that its host can show and set: the port of a plugin without one of its own, and the
/// files of its unit.
///
/// Threads: any.
final class PluginProperties: Sendable {
  private let subjects: [LV2_URID: PluginProperty.Subject]
  /// The values that the host does not know yet, by property.
  private let unreported = Mutex<[LV2_URID: String]>([:])
  /// The last values.
  private let values = Mutex<[LV2_URID: String]>([:])

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
    let isNew = values.withLock { values in
      defer { values[key] = value }
      return values[key] != value
    }
    if isNew { unreported.withLock { $0[key] = value } }
  }

  /// Reports all values once more, because the host has asked for them.
  func reportAll() {
    let all = values.withLock { $0 }
    unreported.withLock { $0 = all }
  }

  /// Passes a value that the host does not know yet to `report`, which returns whether the host will know it.
  func report(_ report: (LV2_URID, PluginProperty.Subject, String) -> Bool) {
    unreported.withLock { unreported in
      guard let (key, value) = unreported.first, let subject = subjects[key] else { return }
      if report(key, subject, value) { unreported[key] = nil }
    }
  }
}
