import AudioFile
import Testing

@testable import BatchRenderer

@Test func `what the system has in place of files is no file, but for those in memory`() throws {
  #expect(SongPath.isDevice("/dev/null") && SongPath.isDevice("/dev/fd/3"))
  #expect(!SongPath.isDevice("/dev/shm/a.flac") && !SongPath.isDevice("dev/a"))
  #expect(try SongOptions().format(of: "/dev/null").container == .wav)
  #expect(try SongOptions().format(of: "/dev/shm/a.flac").container == .flac)
}
