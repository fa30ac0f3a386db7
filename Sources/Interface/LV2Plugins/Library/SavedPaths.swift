import CLV2
import Glibc
import LV2Atoms

/// The host's relation between paths and what it saves of them, with which a session can be moved.
///
/// Valid during the call that has received the features.
struct SavedPaths {
  private let map: LV2_State_Map_Path?
  private let free: LV2_State_Free_Path?

  /// - Parameter features: The features of a call of `save` or `restore`.
  init(_ features: UnsafePointer<UnsafePointer<LV2_Feature>?>?) {
    let data = HostFeatures.data(of: features)
    map = data[LV2URI.mapPath]?.assumingMemoryBound(to: LV2_State_Map_Path.self).pointee
    free = data[LV2URI.freePath]?.assumingMemoryBound(to: LV2_State_Free_Path.self).pointee
  }

  /// Returns what the host saves for a path; `nil` if it does not map paths.
  func saved(_ path: String) -> String? { take(map?.abstract_path?(map?.handle, path)) }

  /// Returns the path of what the host has saved; `nil` if it does not map paths.
  func path(_ saved: String) -> String? { take(map?.absolute_path?(map?.handle, saved)) }

  /// Copies a string of the host and frees it.
  private func take(_ text: UnsafeMutablePointer<CChar>??) -> String? {
    guard let text = text ?? nil else { return nil }
    defer {
      if let free, let release = free.free_path {
        release(free.handle, text)
      } else {
        Glibc.free(text)
      }
    }
    return String(cString: text)
  }
}
