package import AudioFile
import Glibc
package import LocalSystem
package import MIDIFile
package import OfflineRenderer

/// Functions that commands share: decoding a song, and opening its output file.
package enum SongFile {
  /// Reads and decodes a song.
  ///
  /// - Parameter input: A path; `-` is standard input.
  package static func decode(_ input: String) throws(Failure) -> StandardMIDIFile {
    try decode(try InputFile.read(input), input)
  }

  /// Decodes a song.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of its file.
  ///   - input: Its path, for messages.
  package static func decode(_ bytes: [UInt8], _ input: String) throws(Failure) -> StandardMIDIFile
  {
    do throws(StandardMIDIFile.DecodingError) {
      return try StandardMIDIFile(decoding: bytes)
    } catch {
      throw Failure(
        .inputUnusable, "\(InputFile.name(input)) cannot be read as a MIDI file: \(error)")
    }
  }

  /// Refuses a song that has warnings, under `--strict`, or messages without effect, under `--refuse`.
  ///
  /// - Throws: ``Failure/Kind/warnings`` if there is a warning.
  package static func refuse(
    _ warnings: [String], _ input: String, under option: String = "--strict"
  ) throws(Failure) {
    guard let first = warnings.first else { return }
    let others = warnings.count == 1 ? "" : " (and \(warnings.count - 1) more)"
    throw Failure(
      .warnings, "\(InputFile.name(input)) is not rendered under \(option): \(first)\(others)")
  }

  /// Opens the output file of a song.
  package static func open(
    _ work: RenderPlan.Work, title: String?, measuresLoudness: Bool,
    picture: consuming PictureFile? = nil, rules: OutputRules = OutputRules()
  ) throws(RenderError) -> RenderedFile {
    do throws(AudioFileError) {
      if work.makesFolders { try makeFolder(for: work.outputName, in: work.root) }
      return try RenderedFile(
        to: work.destination, format: work.format, sampleRate: work.options.sampleRate,
        title: title, measuresLoudness: measuresLoudness, picture: picture,
        rules: rules)
    } catch {
      throw .file(error)
    }
  }

  /// Creates the folder of an output file if it does not exist.
  ///
  /// - Parameter root: A folder below which no symbolic link is followed; `nil`: links are followed.
  static func makeFolder(for path: String, in root: String?) throws(AudioFileError) {
    do throws(WholeFile.Failure) {
      guard let root else {
        return try Folder.create(OutputFile.folder(of: path), mode: 0o777)
      }
      close(
        try Folder.open(
          SongPath.parts(of: path, below: root).dropLast(), below: root, creating: 0o777))
    } catch {
      if error.code == ELOOP, let root { throw .outside(path: path, folder: root) }
      throw .cannotCreate(path: path, code: error.code)
    }
  }
}
