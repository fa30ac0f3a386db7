import Glibc

/// Strings and arrays for C, which exist as long as this object.
///
/// `@unchecked Sendable`: the memory is not changed after it was made, and only one thread at a time makes it.
final class CMemory: @unchecked Sendable {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { free(block) } }

  func string(_ text: String) -> UnsafePointer<CChar> {
    let copy = strdup(text)!
    blocks.append(copy)
    return UnsafePointer(copy)
  }

  func string(orNil text: String?) -> UnsafePointer<CChar>? { text.map { string($0) } }

  /// - Returns: `nil` for an empty array.
  func array<Element>(_ elements: [Element]) -> UnsafePointer<Element>? {
    if elements.isEmpty { return nil }
    let memory = malloc(elements.count * MemoryLayout<Element>.stride)!
    blocks.append(memory)
    let copy = memory.bindMemory(to: Element.self, capacity: elements.count)
    copy.initialize(from: elements, count: elements.count)
    return UnsafePointer(copy)
  }

  func strings(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?>? {
    array(texts.map { string($0) })
  }
}

/// Structures of which a C program gets one at a time, such as a `portative_files`.
///
/// `@unchecked Sendable`: the structures are not changed after they were made.
final class CList<Structure>: @unchecked Sendable {
  private let memory: CMemory
  private let structures: UnsafePointer<Structure>?
  let count: UInt32

  /// - Parameter make: Makes the structure of an item, with memory that exists as long as this list.
  init<Item>(_ items: [Item], _ make: (Item, CMemory) -> Structure) {
    let memory = CMemory()
    structures = memory.array(items.map { make($0, memory) })
    count = UInt32(items.count)
    self.memory = memory
  }

  /// The structure at an index; `nil` if there is none.
  subscript(index: UInt32) -> UnsafePointer<Structure>? {
    index < count ? structures.map { $0 + Int(index) } : nil
  }

  /// A handle that belongs to the owner of this object.
  var handle: OpaquePointer { OpaquePointer(Unmanaged.passUnretained(self).toOpaque()) }
}

/// Returns a copy of a string, which the caller of the library frees.
func newString(_ text: String) -> UnsafeMutablePointer<CChar> { strdup(text)! }

extension String {
  init?(_ text: UnsafePointer<CChar>?) {
    guard let text else { return nil }
    self.init(cString: text)
  }
}

extension [String] {
  init(_ texts: UnsafePointer<UnsafePointer<CChar>?>?, count: UInt32) {
    guard let texts else {
      self = []
      return
    }
    self = (0..<Int(count)).compactMap { String(texts[$0]) }
  }
}
