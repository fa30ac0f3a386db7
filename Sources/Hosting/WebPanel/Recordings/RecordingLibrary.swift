import AudioFile
import CLinux
import Configuration
import Glibc
import LiveAudio
package import LocalSystem

/// The audio files that the server records for pages, and takes that they save, each with the MIDI file beside it.
///
/// Pages name them by ``RecordingName``, which cannot lead to another file.
///
/// Threads: any.
package struct RecordingLibrary: Sendable {
  private let folders: [RecordingName.Folder: String]

  /// What is played is recorded to `Portative` in `$XDG_MUSIC_DIR`, or without that to `portative/recordings` in the user's
  /// folder for data, where takes are in `portative/takes`.
  package init(_ environment: ProcessEnvironment) {
    var folders: [RecordingName.Folder: String] = [:]
    if let data = environment.folder("XDG_DATA_HOME", inHome: ".local/share") {
      folders[.recordings] = "\(data)/portative/recordings"
      folders[.takes] = "\(data)/portative/takes"
    }
    if let music = environment.variable("XDG_MUSIC_DIR"), music.hasPrefix("/") {
      folders[.recordings] = "\(music)/Portative"
    }
    self.folders = folders
  }

  private func path(of folder: RecordingName.Folder) throws(Failure) -> String {
    guard let path = folders[folder] else {
      throw Failure(.failed, "there is no home folder for \(folder.rawValue): set HOME")
    }
    return path
  }

  private func path(of name: RecordingName) throws(Failure) -> String {
    try "\(path(of: name.folder))/\(name.file)"
  }

  /// Returns a path that no file has, named after the local time. Makes the folder.
  package func newPath(in folder: RecordingName.Folder) throws(Failure) -> String {
    let path = try path(of: folder)
    do throws(WholeFile.Failure) {
      try Folder.create(path, mode: 0o777)
    } catch {
      throw Failure(
        .outputNotWritten, "the folder '\(path)' cannot be made: \(errnoDescription(error.code))")
    }
    return Self.freePath("\(path)/\(folder.singular) \(Self.localTime)", ".wav")
  }

  private static var localTime: String {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      _ = strftime(text.baseAddress!, text.count, "%Y-%m-%d %H-%M-%S", &local)
      return String(cString: text.baseAddress!)
    }
  }

  private static func freePath(_ stem: String, _ ending: String) -> String {
    var (path, number) = (stem + ending, 2)
    while exists(path) || exists(Recorder.midiPath(path)) {
      path = "\(stem) \(number)\(ending)"
      number += 1
    }
    return path
  }

  private static func exists(_ path: String) -> Bool { access(path.platformString, F_OK) == 0 }

  /// Returns all recordings, the latest first. Files that cannot be read are left out.
  package func list() -> [RecordingEntry] {
    RecordingName.Folder.allCases.flatMap { folder -> [RecordingEntry] in
      guard let path = folders[folder], let names = try? Folder.names(in: path) else { return [] }
      let all = Set(names)
      return names.compactMap { name in
        guard let name = RecordingName(folder, name), var entry = entry(name, in: path) else {
          return nil
        }
        entry.hasMIDI = all.contains(Recorder.midiPath(name.file))
        return entry
      }
    }.sorted { $0.time > $1.time }
  }

  private func entry(_ name: RecordingName, in folder: String) -> RecordingEntry? {
    let path = "\(folder)/\(name.file)"
    var information = stat()
    guard lstat(path.platformString, &information) == 0,
      information.st_mode & S_IFMT == S_IFREG,
      let reader = try? AudioFileReader(path: path), reader.sampleRate > 0
    else { return nil }
    return RecordingEntry(
      name: name, seconds: Double(reader.frames) / Double(reader.sampleRate),
      bytes: Int(information.st_size), time: Int(information.st_mtim.tv_sec), hasMIDI: false)
  }

  /// Gives a recording another name, and the MIDI file beside it.
  ///
  /// - Parameter text: The name without an extension.
  /// - Throws: `Failure` if the text cannot be a name, or is another recording's.
  package func rename(_ name: RecordingName, to text: String) throws(Failure) -> RecordingName {
    let rule = NameRule(atMost: 100, .bytes)
    if let remedy = rule.remedy(for: text) {
      throw .usage("'\(text)' cannot be the name of a recording: \(remedy)")
    }
    guard let new = RecordingName(name.folder, text + name.ending) else {
      throw .usage(
        "'\(text)' cannot be the name of a recording: it must not begin with a dot or have a slash")
    }
    if new == name { return new }
    let (old, renamed) = (try path(of: name), try path(of: new))
    let midi = (Recorder.midiPath(old), Recorder.midiPath(renamed))
    if Self.exists(midi.0), Self.exists(midi.1) {
      throw .usage("'\(new.stem)' is another recording: choose another name")
    }
    try Self.move(old, renamed)
    // Without it, the recording is complete nevertheless.
    if Self.exists(midi.0) { try? Self.move(midi.0, midi.1) }
    return new
  }

  /// `RENAME_NOREPLACE` of Linux.
  private static let doesNotReplace: UInt32 = 1

  private static func move(_ old: String, _ new: String) throws(Failure) {
    if renameat2(
      AT_FDCWD, old.platformString, AT_FDCWD, new.platformString, doesNotReplace)
      == 0
    {
      return
    }
    if errno == EEXIST {
      throw .usage("'\(Recorder.stem(of: new))' is another recording: choose another name")
    }
    throw Failure(
      .outputNotWritten, "the recording cannot be renamed: \(errnoDescription(errno))")
  }

  /// Writes a part of a recording to a new one, in the same format. The MIDI file is not copied.
  ///
  /// - Parameter part: In seconds.
  package func trim(
    _ name: RecordingName, to part: ClosedRange<Double>
  ) throws(Failure) -> RecordingName {
    let path = try path(of: name)
    let new = Self.freePath("\(try self.path(of: name.folder))/\(name.stem) trimmed", name.ending)
    do {
      try Self.copy(part, of: path, to: new)
    } catch {
      throw Failure(error)
    }
    guard let result = RecordingName(name.folder, String(new.folderAndName.name)) else {
      throw Failure(.failed, "the name of '\(name.file)' is too long: rename it first")
    }
    return result
  }

  private static func copy(_ part: ClosedRange<Double>, of path: String, to new: String) throws {
    var reader = try AudioFileReader(path: path)
    let rate = Double(reader.sampleRate)
    let frames = Double(reader.frames)
    let begin = Int(min(max(part.lowerBound * rate, 0), frames).rounded())
    var left = Int(min(max(part.upperBound * rate, 0), frames).rounded()) - begin
    if left <= 0 {
      throw Failure(
        .usage,
        "the part from \(clockText(part.lowerBound)) on has no sound: the recording has "
          + "\(clockText(frames / rate))")
    }
    let container = try AudioFormat.Container(fileName: path)
    var writer = try AudioFileWriter(
      to: .file(new), format: AudioFormat(container, bits: container.bits.last),
      sampleRate: reader.sampleRate, rules: OutputRules(mayReplace: { _, _ in false }))
    try reader.seek(to: begin)
    var samples: [Float] = []
    while left > 0 {
      try reader.read(min(left, 16_384), &samples)
      if samples.isEmpty { break }
      try writer.write(interleaved: samples.span)
      left -= samples.count / 2
    }
    _ = try writer.finish()
  }

  /// Deletes a recording, and the MIDI file beside it.
  package func delete(_ name: RecordingName) throws(Failure) {
    let path = try path(of: name)
    if unlink(path.platformString) != 0 {
      throw Failure(
        .outputNotWritten, "'\(name.stem)' cannot be deleted: \(errnoDescription(errno))")
    }
    unlink(Recorder.midiPath(path).platformString)
  }

  /// Returns a file for a link.
  ///
  /// - Parameter isForPlaying: Whether a page plays it; otherwise a browser saves it.
  package func file(
    _ name: RecordingName, _ part: RecordingName.Part, isForPlaying: Bool
  ) throws(Failure) -> FileLinks.File {
    let audio = try path(of: name)
    let path = part == .midi ? Recorder.midiPath(audio) : audio
    if !Self.exists(path) {
      throw Failure(.failed, "'\(name.stem)' does not exist any more: load the list again")
    }
    return FileLinks.File(
      path: path, type: part == .midi ? "audio/midi" : name.mediaType,
      name: isForPlaying ? nil : String(path.folderAndName.name))
  }
}
