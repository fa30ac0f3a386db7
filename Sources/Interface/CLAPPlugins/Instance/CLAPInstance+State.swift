import CCLAP
import PluginBundles
import LocalSystem
import FoundationEssentials
import NodeProtocol
import PluginCore
import RenderCore

/// What a session contains of an instance.
private struct SessionState: Codable {
  var version = currentVersion
  /// The state of the unit, as it is saved in other kinds of plugins; `nil` if there was never a unit.
  var unit: String?
  /// The files that were chosen without a unit, by their identifiers.
  var files: [String: String]?
  /// The values of the parameters, by their identifiers.
  var values: [String: Float]
  var isBypassed: Bool

  static let currentVersion = 1
  /// A limit for what a host returns, which is more than any state has.
  static let longest = 64 << 20
}

extension CLAPInstance {
  /// Writes what ``load(_:)`` needs. Waits for the unit for up to 5 s, or longer if it reads its SoundFont.
  ///
  /// - Returns: `false` if the stream failed.
  func save(_ stream: UnsafePointer<clap_ostream>) -> Bool {
    let unit = worker?.savedText() ?? store.text
    var controls: [String: Float] = [:]
    for (index, parameter) in plugin.description.parameters.parameters.enumerated() {
      controls[parameter.identifier] = values[index]
    }
    let state = SessionState(
      unit: unit, files: unit == nil ? store.files.mapValues(\.path) : nil, values: controls,
      isBypassed: signals.isBypassed.value != 0)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(state) else { return false }
    return data.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        guard let write = stream.pointee.write else { return false }
        let count = write(stream, bytes.baseAddress! + done, UInt64(bytes.count - done))
        if count <= 0 || count > bytes.count - done { return false }
        done += Int(count)
      }
      return true
    }
  }

  /// Restores a state. One that cannot be read changes nothing.
  ///
  /// - Returns: `false` if it cannot be read.
  func load(_ stream: UnsafePointer<clap_istream>) -> Bool {
    guard let data = Self.read(stream),
      let state = try? JSONDecoder().decode(SessionState.self, from: data),
      state.version == SessionState.currentVersion,
      state.unit.map({ SavedState.isReadable($0) }) ?? true,
      state.values.values.allSatisfy(\.isFinite)
    else { return false }
    if let unit = state.unit {
      if let worker { worker.restore(unit) } else { try? store.restore(unit) }
    }
    for (identifier, path) in state.files ?? [:] { choose(identifier, path) }
    for (index, parameter) in plugin.description.parameters.parameters.enumerated() {
      guard let saved = state.values[parameter.identifier],
        let value = values.allowed(index, Double(saved))
      else { continue }
      values.want(index, value)
    }
    signals.isBypassed.store(state.isBypassed ? 1 : 0)
    rescanValues()
    requestFlush()
    return true
  }

  /// Plays another file.
  func choose(_ identifier: String, _ path: String) {
    if let worker {
      worker.chooseFile(identifier, path)
    } else {
      store.setFile(identifier, to: FileReference(path: path))
    }
  }

  private static func read(_ stream: UnsafePointer<clap_istream>) -> Data? {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while let read = stream.pointee.read {
      let count = read(stream, &buffer, UInt64(buffer.count))
      if count < 0 || count > buffer.count || data.count > SessionState.longest { return nil }
      if count == 0 { return data }
      data.append(contentsOf: buffer[..<Int(count)])
    }
    return nil
  }
}
