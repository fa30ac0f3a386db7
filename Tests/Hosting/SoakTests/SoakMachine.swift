import PortativeServer
import RenderCore
import TestSupport

/// What happens to the machine: sound cards that are lost and return, in other formats, suspend, steps of clocks, and
/// servers that end.
struct SoakMachine: SoakActor {
  private enum Action: Sendable { case rest, reopen, lose, suspend, jump, serve }
  private static let choice = SoakChoice<Action>([
    .rest: 4, .reopen: 2, .lose: 2, .suspend: 1, .jump: 2, .serve: 1,
  ])
  /// The server tries a lost device again after seconds of real time, so only the first ones are waited for.
  private static let maximumWaits = 3
  private var waits = 0

  var weight: Int { Self.choice.weight }

  mutating func act(on stage: SoakStage, _ random: inout Seeded) throws -> String {
    let action = Self.choice.next(&random)
    let isPatient = Bool.random(using: &random)
    let share = Double.random(in: 0...1, using: &random)
    let format = Format(
      sampleRate: [22_050, 44_100, 48_000, 96_000].randomElement(using: &random)!,
      maximumFrames: [64, 256, 1024].randomElement(using: &random)!)
    switch action {
    case .rest: stage.sound.play(seconds: 60 * share)
    case .reopen:
      stage.sound.setFormat(format)
      stage.server.restartSound()
      try stage.playUntilReady()
    case .lose:
      stage.sound.setFormat(format)
      try lose(on: stage, seconds: 10 * share, isPatient: isPatient)
    case .suspend: stage.sound.suspend(seconds: 600 * share)
    case .jump: stage.sound.jump(seconds: isPatient ? 30 * share : -share)
    case .serve:
      try stage.restart()
      try stage.playUntilReady()
    }
    return "machine: \(action) \(isPatient) \(share) \(format.sampleRate) \(format.maximumFrames)"
  }

  private mutating func lose(on stage: SoakStage, seconds: Double, isPatient: Bool) throws {
    stage.sound.unplug()
    try stage.play(until: "a lost device is closed") { !stage.sound.isRunning }
    stage.sound.play(seconds: seconds)
    stage.sound.plug()
    if isPatient, waits < Self.maximumWaits {
      waits += 1
    } else {
      stage.server.restartSound()
    }
    try stage.playUntilReady()
  }
}
