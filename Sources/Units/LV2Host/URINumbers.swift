import CLV2
import CLilv
import Glibc
import Synchronization

/// The numbers of URIs, the same for all plugins of the process: LV2's URID extension.
///
/// Threads: any. Realtime: no; plugins map URIs when they are made.
enum URINumbers {
  private struct Table: @unchecked Sendable {
    var numbers: [String: LV2_URID] = [:]
    /// The texts that plugins have received, which are never freed.
    var uris: [UnsafePointer<CChar>] = []
  }

  private static let table = Mutex(Table())

  /// Returns the number of a URI: 1 or more.
  static func number(of uri: String) -> LV2_URID {
    table.withLock { table in
      if let number = table.numbers[uri] { return number }
      if let copy = strdup(uri) { table.uris.append(UnsafePointer(copy)) }
      let number = LV2_URID(table.uris.count)
      table.numbers[uri] = number
      return number
    }
  }

  /// Returns the URI of a number, valid for ever; `nil` for one that no URI has.
  static func uri(_ number: LV2_URID) -> UnsafePointer<CChar>? {
    table.withLock { table in
      let index = Int(number) - 1
      return table.uris.indices.contains(index) ? table.uris[index] : nil
    }
  }

  /// Returns the structures through which plugins ask.
  static var map: LV2_URID_Map {
    LV2_URID_Map(handle: nil) { _, uri in
      uri.map { URINumbers.number(of: String(cString: $0)) } ?? 0
    }
  }
  static var unmap: LV2_URID_Unmap {
    LV2_URID_Unmap(handle: nil) { _, number in URINumbers.uri(number) }
  }
}
