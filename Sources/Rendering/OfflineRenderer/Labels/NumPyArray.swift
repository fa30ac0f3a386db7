/// An array in NumPy's file format.
///
/// Source: NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays", version 1.0.
struct NumPyArray {
  private let type: String
  /// `nil` for a single value.
  private var count: Int?
  private var data: [UInt8] = []

  /// Creates an empty structured array.
  ///
  /// - Parameter fields: The names and types of its fields, without padding.
  init(fields: [(name: String, type: String)]) {
    type = "[" + fields.map { "('\($0.name)', '\($0.type)')" }.joined(separator: ", ") + "]"
    count = 0
  }

  /// Creates an array without dimensions.
  init(_ value: Int) {
    type = "'<i8'"
    add(Int64(value))
  }

  /// Creates an array of ASCII texts.
  init(_ texts: [String]) {
    let length = texts.map(\.utf8.count).max() ?? 1
    type = "'<U\(length)'"
    count = texts.count
    for text in texts {
      for scalar in text.unicodeScalars { add(scalar.value) }
      for _ in text.unicodeScalars.count..<length { add(UInt32(0)) }
    }
  }

  /// Adds a value to the present row.
  mutating func add(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
  }

  mutating func endRow() { count = (count ?? 0) + 1 }

  var bytes: [UInt8] {
    let shape = count.map { "(\($0),)" } ?? "()"
    var header = "{'descr': \(type), 'fortran_order': False, 'shape': \(shape), }"
    // The data begins at a multiple of 64 bytes, after 10 bytes and a header that ends with a line feed.
    header += String(repeating: " ", count: (64 - (header.utf8.count + 11) % 64) % 64) + "\n"
    let length = UInt16(header.utf8.count)
    return [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)]
      + Array(header.utf8) + data
  }
}
