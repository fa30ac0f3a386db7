import CPortative
import LocalSystem

/// A `portative_data`.
final class DataHandle {
  var bytes: [UInt8] = []
}

@_cdecl("portative_data_append")
public func portative_data_append(
  _ data: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int
) {
  data.object(DataHandle.self).bytes += UnsafeRawBufferPointer(start: bytes, count: count)
}
