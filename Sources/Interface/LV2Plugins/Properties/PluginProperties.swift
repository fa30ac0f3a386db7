import CLV2
import LV2Atoms
import PluginBundles
import Synchronization

/// The values that an instance sends its host by messages: of the properties that the host shows and sets (the port of a
/// plugin without one of its own, and the files of its unit), and of parameters that other programs have changed.
///
/// Threads: any.
final class PluginProperties: Sendable {
  private let types: AtomTypes
  private let subjects: [LV2_URID: PluginProperty.Subject]
  private let parameterKeys: [LV2_URID]
  private let state = Mutex(State())

  private struct State {
    /// The last value of each property and parameter.
    var values: [LV2_URID: Value] = [:]
    /// Those of which the host does not know the value yet.
    var unreported: Set<LV2_URID> = []

    mutating func set(_ key: LV2_URID, to value: Value) {
      values[key] = value
      unreported.insert(key)
    }
  }

  /// An atom.
  private struct Value: Equatable {
    let type: LV2_URID
    let bytes: [UInt8]
  }

  init(_ plugin: PluginDescription, _ types: AtomTypes, _ number: (String) -> LV2_URID) {
    self.types = types
    let subjects = plugin.properties.map { (number($0.uri), $0.subject) }
    self.subjects = Dictionary(subjects) { $1 }
    parameterKeys = plugin.parameterURIs.map(number)
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
    let type = subject == .port ? types.string : types.path
    let value = Value(type: type, bytes: Array("\(value)\0".utf8))
    state.withLock { if $0.values[key] != value { $0.set(key, to: value) } }
  }

  /// Sets the values of parameters, in the order of the plugin's; `nil` for those to leave. Values that the host has are not
  /// reported: it may be changing them.
  func set(_ parameters: [(unit: Float, host: Float)?]) {
    state.withLock { state in
      for case (let key, let (unit, host)?) in zip(parameterKeys, parameters) {
        let value = Value(type: types.float, bytes: withUnsafeBytes(of: unit) { Array($0) })
        // A host that has been told another value may be about to set that.
        if unit == host, state.values[key] ?? value == value { continue }
        state.set(key, to: value)
      }
    }
  }

  /// Reports the values of all properties once more, because the host has asked for them. It knows those of parameters
  /// better: it may have changed them since.
  func reportAll() {
    state.withLock { state in
      state.unreported.formUnion(state.values.keys.filter { subjects[$0] != nil })
    }
  }

  /// Passes a value that the host does not know yet to the mailbox, if that has room.
  func report(to mailbox: PropertyMailbox) {
    state.withLock { state in
      guard let key = state.unreported.first, let value = state.values[key] else { return }
      let isPassed = value.bytes.withUnsafeBytes {
        mailbox.put(PropertyMailbox.Value(key: key, type: value.type, bytes: $0))
      }
      if isPassed { state.unreported.remove(key) }
    }
  }
}
