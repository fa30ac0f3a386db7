import Glibc
import TestSupport
import Testing

@testable import AudioFile

private let wav = try! AudioFormat(.wav)

@Test func `appears at its path only when finished`() throws {
  let folder = try TemporaryFolder()
  var writer = try AudioFileWriter(to: .file(folder("x.wav")), format: wav, sampleRate: 48000)
  try writer.write(interleaved: tones(frames: 100).span)
  #expect(folder.names == [])
  _ = try writer.finish()
  #expect(folder.names == ["x.wav"])
}

@Test func `a recording is found beside its path until it is finished`() throws {
  let folder = try TemporaryFolder()
  var writer = try AudioFileWriter(to: .recording(folder("x.wav")), format: wav, sampleRate: 48000)
  try writer.write(interleaved: tones(frames: 100).span)
  #expect(folder.names.count == 1)
  #expect(folder.names.first?.hasPrefix(".x.wav.") == true)
  _ = try writer.finish()
  #expect(folder.names == ["x.wav"])
}

@Test func `replaces an existing file, which stays intact for a process that has it open`() throws {
  let folder = try TemporaryFolder()
  try writeFile(folder("x.wav"), wav, tones(frames: 10))
  let old = open(folder("x.wav"), O_RDONLY)
  defer { close(old) }
  let length = lseek(old, 0, SEEK_END)
  try writeFile(folder("x.wav"), wav, tones(frames: 1000))
  #expect(lseek(old, 0, SEEK_END) == length)
  #expect(DecodedFile(folder("x.wav"))?.frames == 1000)
  #expect(folder.names == ["x.wav"])
}

@Test func `leaves nothing when discarded, and the old file when there was one`() throws {
  let folder = try TemporaryFolder()
  try AudioFileWriter(to: .file(folder("x.wav")), format: wav, sampleRate: 48000).discard()
  #expect(folder.names == [])
  try writeFile(folder("x.wav"), wav, tones(frames: 10))
  let before = fileBytes(folder("x.wav"))
  var writer = try AudioFileWriter(to: .file(folder("x.wav")), format: wav, sampleRate: 48000)
  try writer.write(interleaved: tones(frames: 100).span)
  writer.discard()
  #expect(folder.names == ["x.wav"])
  #expect(fileBytes(folder("x.wav")) == before)
}

@Test func `has the mode of any new file`() throws {
  let folder = try TemporaryFolder()
  try writeFile(folder("x.wav"), wav, [])
  let other = open(folder("y"), O_CREAT | O_WRONLY, 0o666)
  close(other)
  var ours = stat()
  var theirs = stat()
  #expect(stat(folder("x.wav"), &ours) == 0 && stat(folder("y"), &theirs) == 0)
  #expect(ours.st_mode == theirs.st_mode)
}

@Test func `replaces what a link points to, and keeps the link`() throws {
  let folder = try TemporaryFolder()
  try writeFile(folder("x.wav"), wav, [])
  #expect(symlink(folder("x.wav"), folder("link")) == 0)
  try writeFile(folder("link"), wav, tones(frames: 50))
  #expect(folder.names == ["link", "x.wav"])
  #expect(DecodedFile(folder("x.wav"))?.frames == 50)
  #expect(unlink(folder("link")) == 0)
}

@Test func `states why a file cannot be created`() throws {
  let folder = try TemporaryFolder()
  try writeFile(folder("file"), wav, [])
  for (path, code) in [
    (folder("none/x.wav"), ENOENT), (folder.path, EISDIR), (folder("file/x.wav"), ENOTDIR),
    (folder(String(repeating: "x", count: 300)), ENAMETOOLONG),
  ] {
    #expect(throws: AudioFileError.cannotCreate(path: path, code: code)) {
      try writeFile(path, wav, [])
    }
  }
  #expect(
    AudioFileError.cannotCreate(path: "a/x.wav", code: ENOENT).description
      == "cannot create 'a/x.wav': No such file or directory; create the folder first")
}

/// A device is written to and not replaced, and its error is reported regardless of the encoder.
@Test(arguments: AudioFormat.Container.allCases.filter(\.canStream))
func `reports a full device in every format`(container: AudioFormat.Container) throws {
  #expect(throws: AudioFileError.cannotWrite(path: "/dev/full", code: ENOSPC)) {
    try writeFile("/dev/full", AudioFormat(container), tones(frames: 20000))
  }
  var status = stat()
  #expect(stat("/dev/full", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
}

@Test(.enabled(if: geteuid() == 0, "mounting a small disk needs root"))
func `reports a disk that fills up in the middle, and leaves nothing on it`() throws {
  let folder = try TemporaryFolder()
  try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=16k") == 0)
  defer { umount(folder.path) }
  for container in AudioFormat.Container.allCases {
    // Noise, which no codec can compress much.
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<120_000).map { _ in Float.random(in: -1...1, using: &generator) }
    #expect(throws: AudioFileError.cannotWrite(path: folder("x"), code: ENOSPC), "\(container)") {
      try writeFile(folder("x"), AudioFormat(container), noise)
    }
    #expect(folder.names == [])
  }
}

@Test(
  .enabled(if: geteuid() == 0, "mounting a small disk needs root"),
  arguments: [AudioFormat.Container.wav, .rf64, .w64, .aiff, .au])
func `a recording that fills the disk keeps all that was written, with its length`(
  container: AudioFormat.Container
) throws {
  let folder = try TemporaryFolder()
  try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=72k") == 0)
  defer { umount(folder.path) }
  var writer = try AudioFileWriter(
    to: .recording(folder("x")), format: AudioFormat(container, bits: .b32f), sampleRate: 48_000)
  let samples = tones(frames: 20_000)
  #expect(throws: AudioFileError.cannotWrite(path: folder("x"), code: ENOSPC)) {
    try writer.write(interleaved: samples.span)
  }
  let kept = writer.keepPartial()
  let partial = try #require(kept)
  let file = try #require(DecodedFile(partial))
  // 72 KiB are 9216 frames.
  #expect(file.frames > 9000 && file.samples.count == 2 * file.frames)
  #expect(samples.starts(with: file.samples))
}

@Test func `reports that the reader of a pipe has closed it`() throws {
  signal(SIGPIPE, SIG_IGN)
  var ends: [CInt] = [0, 0]
  #expect(pipe(&ends) == 0)
  close(ends[0])
  defer { close(ends[1]) }
  #expect(throws: AudioFileError.brokenPipe) {
    _ = try AudioFileWriter(
      to: .descriptor(ends[1], name: "pipe"), format: wav, sampleRate: 48000
    ).finish()
  }
}

@Test
func `a file stays in its folder even if a link replaces the folder meanwhile`()
  throws
{
  let folder = try TemporaryFolder()
  for name in ["root", "root/sub", "elsewhere"] { #expect(mkdir(folder(name), 0o700) == 0) }
  let rules = OutputRules(root: folder("root"))
  var writer = try AudioFileWriter(
    to: .file(folder("root/sub/x.wav")), format: wav, sampleRate: 48000, rules: rules)
  try writer.write(interleaved: tones(frames: 100).span)
  #expect(rename(folder("root/sub"), folder("root/moved")) == 0)
  #expect(symlink(folder("elsewhere"), folder("root/sub")) == 0)
  _ = try writer.finish()
  #expect(access(folder("root/moved/x.wav"), F_OK) == 0)
  #expect(access(folder("elsewhere/x.wav"), F_OK) != 0)
  for path in ["root/sub/y.wav", "root/../y.wav"] {
    #expect(throws: AudioFileError.outside(path: folder(path), folder: folder("root"))) {
      try OutputFile(path: folder(path), rules: rules)
    }
  }
}

@Test func `what a killed process has left is removed, and nothing else`() throws {
  let folder = try TemporaryFolder()
  let others = [
    ".a.wav.47110-x.partial", ".a.4711-x.wav.1-y.partial", ".a.wav.4711-x.part",
    ".b.wav.4711-x.partial", "a.wav.4711-x.partial", "partial",
  ]
  for name in others + [".a.wav.4711-x.partial"] { close(creat(folder(name), 0o600)) }
  OutputFile.removePartialFiles(at: folder("a.wav"), of: 4711)
  #expect(folder.names == others.sorted())
  // All that is in a folder of the process.
  OutputFile.removePartialFiles(at: folder.path, of: 4711)
  #expect(folder.names == others.filter { $0 != ".b.wav.4711-x.partial" }.sorted())
  for name in ["song.wav", String(repeating: "ü", count: 120) + ".wav"] {
    let before = folder.names
    let file = try OutputFile(path: folder(name), keepsPartial: true)
    #expect(folder.names.count == before.count + 1)
    OutputFile.removePartialFiles(at: folder(name), of: getpid())
    #expect(folder.names == before)
    _ = consume file
  }
}

@Test func `a file that was created meanwhile is not replaced`() throws {
  let folder = try TemporaryFolder()
  let rules = OutputRules { _, isOwn in isOwn }
  for survives in [false, true] {
    let file = try OutputFile(path: folder("x.wav"), rules: rules, keepsPartial: survives)
    #expect([1, 2, 3].withUnsafeBytes(file.write))
    let other = open(folder("x.wav"), O_CREAT | O_WRONLY, 0o666)
    #expect(write(other, "mine", 4) == 4)
    close(other)
    #expect(throws: AudioFileError.alreadyExists(path: folder("x.wav"))) { try file.commit() }
    #expect(fileBytes(folder("x.wav")) == Array("mine".utf8))
    #expect(folder.names == ["x.wav"])
    unlink(folder("x.wav"))
  }
}

@Test func `files of this program are recognised by their tags without extended attributes`() throws
{
  let folder = try TemporaryFolder()
  for container in AudioFormat.Container.allCases {
    try writeFile(folder("x"), AudioFormat(container), tones(frames: 5000))
    let descriptor = open(folder("x"), O_RDONLY)
    defer { close(descriptor) }
    #expect(WrittenMark.isValid(on: descriptor))
    let isTagged = ![.mp3, .au, .w64, .raw].contains(container)
    #expect(WrittenMark.hasTag(descriptor) == isTagged, "\(container)")
  }
}
