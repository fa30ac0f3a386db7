import AudioFile
import FluidSynthEngine
import Glibc
import LocalSystem
import MIDIFile

/// The files of a song's notes: each note alone, dry, from its onset on.
///
/// A file appears when its note has ended, so that only those of sounding notes are open. ``discard()`` removes all.
///
/// Threads: one at a time.
final class NoteFiles: NoteSink {
  private let settings: StemSettings
  private var notes: SeparateNotes
  private let range: FrameRange
  private var open: [Int: OpenFile] = [:]
  /// The first frame of the next cycle.
  private var now = 0
  /// The first error; no more is written after it.
  private var failure: AudioFileError?
  private var finished: [Int: StemsReport.Stem] = [:]

  private final class OpenFile {
    let path: String
    var file: RenderedFile?
    /// The frame after the last one.
    var end: Int

    init(_ file: consuming RenderedFile, path: String, end: Int) {
      self.file = consume file
      self.path = path
      self.end = end
    }
  }

  init(_ settings: StemSettings, _ notes: SeparateNotes, _ range: FrameRange) {
    self.settings = settings
    self.notes = notes
    self.range = range
  }

  /// The name of a note's file in the folder.
  private func fileName(_ note: Int) -> String {
    "\(notes.name(ofNote: note)).\(settings.format.container.rawValue)"
  }

  /// Returns whether a file in the folder is one that a song may write with these notes.
  func mayWrite(_ name: String) -> Bool {
    let ending = ".\(settings.format.container.rawValue)"
    return name.hasSuffix(ending) && notes.mayName(String(name.dropLast(ending.count)))
  }

  /// Writes a part of a note. What lies outside the range is left out.
  func add(_ block: NoteBlock, ofNote note: Int, port: Int) {
    guard failure == nil else { return }
    notes.add(block, ofNote: note, port: port)
    var interleaved: [Float] = []
    let end = notes.append(
      block, ofNote: note, in: range, isFirst: open[note] == nil, to: &interleaved)
    guard let end else { return }
    do throws(AudioFileError) {
      let file: OpenFile
      if let existing = open[note] {
        file = existing
      } else {
        file = try create(note)
        open[note] = file
      }
      file.end = end
      try file.file?.write(interleaved: interleaved.span)
    } catch {
      failure = error
    }
  }

  private func create(_ note: Int) throws(AudioFileError) -> OpenFile {
    let path = "\(settings.folder)/\(fileName(note))"
    let file = try RenderedFile(
      to: .file(path), format: settings.format, sampleRate: range.timeline.sampleRate,
      seed: settings.seed &+ 0x6E6F_7465 &+ UInt64(note), title: notes.name(ofNote: note),
      measuresLoudness: false, rules: settings.rules)
    return OpenFile(file, path: path, end: 0)
  }

  /// Finishes the files of the notes that have ended.
  func endCycle(frames: Int) throws(RenderError) {
    now += frames
    try finishFiles { [now] in $0.end < now }
  }

  /// Finishes all files.
  func finish() throws(RenderError) { try finishFiles { _ in true } }

  private func finishFiles(_ hasEnded: (OpenFile) -> Bool) throws(RenderError) {
    if let failure { throw .file(failure) }
    for (note, file) in open where hasEnded(file) {
      try mapError(finish(note, file), RenderError.file)
    }
  }

  private func finish(_ note: Int, _ file: OpenFile) throws(AudioFileError) {
    open[note] = nil
    guard let rendered = file.file.take() else { return }
    let audio = try rendered.finish()
    finished[note] = StemsReport.Stem(name: notes.name(ofNote: note), path: file.path, audio: audio)
  }

  /// The finished files, in the order of their notes.
  var stems: [StemsReport.Stem] { finished.sorted { $0.key < $1.key }.map(\.value) }

  /// Returns the name of a note's file in the folder; `nil` if it has none, because nothing of it was rendered.
  func finishedName(_ note: Int) -> String? { finished[note] == nil ? nil : fileName(note) }

  /// Makes the files remain.
  func commit() { finished = [:] }

  /// Removes all files that were not committed.
  func discard() {
    open = [:]
    for stem in finished.values { unlink(stem.path.platformString) }
    finished = [:]
  }

  deinit { discard() }
}
