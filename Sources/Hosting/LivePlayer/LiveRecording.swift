import AudioFile
import LocalSystem
import MIDIFile
import SongHost

/// A recording of a song that is played live: the audio in one file, and the keyboard input in a MIDI file beside it.
///
/// Both files appear only when the recording is complete.
struct LiveRecording: ~Copyable {
  let name: String
  private var writer: AudioFileWriter
  private var performance = Performance()
  private let map: BeatMap

  /// - Parameter path: The path of the audio file. The MIDI file has the same name with the extension `.mid`.
  init(to path: String, sampleRate: Int, _ map: BeatMap) throws {
    name = path
    self.map = map
    writer = try AudioFileWriter(
      to: .recording(path), format: AudioFormat(AudioFormat.Container(fileName: path)),
      sampleRate: sampleRate)
  }

  /// Writes the audio and the keyboard input recorded since the last call.
  mutating func drain(_ host: LiveHost) throws {
    host.drain(into: &performance)
    let samples = host.recordBuffer.drain()
    try writer.write(interleaved: samples.span)
  }

  /// Ends both files.
  ///
  /// - Returns: The paths of the files. There is no MIDI file if no keyboard was played.
  consuming func finish() throws -> [String] {
    let (name, performance, map) = (name, performance, map)
    _ = try writer.finish()
    if performance.isEmpty { return [name] }
    let midi = Self.midiName(name)
    let file = try OutputFile(path: midi)
    _ = try performance.file(along: map).encoded().withUnsafeBytes(file.write)
    try file.commit()
    return [name, midi]
  }

  /// Returns the file name of a path without its extension.
  static func stem(_ path: String) -> String {
    String(parts(path).stem.split(separator: "/").last ?? "")
  }

  static func midiName(_ path: String) -> String { parts(path).stem + ".mid" }

  /// Returns a name that is not in use: the preferred name, or that name with a number.
  static func freeName(_ preferred: String, isTaken: (String) -> Bool) -> String {
    let (stem, ending) = parts(preferred)
    var (name, number) = (preferred, 2)
    while isTaken(name) {
      name = "\(stem) \(number)\(ending)"
      number += 1
    }
    return name
  }

  /// Splits a path before its extension. A dot at the start of a file name does not start an extension.
  private static func parts(_ path: String) -> (stem: Substring, ending: Substring) {
    let name = path.folderAndName.name.startIndex
    guard let dot = path.lastIndex(of: "."), dot > name else { return (path[...], "") }
    return (path[..<dot], path[dot...])
  }
}
