import CLink
import FoundationEssentials
import Glibc
import LiveAudio
import LocalSystem
import TestSupport
import Testing

/// The folder of the package's build.
private let buildFolder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
  .deletingLastPathComponent().appending(path: "../..").path()

/// Members of a session on this machine. They need the built program: `make test-link`.
@Suite(
  .timeLimit(.minutes(5)), .serialized,
  .enabled(if: access(buildFolder + "/portative-link", X_OK) == 0))
struct LinkSessionTests {
  private let reports = Reports()
  private let network: LinkNetwork

  init() throws { network = try LinkNetwork() }

  private func join() throws -> LinkProgram {
    let environment = ProcessEnvironment(variables: ["PATH": buildFolder])
    return try LinkProgram(in: environment) { [reports] in reports.append($0, isError: $1) }
  }

  /// The difference of the positions of two members in frames at 48,000 Hz, apart from whole bars.
  private func difference(_ one: LinkProgram, _ other: LinkProgram) throws -> Double {
    let (first, second) = (try #require(one.memory.state), try #require(other.memory.state))
    let now = MonotonicClock.now
    func beat(_ state: link_state) -> Double {
      state.beat + Double(now - state.time) / 60e9 * state.tempo
    }
    let beats = (beat(first) - beat(second)).remainder(dividingBy: 4)
    return beats.magnitude * 60 / first.tempo * 48_000
  }

  private func areJoined(_ programs: LinkProgram...) -> Bool {
    eventually { programs.allSatisfy { Int($0.memory.state?.peers ?? 0) == programs.count - 1 } }
  }

  @Test func `members agree to less than a frame, through joins and changes of tempo`() throws {
    let start = MonotonicClock.now
    let (one, other) = (try join(), try join())
    defer { for program in [one, other] { program.stop() } }
    #expect(areJoined(one, other))
    for tempo in [90.0, 174.3, 20, 999] {
      one.send(.tempo(tempo))
      let isKnown = eventually {
        [one, other].allSatisfy {
          ($0.memory.state.map { ($0.tempo - tempo).magnitude } ?? 1) < 1e-3
        }
      }
      #expect(isKnown, "\(tempo) BPM")
      // A member measures the clock of another one several times.
      #expect(try eventually { try difference(one, other) < 1 }, "\(tempo) BPM")
    }
    // The older one of two sessions continues when they meet, if it is older by more than half a second.
    #expect(eventually { MonotonicClock.now - start > 1_500_000_000 })
    let third = try join()
    defer { third.stop() }
    #expect(areJoined(one, other, third))
    #expect(try eventually { try difference(one, third) < 1 && difference(one, other) < 1 })
    #expect(eventually { (third.memory.state.map { ($0.tempo - 999).magnitude } ?? 1) < 1e-3 })
  }

  @Test func `only portative-link has sockets of the network, and accepts no connections`() throws {
    let program = try join()
    defer { program.stop() }
    /// The sockets of all members of this process. Other tests end theirs meanwhile.
    func sockets() -> [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.filter { process in
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status?.hasPrefix("Name:\tportative-link\n") == true
          && status?.contains("\nPPid:\t\(getpid())\n") == true
      }.flatMap { ListeningSockets.of(process: $0) }
    }
    #expect(eventually { !sockets().isEmpty })
    #expect(sockets().allSatisfy { $0.hasPrefix("udp ") })
    // The C library opens one for a moment when another test looks up an address.
    #expect(
      eventually { !ListeningSockets.of(process: getpid()).contains { $0.hasPrefix("udp ") } })
  }

  @Test func `start and stop of one member are those of the others, at the same time`() throws {
    let (one, other) = (try join(), try join())
    defer { for program in [one, other] { program.stop() } }
    #expect(areJoined(one, other))
    for (command, isPlaying) in [(LinkCommand.play, UInt32(1)), (.stop, 0), (.play, 1)] {
      one.send(command)
      #expect(eventually { other.memory.state?.is_playing == isPlaying }, "\(command)")
      let times = (one.memory.state?.since ?? 0, other.memory.state?.since ?? 0)
      #expect((times.0 - times.1).magnitude < 20_000, "\(times)")
    }
  }

  @Test func `after a thousand changes of two members, both have the last tempo and state`() throws
  {
    let (one, other) = (try join(), try join())
    defer { for program in [one, other] { program.stop() } }
    #expect(areJoined(one, other))
    var random = Seeded(5)
    for number in 0..<500 {
      one.send(.tempo(.random(in: 20...999, using: &random)))
      other.send(.tempo(.random(in: 20...999, using: &random)))
      (number % 2 == 0 ? one : other).send(number % 3 == 0 ? .play : .stop)
    }
    // A change is that of the session if it is later than all others.
    let isFollowed = eventually {
      one.send(.tempo(97))
      one.send(.play)
      return [one, other].allSatisfy { program in
        program.memory.state.map { ($0.tempo - 97).magnitude < 1e-3 && $0.is_playing == 1 } == true
      }
    }
    #expect(isFollowed)
    #expect(try eventually { try difference(one, other) < 1 })
  }

  @Test func `a member that ends leaves the session, and the tempo continues`() throws {
    let (one, other) = (try join(), try join())
    defer { other.stop() }
    #expect(areJoined(one, other))
    one.send(.tempo(133))
    #expect(eventually { (other.memory.state.map { ($0.tempo - 133).magnitude } ?? 1) < 1e-3 })
    one.stop()
    #expect(eventually { other.memory.state?.peers == 0 })
    #expect(other.memory.state.map { ($0.tempo - 133).magnitude < 1e-3 } == true)
  }
}
