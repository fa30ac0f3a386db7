package import AudioFile
import Glibc
package import LocalSystem
package import MIDIFile
package import OfflineRenderer

/// What every verb does with a song: reading it, and opening the file that it goes to.
package enum SongFile {
  /// - Parameter input: A path, or `-`.
  package static func decode(_ input: String) throws(Failure) -> StandardMIDIFile {
    try decode(try InputFile.read(input), input)
  }

  /// - Parameters:
  ///   - bytes: The song's.
  ///   - input: How it was named.
  package static func decode(_ bytes: [UInt8], _ input: String) throws(Failure) -> StandardMIDIFile
  {
    do throws(StandardMIDIFile.DecodingError) {
      return try StandardMIDIFile(decoding: bytes)
    } catch {
      throw Failure(
        .inputUnusable, "\(InputFile.name(input)) cannot be read as a MIDI file: \(error)")
    }
  }

  /// - Throws: When there is something to warn of.
  package static func refuse(_ warnings: [String], _ input: String) throws(Failure) {
    guard let first = warnings.first else { return }
    let others = warnings.count == 1 ? "" : " (and \(warnings.count - 1) more)"
    throw Failure(
      .warnings, "\(InputFile.name(input)) is not rendered under --strict: \(first)\(others)")
  }

  /// Opens the file that a song is rendered to.
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

  /// Makes the folder that a file will be in, where it is not there.
  ///
  /// - Parameter root: Below it no symbolic link is followed; `nil`: they are.
  package static func makeFolder(for path: String, in root: String?) throws(AudioFileError) {
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
