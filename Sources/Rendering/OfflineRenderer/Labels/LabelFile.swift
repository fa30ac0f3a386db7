public import AudioFile

/// The file of a song's labels. Like the audio file, it appears only when it is complete.
///
/// Realtime: no. Threads: one at a time.
public final class LabelFile {
  private let file: OutputFile
  private let format: LabelFormat
  let hasMessages: Bool

  /// Opens the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: The destination; an existing file is replaced.
  ///   - hasMessages: Whether to list messages other than notes.
  ///   - rules: Where the file must be, and what it may replace.
  /// - Throws: ``AudioFileError/cannotCreate(path:code:)``.
  public init(
    path: String, format: LabelFormat, hasMessages: Bool = false, rules: OutputRules = OutputRules()
  ) throws(AudioFileError) {
    file = try OutputFile(path: path, rules: rules)
    self.format = format
    self.hasMessages = hasMessages || format == .mid
  }

  /// Writes the labels and syncs the file.
  func write(_ labels: SongLabels) throws(AudioFileError) {
    _ = format.encode(labels).withUnsafeBytes { file.write($0) }
    try file.sync()
  }

  /// Moves the file to its destination.
  func commit() throws(AudioFileError) { try file.commit() }
}
