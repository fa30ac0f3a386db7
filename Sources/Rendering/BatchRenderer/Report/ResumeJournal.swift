import AudioFile
import Glibc
import LocalSystem
import Synchronization

/// The outcomes of the songs so far, one line each, in a file.
///
/// It keeps the memory use independent of the length of the list, and preserves the results of a run that is killed:
/// the journal remains beside the report's path until the report exists.
///
/// Threads: any.
final class ResumeJournal: Sendable {
  enum Kind { case song, error }

  /// The place of a song's line. It refers to no memory.
  struct Entry: Sendable {
    let index: Int
    let kind: Kind
    let offset: Int
    let length: Int
  }
  private struct State {
    var entries: [Entry] = []
    var end: Int
    /// The first `errno`; after it, nothing is written.
    var failure: CInt = 0
  }
  private let state: Mutex<State>
  private let descriptor: CInt
  private let path: String?

  /// Opens a journal.
  ///
  /// - Parameters:
  ///   - report: The path of the report.
  ///   - continues: Whether to keep the lines of an earlier run and append to them.
  /// - Throws: ``Failure/Kind/outputNotWritten`` if the file cannot be opened, is not a journal, or is in use by
  ///   another run.
  init(besideReport report: String, continues: Bool) throws(Failure) {
    let path = Self.path(besideReport: report)
    descriptor = try Self.open(path, report)
    if !Self.isJournal(descriptor) {
      close(descriptor)
      throw Failure(
        .outputNotWritten,
        "the report needs the path '\(path)' for its journal, but another file is there: rename it, or "
          + "name another --report")
    }
    if !continues { ftruncate(descriptor, 0) }
    self.path = path
    state = Mutex(State(end: max(0, Int(lseek(descriptor, 0, SEEK_END)))))
    // The last line of a run that was killed may be incomplete.
    if continues, !isEmpty { write("\n") }
  }

  /// Creates a journal in an unnamed temporary file, which is deleted when the program ends.
  init() throws(Failure) {
    do { descriptor = try TemporaryFile.open(in: "") } catch { throw Failure(error) }
    path = nil
    state = Mutex(State(end: 0))
  }

  deinit {
    if isEmpty { discard() }
    close(descriptor)
  }

  private var isEmpty: Bool { state.withLock { $0.end == 0 } }

  static func path(besideReport report: String) -> String { report + ".journal" }

  private static func open(_ path: String, _ report: String) throws(Failure) -> CInt {
    while true {
      let descriptor = Glibc.open(
        path.platformString, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
      if descriptor < 0 {
        throw Failure(.outputNotWritten, "cannot create '\(path)': \(errnoDescription(errno))")
      }
      if !lock(descriptor) {
        close(descriptor)
        throw Failure(
          .outputNotWritten,
          "another run is writing '\(report)': wait until it ends, or name another --report")
      }
      // The run that held the lock may have finished and removed the file.
      var status = stat()
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return descriptor }
      close(descriptor)
    }
  }

  /// Locks the file. A run that was killed holds its lock until its child process has ended too.
  private static func lock(_ descriptor: CInt) -> Bool {
    for _ in 0..<100 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return true }
      usleep(10_000)
    }
    return false
  }

  /// Returns whether a file is empty or begins like a journal.
  private static func isJournal(_ descriptor: CInt) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 9)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let beginning = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return ["{\"song\":{", "{\"error\":", "\n"].contains { mark in
      beginning.isEmpty || beginning.hasPrefix(mark.prefix(count))
    }
  }

  /// - Returns: The place of the line; `nil` if none was written.
  func add(_ outcome: SongOutcome, of job: RenderPlan.Job) -> Entry? {
    switch outcome {
    case .rendered(let song): return add(song.entry)
    case .kept(let song): return add(song)
    case .planned: return nil
    case .failed(let failure):
      // An interruption is not an error of the song.
      if failure.signal != nil { return nil }
      return add(RenderReport.SongError(input: job.input, index: job.index, failure))
    }
  }

  @discardableResult func add(_ song: RenderReport.Song) -> Entry? {
    add(RenderReport.line(song), .song, index: song.index)
  }

  @discardableResult func add(_ error: RenderReport.SongError) -> Entry? {
    add(RenderReport.line(error), .error, index: error.index ?? 0)
  }

  /// Continues after another process that wrote to the same journal and died.
  ///
  /// - Parameter entries: What that process had written.
  func restore(_ entries: [Entry]) {
    state.withLock { state in
      state.entries = entries
      state.end = max(state.end, Int(lseek(descriptor, 0, SEEK_END)))
    }
    // Its last line may be incomplete.
    if !entries.isEmpty { write("\n") }
  }

  /// - Parameters:
  ///   - line: The line with its newline.
  ///   - index: The song's index in the list.
  private func add(_ line: String, _ kind: Kind, index: Int) -> Entry? {
    guard let offset = write(line) else { return nil }
    let entry = Entry(index: index, kind: kind, offset: offset, length: line.utf8.count)
    state.withLock { $0.entries.append(entry) }
    return entry
  }

  @discardableResult private func write(_ text: String) -> Int? {
    state.withLock { state in
      if state.failure != 0 { return nil }
      let bytes = Array(text.utf8)
      state.failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor, at: state.end) }
      if state.failure != 0 { return nil }
      defer { state.end += bytes.count }
      return state.end
    }
  }

  /// Calls `body` with the entries of one kind, in the order of the list, without the enclosing object.
  ///
  /// - Throws: What `body` throws; ``Failure/Kind/outputNotWritten`` if lines could not be written or read again.
  func forEach(_ kind: Kind, _ body: (ArraySlice<UInt8>) throws(Failure) -> Void)
    throws(Failure)
  {
    let (entries, failure) = state.withLock { ($0.entries, $0.failure) }
    if failure != 0 { throw unusable(failure) }
    for entry in entries.filter({ $0.kind == kind }).sorted(by: { $0.index < $1.index }) {
      var line = [UInt8](repeating: 0, count: entry.length)
      guard pread(descriptor, &line, line.count, off_t(entry.offset)) == line.count else {
        throw unusable(errno)
      }
      // {"song":{…}}
      let begin = line.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
      try body(line[begin..<(line.count - 2)])
    }
  }

  private func unusable(_ code: CInt) -> Failure {
    Failure(
      .outputNotWritten,
      "cannot store the results for the report in \(path.map { "'\($0)'" } ?? "a temporary file"): "
        + "\(errnoDescription(code)); the songs are not affected")
  }

  /// Deletes the journal. Call it when the report exists, or when the journal is empty.
  func discard() {
    if let path { unlink(path.platformString) }
  }
}
