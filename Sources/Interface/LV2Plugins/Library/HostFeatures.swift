import CLV2
import LV2Atoms
import LocalSystem
import PluginCore
import Synchronization

/// The features that an LV2 host offers to an instance.
///
/// `@unchecked Sendable`: the host allows calls of the log and the map from any thread; ``close()`` ends them.
final class HostFeatures: @unchecked Sendable {
  let map: UnsafePointer<LV2_URID_Map>
  /// `nil` after ``close()``.
  private let log: Mutex<Log?>
  /// The length of the longest cycle in frames; `nil` if the host does not state it.
  let maximumFrames: Int?
  private let errorType: LV2_URID
  private let noteType: LV2_URID

  private enum Log: @unchecked Sendable {
    case host(UnsafePointer<LV2_Log_Log>)
    case standardError
  }

  /// - Returns: `nil` if the host does not map URIs, which the plugins require.
  init?(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    let data = Self.data(of: features)
    guard let map = data[LV2URI.map] else { return nil }
    self.map = UnsafePointer(map.assumingMemoryBound(to: LV2_URID_Map.self))
    let log = data[LV2URI.log].map { UnsafePointer($0.assumingMemoryBound(to: LV2_Log_Log.self)) }
    self.log = Mutex(log.map { .host($0) } ?? .standardError)
    errorType = self.map.pointee.map(self.map.pointee.handle, LV2URI.logError)
    noteType = self.map.pointee.map(self.map.pointee.handle, LV2URI.logNote)
    maximumFrames = Self.maximumFrames(
      data[LV2URI.options]?.assumingMemoryBound(to: LV2_Options_Option.self), self.map.pointee)
  }

  /// Returns the data of features by their URIs.
  static func data(
    of features: UnsafePointer<UnsafePointer<LV2_Feature>?>?
  ) -> [String: UnsafeMutableRawPointer] {
    var data: [String: UnsafeMutableRawPointer] = [:]
    var index = 0
    while let feature = features?[index] {
      if let uri = feature.pointee.URI { data[String(cString: uri)] = feature.pointee.data }
      index += 1
    }
    return data
  }

  private static func maximumFrames(
    _ options: UnsafePointer<LV2_Options_Option>?, _ map: LV2_URID_Map
  ) -> Int? {
    guard var option = options else { return nil }
    let key = map.map(map.handle, LV2URI.maximumFrames)
    while option.pointee.key != 0 {
      if option.pointee.key == key, option.pointee.size == 4, let value = option.pointee.value {
        return Int(value.loadUnaligned(as: Int32.self))
      }
      option += 1
    }
    return nil
  }

  /// Returns the host's number of a URI. Not after ``close()``.
  func number(of uri: String) -> LV2_URID { map.pointee.map(map.pointee.handle, uri) }

  /// Writes a line to the host's log, or to standard error. Does nothing after ``close()``.
  func write(_ line: String, isError: Bool = true) {
    let type = isError ? errorType : noteType
    let line = line.printable
    log.withLock { log in
      switch log {
      case .host(let log): clv2_log(log, type, line)
      case .standardError:
        writeToStandardError(line)
      case nil: break
      }
    }
  }

  /// Ends the use of the host's memory.
  func close() { log.withLock { $0 = nil } }
}
