// Writes a SoundFont of noise, to measure the cost of large SoundFonts:
//
//   noisefont FILE [PRESETS [MEGABYTES [16|24]]]
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().compactMap { Int($0) }
let presets = numbers.first ?? 4
let megabytes = numbers.count > 1 ? numbers[1] : 1
let has24Bits = numbers.count > 2 && numbers[2] == 24
guard let path = arguments.first, numbers.count == arguments.count - 1, 1...128 ~= presets,
  1...4000 ~= megabytes
else {
  FileHandle.standardError.write(
    Data("noisefont: FILE [PRESETS 1…128 [MEGABYTES 1…4000 [16|24]]]\n".utf8))
  exit(2)
}
let frames = megabytes * 1_000_000 / (has24Bits ? 3 : 2) / (2 * presets)
guard FileManager.default.createFile(atPath: path, contents: nil),
  let file = FileHandle(forWritingAtPath: path)
else { throw CocoaError(.fileWriteUnknown) }
try NoiseSoundFont(presets: presets, frames: frames, has24Bits: has24Bits).write {
  (bytes) throws in try file.write(contentsOf: Data(bytes))
}
try file.close()
