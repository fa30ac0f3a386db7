// Makes the bundled SoundFont and song. The same bytes every time:
// SoundFonts/SHA256SUMS holds their checksums.
//
//   makesounds [FOLDER]     writes FOLDER/Portative.sf2 and FOLDER/demo.mid, default SoundFonts
import Foundation
import SoundFontBuilder

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(filePath: arguments.first ?? "SoundFonts", directoryHint: .isDirectory)
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  for (name, bytes) in [
    ("Portative.sf2", GeneralMIDI.soundFont()), ("demo.mid", CanonInD.midiFile()),
  ] {
    try Data(bytes).write(to: folder.appending(path: name))
    print("\(name): \(bytes.count) bytes")
  }
} catch {
  FileHandle.standardError.write(Data("makesounds: \(error.localizedDescription)\n".utf8))
  exit(1)
}
