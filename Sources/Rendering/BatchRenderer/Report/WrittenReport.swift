import FoundationEssentials
import Glibc
import LocalSystem

/// A report, line by line as ``ReportFile`` writes it, or a journal.
struct WrittenReport {
  private let data: Data
  /// The ranges of the songs' lines, and of the errors' lines.
  private(set) var songs: [Range<Int>] = []
  private(set) var errors: [Range<Int>] = []
  /// The text of the lines before the songs.
  private var head = "{"

  /// - Returns: `nil` if the file cannot be read.
  init?(_ path: String) {
    guard let data = Data(mapping: path) else { return nil }
    self.data = data
    var section: Section = .head
    var start = data.startIndex
    while start < data.endIndex {
      let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
      parse(start..<end, in: &section)
      start = end + 1
    }
  }

  private enum Section { case head, songs, errors }

  private mutating func parse(_ line: Range<Int>, in section: inout Section) {
    let text = data[line]
    if text.starts(with: Data("\"songs\":[".utf8)) {
      section = .songs
    } else if text.starts(with: Data("\"errors\":[".utf8)) {
      section = .errors
    } else if text.starts(with: Data("{\"song\":{".utf8)) {
      // A line of a journal, without the enclosing object. An incomplete line is skipped.
      if text.last == UInt8(ascii: "}") { songs.append(line.lowerBound + 8..<line.upperBound - 1) }
    } else if text.first == UInt8(ascii: "{"), line.count > 1 {
      let end = text.last == UInt8(ascii: ",") ? line.upperBound - 1 : line.upperBound
      if section == .songs { songs.append(line.lowerBound..<end) }
      if section == .errors { errors.append(line.lowerBound..<end) }
    } else if section == .head, text.first == UInt8(ascii: "\"") {
      head += String(decoding: text, as: UTF8.self)
    }
  }

  /// Returns the decoded value of a line; `nil` if it is of another type.
  func entry<Entry: Decodable>(_: Entry.Type, at line: Range<Int>) -> Entry? {
    try? JSONDecoder().decode(Entry.self, from: data[line])
  }

  /// The head of the report; `nil` if the file is not a report or another program has rewritten it.
  var report: RenderReport? {
    let text = (head.hasSuffix(",") ? String(head.dropLast()) : head) + "}"
    return try? JSONDecoder().decode(RenderReport.self, from: Data(text.utf8))
  }
}

extension Data {
  /// Maps a file into memory, since reports of large libraries are long.
  ///
  /// - Returns: `nil` if it is not a regular file or cannot be read.
  fileprivate init?(mapping path: String) {
    guard let descriptor = try? RegularFile.open(path, O_RDONLY, followsLinks: true) else {
      return nil
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init()
    if status.st_size == 0 { return }
    guard let bytes = mmap(nil, status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0),
      bytes != MAP_FAILED
    else { return nil }
    self.init(bytesNoCopy: bytes, count: status.st_size, deallocator: .unmap)
  }
}
