import AudioFile
import Glibc
import LocalSystem

/// A report that is being written: a JSON object with a line for each field of its head, each song and each error, in
/// the order of the list.
struct ReportFile {
  private let file: OutputFile
  let journal: ResumeJournal

  /// Opens the report, before any song is rendered, so that a path that cannot be written fails early.
  ///
  /// - Parameters:
  ///   - path: `-` is standard output.
  ///   - resumes: Whether to continue the journal of an earlier run.
  ///   - overwrites: Whether to replace a file that is not a report.
  /// - Throws: ``Failure/Kind/outputNotWritten``.
  init(_ path: String, resumes: Bool, overwrites: Bool) throws(Failure) {
    if path == "-" {
      file = OutputFile(descriptor: STDOUT_FILENO, name: "standard output")
    } else {
      let rules = OutputRules { path, isOwn in isOwn || overwrites || Self.isReport(path) }
      do { file = try OutputFile(path: path, rules: rules) } catch { throw Failure(error) }
    }
    journal =
      file.isStream
      ? try ResumeJournal() : try ResumeJournal(besideReport: file.path, continues: resumes)
  }

  /// Returns whether a file begins like a report, which may be a copy or from an older version.
  static func isReport(_ path: String) -> Bool {
    let descriptor = open(path.platformString, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    let beginning = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return ["{\n\"portative\":\"", "{\n\"schema\":\"portative/report/"].contains(
      where: beginning.hasPrefix)
  }

  /// Writes the report, moves it to its path, and deletes the journal.
  func finish(_ head: RenderReport) throws(Failure) {
    do {
      try write(head)
      try file.commit()
    } catch {
      throw Failure(file.error ?? error)
    }
    journal.discard()
  }

  private func write(_ head: RenderReport) throws(Failure) {
    put("{\n")
    for field in head.fields { put("\(field),\n") }
    try put("songs", .song)
    put(",\n")
    try put("errors", .error)
    put("\n}\n")
  }

  private func put(_ name: String, _ kind: ResumeJournal.Kind) throws(Failure) {
    var separator = "\n"
    put("\"\(name)\":[")
    try journal.forEach(kind) { entry throws(Failure) in
      put(separator)
      put(entry)
      separator = ",\n"
    }
    put("\n]")
  }

  private func put(_ text: String) { put(Array(text.utf8)[...]) }

  private func put(_ bytes: ArraySlice<UInt8>) { _ = bytes.withUnsafeBytes(file.write) }
}

extension RenderReport {
  /// `"name":value` for each field that is present, in their order.
  fileprivate var fields: [String] {
    var fields = schema.map { ["\"schema\":\(Self.encode($0, []))"] } ?? []
    fields.append("\"portative\":\(Self.encode(portative, []))")
    if let library { fields.append("\"library\":\(Self.encode(library, []))") }
    if let list { fields.append("\"list\":\(Self.encode(list, []))") }
    if let soundFont { fields.append("\"soundFont\":\(Self.encode(soundFont, []))") }
    fields.append("\"settings\":\(Self.encode(settings, []))")
    for (name, paths) in [("skippedLinks", skippedLinks), ("skippedMounts", skippedMounts)] {
      if let paths { fields.append("\"\(name)\":\(Self.encode(paths, []))") }
    }
    if let otherFiles { fields.append("\"otherFiles\":\(Self.encode(otherFiles, []))") }
    return fields
  }
}
