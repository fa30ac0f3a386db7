import FoundationEssentials
import MIDIFile

extension StandardMIDIFile {
  init(at path: String) throws {
    try self.init(decoding: [UInt8](Data(contentsOf: URL(filePath: path))))
  }

  func write(to path: String) throws {
    try Data(encoded()).write(to: URL(filePath: path))
  }
}
