import CLink
import FoundationEssentials
import Glibc
import LiveAudio
import LocalSystem
import MIDIFile
import TestSupport
import Testing

@testable import LivePlayer

/// The folder of the package's build.
private let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "../..").path()

/// Sessions on this machine. They need the built program: `make test-link`.
@Suite(
  .timeLimit(.minutes(5)), .serialized,
  .enabled(if: access(buildFolder + "/portative-link", X_OK) == 0))
struct LinkLeadingTests {
  private let network: LinkNetwork

  init() throws { network = try LinkNetwork() }

  private let environment = ProcessEnvironment(variables: ["PATH": buildFolder])

  /// A song of 100 BPM, and from beat 4 on of 140.
  private var song: SongTransport {
    get throws {
      let file = StandardMIDIFile(
        format: .singleTrack, division: .ticksPerQuarter(480),
        tracks: [
          .init([
            .init(tick: 0, .meta(.tempo(600_000))), .init(tick: 4 * 480, .meta(.tempo(428_571))),
          ])
        ])
      return SongTransport(try file.timeline(sampleRate: 48_000).beatMap)
    }
  }

  private func hasTempo(_ tempo: Double, _ member: LinkProgram) -> Bool {
    eventually { (member.memory.state.map { ($0.tempo - tempo).magnitude } ?? 1) < 0.01 }
  }

  @Test func `a leading song sets the tempo of the session, and starts and stops it`() throws {
    let member = try LinkProgram(in: environment) { _, _ in }
    defer { member.stop() }
    let session = try LinkSession(in: environment, leads: true)
    defer { session.stop() }
    #expect(eventually { member.memory.state?.peers == 1 && session.memory.state?.peers == 1 })
    var song = try song
    session.update(song)
    #expect(hasTempo(100, member))
    song.start()
    session.update(song)
    #expect(eventually { member.memory.state?.is_playing == 1 })
    song.jump(toBeat: 5)
    session.update(song)
    #expect(hasTempo(140, member))
    song.stop()
    session.update(song)
    #expect(eventually { member.memory.state?.is_playing == 0 })
  }

  @Test func `a following song leaves the session as it is`() throws {
    let start = MonotonicClock.now
    let member = try LinkProgram(in: environment) { _, _ in }
    defer { member.stop() }
    member.send(.tempo(77))
    #expect(hasTempo(77, member))
    // The older one of two sessions continues when they meet, if it is older by more than half a second.
    #expect(eventually { MonotonicClock.now - start > 1_500_000_000 })
    let session = try LinkSession(in: environment, leads: false)
    defer { session.stop() }
    #expect(eventually { session.memory.state?.peers == 1 })
    var song = try song
    song.start()
    session.update(song)
    #expect(eventually { !session.takeLines().isEmpty })
    #expect(hasTempo(77, member))
    #expect(member.memory.state?.is_playing == 0)
  }
}
