import AudioFile
import BatchRenderer
import FoundationEssentials
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
  init(to path: String, sampleRate: Int, _ map: BeatMap) throws(Failure) {
    name = path
    self.map = map
    let format: AudioFormat
    do throws(AudioFormatError) {
      format = try AudioFormat(AudioFormat.Container(fileName: path))
    } catch {
      throw Failure(error)
    }
    do throws(AudioFileError) {
      writer = try AudioFileWriter(
        to: .recording(path), format: format, sampleRate: sampleRate)
    } catch {
      throw Failure(error)
    }
  }

  /// Writes the audio and the keyboard input recorded since the last call.
  mutating func drain(_ host: LiveHost) throws(Failure) {
    host.drain(into: &performance)
    let samples = host.recordBuffer.drain()
    do throws(AudioFileError) {
      try writer.write(interleaved: samples.span)
    } catch {
      throw Failure(error)
    }
  }

  /// Ends both files.
  ///
  /// - Returns: The paths of the files. There is no MIDI file if no keyboard was played.
  consuming func finish() throws(Failure) -> [String] {
    let name = self.name
    let performance = self.performance
    let map = self.map
    do throws(AudioFileError) {
      _ = try writer.finish()
    } catch {
      throw Failure(error)
    }
    if performance.isEmpty { return [name] }
    let midi = Self.midiName(name)
    do {
      let file = try OutputFile(path: midi)
      _ = try performance.file(along: map).encoded().withUnsafeBytes(file.write)
      try file.commit()
    } catch let error as AudioFileError {
      throw Failure(error)
    } catch {
      throw Failure(.outputNotWritten, "cannot write '\(midi)': \(error)")
    }
    return [name, midi]
  }

  /// Returns the file name of a path without its extension.
  static func stem(_ path: String) -> String {
    String(parts(path).stem.split(separator: "/").last ?? "")
  }

  static func midiName(_ path: String) -> String { parts(path).stem + ".mid" }

  /// Returns a name that is not in use: `wish`, or `wish` with a number.
  static func freeName(_ wish: String, isTaken: (String) -> Bool) -> String {
    let (stem, ending) = parts(wish)
    var (name, number) = (wish, 2)
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
