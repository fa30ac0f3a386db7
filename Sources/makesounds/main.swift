// Makes the bundled SoundFont and song. The same bytes every time:
// SoundFonts/SHA256SUMS holds their checksums.
//
//   makesounds [FOLDER]     writes FOLDER/Portative.sf2 and FOLDER/demo.mid, default SoundFonts
//
// Or a SoundFont of noise, to see what large ones cost:
//
//   makesounds --noise FILE [PRESETS [MEGABYTES [16|24]]]
import Foundation
import SoundFontBuilder

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = URL(filePath: arguments.first ?? "SoundFonts", directoryHint: .isDirectory)
do {
  if arguments.first == "--noise" {
    try writeNoise(Array(arguments.dropFirst()))
    exit(0)
  }
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
