import AudioFile
import FoundationEssentials
import Glibc
import LocalSystem
import ServerTestSupport
import TestSupport
import Testing

@testable import WebPanel

/// The files of a panel: compressed, and by links.
@Suite(.timeLimit(.minutes(2))) struct FileTests {
  @Test func `the page is sent compressed to those who accept it`() throws {
    let panel = try TestPanel()
    let plain = try TestSocket.get("/", panel.port)
    #expect(!plain.contains("content-encoding"))
    let packed = try TestSocket.get("/", panel.port, headers: ["Accept-Encoding": "br, gzip"])
    #expect(packed.contains("content-encoding: gzip") && packed.contains("vary: accept-encoding"))
    #expect(packed.utf8.count < plain.utf8.count / 2)
    let refused = try TestSocket.get("/", panel.port, headers: ["Accept-Encoding": "gzip;q=0"])
    #expect(!refused.contains("content-encoding"))
  }

  @Test func `what is compressed is the file`() throws {
    let resource = try #require(PanelPage.resources["/"])
    try #require(!resource.compressed.isEmpty)
    let folder = try TemporaryFolder()
    try Data(resource.compressed).write(to: URL(filePath: "\(folder.path)/page.gz"))
    let judge = try run("gzip", ["-dc", "\(folder.path)/page.gz"])
    #expect(judge == String(decoding: resource.bytes, as: UTF8.self))
  }

  private func run(_ program: String, _ arguments: [String]) throws -> String {
    var pipe: [CInt] = [0, 0]
    try #require(Glibc.pipe(&pipe) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
    var texts = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    var child = pid_t()
    try #require(posix_spawnp(&child, program, &actions, nil, &texts, environ) == 0)
    close(pipe[1])
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(pipe[0], &block, block.count), count > 0 {
      bytes += block[..<count]
    }
    close(pipe[0])
    waitpid(child, nil, 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Links

  @Test func `a link is good for one use, or for parts again and again`() throws {
    let panel = try TestPanel()
    try panel.system.add("file", String(repeating: "0123456789", count: 10_000))
    let file = FileLinks.File(
      path: "\(panel.system.root)/file", type: "audio/wav", name: "Ü \"x\".wav")
    let once = panel.panel.links.add(file, isForOneUse: true)
    let first = try TestSocket.get(once, panel.port)
    #expect(first.hasPrefix("HTTP/1.1 200") && first.contains("content-type: audio/wav"))
    #expect(first.contains("attachment; filename*=UTF-8''%C3%9C%20%22x%22.wav"))
    #expect(first.hasSuffix(String(repeating: "0123456789", count: 10_000)))
    #expect(try TestSocket.get(once, panel.port).hasPrefix("HTTP/1.1 404"))
    let often = panel.panel.links.add(file, isForOneUse: false)
    for (range, answer, content) in [
      ("bytes=10-14", "206", "01234"), ("bytes=99995-", "206", "56789"), ("bytes=-3", "206", "789"),
      ("bytes=99998-999999", "206", "89"), ("bytes=100000-", "416", ""),
    ] {
      let part = try TestSocket.get(often, panel.port, headers: ["Range": range])
      #expect(
        part.hasPrefix("HTTP/1.1 \(answer)") && part.hasSuffix("\r\n\r\n\(content)"), "\(range)")
    }
    #expect(
      try TestSocket.get(often, panel.port, method: "HEAD").contains("content-length: 100000"))
  }

  @Test func `links end, and at most 256 are kept`() throws {
    let system = TemporarySystem()
    try system.add("file", "x")
    let links = FileLinks()
    let file = FileLinks.File(path: "\(system.root)/file", type: "audio/wav", isTemporary: true)
    let now = ContinuousClock.now
    let path = links.add(file, isForOneUse: true, at: now)
    #expect(links.open(path, at: now + .seconds(61)) == nil)
    // Nobody can read it any more.
    #expect(access(file.path, F_OK) != 0)
    try system.add("file", "x")
    let plain = FileLinks.File(path: "\(system.root)/file", type: "audio/wav")
    let paths = (0..<257).map { number in
      links.add(plain, isForOneUse: true, at: now + .milliseconds(number))
    }
    #expect(links.open(paths[0], at: now) == nil)
    let opened = try #require(links.open(paths[256], at: now))
    close(opened.descriptor)
    #expect(links.open("/file/\(String(repeating: "0", count: 32))", at: now) == nil)
  }

  @Test func `a link leads to no folder and through no symbolic link`() throws {
    let system = TemporarySystem()
    try system.add("folder/file", "x")
    symlink("\(system.root)/folder/file", "\(system.root)/link")
    let links = FileLinks()
    for name in ["folder", "link", "missing"] {
      let path = links.add(
        .init(path: "\(system.root)/\(name)", type: "audio/wav"), isForOneUse: true)
      #expect(links.open(path) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    ("bytes=0-0", 1, "part 0 1"), ("bytes=5-4", 10, "all"), ("bytes=-0", 10, "none"),
    ("bytes=0-", 0, "none"), ("bytes=-", 10, "all"), ("bytes=1-2,4-5", 10, "all"),
    ("items=1-2", 10, "all"),
    ("bytes=99999999999999999999-", 10, "none"), ("bytes=-99999999999999999999", 10, "part 0 10"),
    ("bytes=+1-2", 10, "all"), ("bytes= 1-2", 10, "all"),
  ])
  func `a range of bytes is that of the standard`(_ header: String, _ size: Int64, _ answer: String)
  {
    let text =
      switch ByteRange.read(header, size: size) {
      case .all: "all"
      case .none: "none"
      case .part(let range): "part \(range.offset) \(range.count)"
      }
    #expect(text == answer)
  }

  // MARK: Recordings

  /// Writes a WAV file of a second, whose samples count.
  private func write(_ path: String) throws {
    var writer = try AudioFileWriter(
      to: .file(path), format: AudioFormat(.wav, bits: .b32f), sampleRate: 1000)
    let samples = (0..<2000).map { Float($0) / 4000 }
    try writer.write(interleaved: samples.span)
    _ = try writer.finish()
  }

  @Test func `recordings are listed, renamed, trimmed and deleted by pages`() throws {
    let panel = try TestPanel()
    try panel.system.add("data/portative/takes/note.txt", "no audio")
    try panel.system.add("data/portative/takes/bad.wav", "no audio")
    let folder = "\(panel.system.root)/data/portative/takes"
    try write("\(folder)/one.wav")
    try panel.system.add("data/portative/takes/one.mid", "MThd")
    let page = try panel.page()
    func ask(_ method: String, _ parameters: String) throws -> String {
      try page.send(#"{"id":2,"method":"panel.\#(method)","params":{\#(parameters)}}"#)
      return try page.receive()
    }
    let one = #""recording":{"folder":"takes","file":"one.wav"}"#
    let list = try ask("recordings", "")
    #expect(list.contains(#""total":1"#) && list.contains(#""seconds":1"#) && list.contains("true"))
    let trimmed = try ask("trimRecording", one + #","from":0.25,"to":0.75"#)
    #expect(trimmed.contains("one trimmed.wav"))
    var reader = try AudioFileReader(path: "\(folder)/one trimmed.wav")
    var samples: [Float] = []
    try reader.read(1000, &samples)
    #expect(samples == (500..<1500).map { Float($0) / 4000 })
    #expect(try ask("trimRecording", one + #","from":2,"to":3"#).contains("has no sound"))
    #expect(
      try ask("renameRecording", one + #","name":"one trimmed""#).contains("another recording"))
    #expect(try ask("renameRecording", one + #","name":"two""#).contains("two.wav"))
    #expect(access("\(folder)/two.mid", F_OK) == 0 && access("\(folder)/one.wav", F_OK) != 0)
    for name in ["", "a/b", ".hidden", String(repeating: "x", count: 101)] {
      let answer = try ask(
        "renameRecording", #""recording":{"folder":"takes","file":"two.wav"},"name":"\#(name)""#)
      #expect(answer.contains("cannot be the name"), "\(name)")
    }
    let link = try ask(
      "linkRecording",
      #""recording":{"folder":"takes","file":"two.wav"},"part":"audio","isForPlaying":false"#)
    let path = try #require(link.replacing("\\/", with: "/").firstMatch(of: /\/file\/[0-9a-f]{32}/))
      .0
    #expect(try TestSocket.get(String(path), panel.port).hasPrefix("HTTP/1.1 200"))
    let deleted = try ask("deleteRecording", #""recording":{"folder":"takes","file":"two.wav"}"#)
    #expect(deleted.contains("result"))
    #expect(access("\(folder)/two.wav", F_OK) != 0 && access("\(folder)/two.mid", F_OK) != 0)
  }

  @Test(arguments: [
    "../one.wav", "/etc/passwd", "a/b.wav", ".wav", "one.txt", "one", "..", "a\\u0000.wav",
    "a\\n.wav", "",
  ])
  func `a page cannot name a file that is no recording`(_ name: String) throws {
    let panel = try TestPanel()
    let page = try panel.page()
    for method in ["deleteRecording", "linkRecording"] {
      try page.send(
        #"{"id":2,"method":"panel.\#(method)","params":{"recording":{"folder":"takes","file":"\#(name)"},"part":"audio","isForPlaying":true}}"#
      )
      #expect(try page.receive().contains("badMessage"), "\(name)")
    }
  }

  @Test func `without a sound device, nothing can be recorded`() throws {
    let panel = try TestPanel()
    let page = try panel.page()
    try page.send(#"{"id":2,"method":"panel.record","params":{"isOn":true}}"#)
    #expect(try page.receive().contains("no sound device"))
  }
}
