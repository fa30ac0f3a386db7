import Glibc
import MIDIFile
import TestSupport
import Testing

/// Checks the laws that hold for every file on the fuzz target's corpus and on thousands of corrupted copies.
/// The fuzz target checks the same laws for a longer time.
@Suite(.timeLimit(.minutes(5))) struct BrokenFilesTests {
  /// The files of `Fuzz/Corpus/MIDIFile`, sorted by name.
  private static let corpus: [(name: String, bytes: [UInt8])] = {
    midiFiles(in: repositoryFile("Fuzz/Corpus/MIDIFile"))
  }()

  @Test func `keep the laws unmodified`() {
    #expect(Self.corpus.count >= 30)
    for (name, bytes) in Self.corpus {
      #expect(DecodingLaws.broken(by: bytes) == nil, "\(name)")
    }
  }

  @Test func `keep the laws cut at any byte`() {
    for (name, bytes) in Self.corpus {
      for length in bytes.indices {
        #expect(DecodingLaws.broken(by: Array(bytes[..<length])) == nil, "\(name) cut at \(length)")
      }
    }
  }

  @Test func `keep the laws with any byte changed`() {
    var numbers = SeededNumbers(state: 5)
    for round in 0..<3_000 {
      var (name, bytes) = Self.corpus[round % Self.corpus.count]
      for _ in 0..<Int.random(in: 1...4, using: &numbers) { mutate(&bytes, &numbers) }
      #expect(DecodingLaws.broken(by: bytes) == nil, "\(name), round \(round): \(bytes)")
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
    guard let place = bytes.indices.randomElement(using: &numbers) else { return }
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
    case 1: bytes[place] = [0x00, 0x7F, 0x80, 0xF0, 0xF7, 0xFF].randomElement(using: &numbers)!
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
    case 4: bytes.removeSubrange(place...)
    default:
      let other = Self.corpus.randomElement(using: &numbers)!.bytes
      bytes.replaceSubrange(place..., with: other[min(place, other.count)...])
    }
  }
}

/// Returns the `.mid` files of a folder with their bytes, sorted by name; empty if there is no such folder.
func midiFiles(in folder: String) -> [(name: String, bytes: [UInt8])] {
  guard let directory = opendir(folder) else { return [] }
  defer { closedir(directory) }
  var files: [(name: String, bytes: [UInt8])] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    guard name.hasSuffix(".mid"), let file = fopen("\(folder)/\(name)", "rb") else { continue }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    files.append((name, bytes))
  }
  return files.sorted { $0.name < $1.name }
}
