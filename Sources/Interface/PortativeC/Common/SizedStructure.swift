import CPortative

/// A C structure whose first field is its size. Programs may have been compiled with fewer or more fields.
protocol SizedStructure {
  /// Zeros.
  init()
  var size: UInt32 { get set }
}

extension portative_port: SizedStructure {}
extension portative_query: SizedStructure {}
extension portative_component: SizedStructure {}
extension portative_command: SizedStructure {}
extension portative_initialization: SizedStructure {}
extension portative_parameter: SizedStructure {}
extension portative_preset: SizedStructure {}

extension SizedStructure {
  /// Makes a structure of zeros with all fields.
  static func make() -> Self {
    var structure = Self()
    structure.size = UInt32(MemoryLayout<Self>.size)
    return structure
  }

  /// Copies a structure. The fields that the caller's structure does not have are zero.
  init(_ source: UnsafePointer<Self>) {
    self = Self.make()
    let count = Swift.min(Int(source.pointee.size), MemoryLayout<Self>.size)
    withUnsafeMutableBytes(of: &self) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: source, count: count))
    }
  }
}

/// Copies a structure to the caller's structure, which may have fewer fields, except for its size. Realtime: yes.
///
/// Not generic, because render threads cannot use unspecialized types.
///
/// - Parameter size: The size of the structure in bytes.
@_noLocks func copy(
  _ structure: UnsafeRawPointer, _ size: Int, to destination: UnsafeMutableRawPointer
) {
  let sizeField = MemoryLayout<UInt32>.size
  let count = min(Int(destination.load(as: UInt32.self)), size)
  if count <= sizeField { return }
  (destination + sizeField).copyMemory(
    from: structure + sizeField, byteCount: count - sizeField)
}
