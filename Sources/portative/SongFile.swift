import AudioFile
import Glibc
import LocalSystem
import MIDIFile
import OfflineRenderer

/// What every verb does with a song: reading it, and opening the file that it goes to.
enum SongFile {
  /// - Parameter input: A path, or `-`.
  static func decode(_ input: String) throws(Failure) -> StandardMIDIFile {
    try decode(try InputFile.read(input), input)
  }

  /// - Parameters:
  ///   - bytes: The song's.
  ///   - input: How it was named.
  static func decode(_ bytes: [UInt8], _ input: String) throws(Failure) -> StandardMIDIFile {
    do throws(StandardMIDIFile.DecodingError) {
      return try StandardMIDIFile(decoding: bytes)
    } catch {
      throw Failure(
        .inputUnusable, "\(InputFile.name(input)) cannot be read as a MIDI file: \(error)")
    }
  }

  /// - Throws: When there is something to warn of.
  static func refuse(_ warnings: [String], _ input: String) throws(Failure) {
    guard let first = warnings.first else { return }
    let others = warnings.count == 1 ? "" : " (and \(warnings.count - 1) more)"
    throw Failure(
      .warnings, "\(InputFile.name(input)) is not rendered under --strict: \(first)\(others)")
  }

  /// Opens the file that a song is rendered to.
  static func open(
    _ work: RenderPlan.Work, title: String?, measuresLoudness: Bool,
    picture: consuming PictureFile? = nil
  ) throws(RenderError) -> RenderedFile {
    do throws(AudioFileError) {
      if work.makesFolders { try makeFolder(for: work.outputName) }
      return try RenderedFile(
        to: work.destination, format: work.format, sampleRate: work.options.sampleRate,
        title: title, measuresLoudness: measuresLoudness, picture: picture)
    } catch {
      throw .file(error)
    }
  }

  static func makeFolder(for path: String) throws(AudioFileError) {
    do throws(WholeFile.Failure) {
      try Folder.create(OutputFile.folder(of: path), mode: 0o777)
    } catch {
      throw .cannotCreate(path: path, code: error.code)
    }
  }
}

extension StandardMIDIFile {
  /// The name of the song: that of its first track.
  ///
  /// Source: RP-001, "Meta-Event Definitions", FF 03.
  var title: String? {
    let name = tracks[0].name?.unicodeScalars.filter { !$0.properties.isControl }
    return name.map { String(String.UnicodeScalarView($0)) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isControl: Bool { generalCategory == .control }
}
