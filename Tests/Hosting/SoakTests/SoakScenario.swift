import TestSupport

/// A soak: actors act at random, from a seed, and the server must do what it must.
struct SoakScenario {
  let stage: SoakStage
  private(set) var journal = SoakJournal()
  private let seed: UInt64
  private var random: Seeded
  /// Who acts.
  private var actor = ""
  private var actors: [any SoakActor] = [
    SoakKeyboards(), SoakHosts(), SoakPages(), SoakHand(), SoakMachine(),
  ]

  init(seed: UInt64) throws {
    self.seed = seed
    random = Seeded(seed)
    stage = try SoakStage()
  }

  /// Returns what the process uses while nothing is connected. Call it after ``perform(steps:)``.
  func figures() throws -> SoakFigures {
    try stage.whileNothingIsConnected { SoakFigures(of: stage, step: journal.steps) }
  }

  /// Performs some steps, then ends all notes and checks that everything is silent, and that keys sound.
  mutating func perform(steps count: Int) throws {
    do {
      for _ in 0..<count { try step() }
      for index in actors.indices { try actors[index].end(on: stage) }
      try SoakChecks(stage: stage).expectSilence()
      try SoakChecks(stage: stage).expectNothingLost()
    } catch {
      throw SoakViolation(
        "\(error), after step \(journal.steps), \(actor), at \(stage.sound.hours) h; repeat it with SEED=\(seed). The last steps:\n"
          + journal.last.joined(separator: "\n"))
    }
  }

  private mutating func step() throws {
    var choice = Int.random(in: 0..<actors.reduce(0) { $0 + $1.weight }, using: &random)
    var index = 0
    while choice >= actors[index].weight {
      choice -= actors[index].weight
      index += 1
    }
    actor = "\(type(of: actors[index]))"
    let action = try actors[index].act(on: stage, &random)
    journal.add(action)
    stage.sound.play(seconds: .random(in: 0.005...0.5, using: &random))
    for index in actors.indices { try actors[index].proceed(on: stage) }
    try SoakChecks(stage: stage).expectNothingLost()
  }
}
