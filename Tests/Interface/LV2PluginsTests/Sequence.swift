import CLV2
import LV2Atoms
import Synchronization

@testable import LV2Plugins

private let numbers = Mutex<[String: LV2_URID]>([:])

/// Returns the number of a URI: the count of those that were asked for before, and 1.
func mappedURI(_ uri: String) -> LV2_URID {
  numbers.withLock { numbers in
    if let number = numbers[uri] { return number }
    let number = LV2_URID(numbers.count + 1)
    numbers[uri] = number
    return number
  }
}

let types = AtomTypes(mappedURI)

/// The bytes of atoms, as a host writes them.
struct AtomBytes {
  var bytes: [UInt8] = []

  mutating func append<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func append(atom type: LV2_URID, _ body: [UInt8], size: Int? = nil) {
    append(UInt32(size ?? body.count))
    append(type)
    bytes += body
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// Appends an event of a sequence.
  mutating func append(at frame: Int64, _ type: LV2_URID, _ body: [UInt8], size: Int? = nil) {
    append(frame)
    append(atom: type, body, size: size)
  }

  /// A sequence of the events, in memory that is aligned to `offset` bytes after a multiple of eight.
  func sequence(misalignedBy offset: Int = 0) -> UnsafeMutableRawPointer {
    let memory =
      UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 24, alignment: 8) + offset
    memory.storeBytes(of: UInt32(bytes.count + 8), as: UInt32.self)
    memory.storeBytes(of: types.sequence, toByteOffset: 4, as: UInt32.self)
    memory.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
    (memory + 16).copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }
}

/// The body of a `time:Position` object with these properties.
func position(_ properties: [(key: LV2_URID, value: Double)]) -> [UInt8] {
  var body = AtomBytes()
  body.append(UInt32(0))
  body.append(types.position)
  for property in properties {
    body.append(property.key)
    body.append(UInt32(0))
    var number = AtomBytes()
    number.append(property.value)
    body.append(atom: types.double, number.bytes)
  }
  return body.bytes
}
