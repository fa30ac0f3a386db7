import FoundationEssentials
import Testing

@testable import bench

private func setting(
  _ placement: RoundTripSetting.Placement, frames: Int = 64, touches: Bool = true, rate: Int? = nil
) -> RoundTripSetting {
  RoundTripSetting(
    policy: .other, placement: placement, frames: frames, touches: touches, rate: rate, cycles: 20)
}

@Suite(.timeLimit(.minutes(5))) struct `The futex ping-pong` {
  @Test(arguments: [
    setting(.same, touches: false), setting(.free), setting(.free, frames: 1024),
    setting(.same, frames: 1, rate: 192_000),
  ])
  func `measures the requested number of cycles and loses none`(
    setting: RoundTripSetting
  ) throws {
    let roundTrips = try RoundTripContestant.futex.run(setting)
    #expect(roundTrips.durations.count == 20)
    #expect(roundTrips.late == 0)
    #expect(roundTrips.durations.allSatisfy { $0 > 0 })
  }

  @Test func `keeps the requested rate`() throws {
    let clock = ContinuousClock()
    let time = try clock.measure {
      _ = try RoundTripContestant.futex.run(setting(.free, frames: 192, rate: 19_200))
    }
    // 22 cycles, of which 2 are for warm-up; the last begins after 210 ms.
    #expect(time >= .milliseconds(210))
  }

  @Test func `reports an invalid value with the valid range`() throws {
    let child = try Child.run(
      "sh", ["-c", "exec \"$0\" futex --frames 8193 2>&1", ownFolder() + "/pingpong"],
      keepsOutput: true)
    #expect(child.exitCode == 2)
    #expect(child.output == "pingpong: --frames must be 1 ... 8192, not '8193'\n")
  }
}

@Suite(.timeLimit(.minutes(5)), .enabled(if: isInstalled("jackd"), "Debian: jackd2"))
struct `The path through JACK` {
  @Test func `measures the requested number of cycles`() throws {
    let setting = setting(.free, frames: 1024, rate: 48_000)
    #expect(try RoundTripContestant.jack.run(setting).durations.count == 20)
  }

  @Test func `removes its server's files from shared memory`() throws {
    let child = try Child.run(
      "sh", ["-c", "echo $$; exec \"$0\" jack --cycles 1", ownFolder() + "/pingpong"],
      keepsOutput: true)
    #expect(child.exitCode == 0)
    let process = try #require(child.output.split(separator: "\n").first)
    let files = try FileManager.default.contentsOfDirectory(atPath: "/dev/shm")
    #expect(files.filter { $0.contains("portative-\(process)_") } == [])
  }
}

private func isInstalled(_ program: String) -> Bool {
  (try? Child.run("sh", ["-c", "command -v \(program)"]))?.exitCode == 0
}
