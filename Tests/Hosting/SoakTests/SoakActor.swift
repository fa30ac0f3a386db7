import TestSupport

/// Someone or something that acts in a soak.
///
/// What it does depends on the seed only: it draws all numbers of an action before it looks at the server, whose threads
/// may be faster or slower than the last time.
protocol SoakActor {
  /// How often it acts, relative to the others.
  var weight: Int { get }

  /// Does something.
  ///
  /// - Returns: What it did, for the journal.
  /// - Throws: ``SoakViolation`` if the server does not do what it must.
  mutating func act(on stage: SoakStage, _ random: inout Seeded) throws -> String

  /// Continues with what it does all the time, after each action of any actor.
  mutating func proceed(on stage: SoakStage) throws

  /// Ends all that it holds, so that nothing may sound.
  mutating func end(on stage: SoakStage) throws
}

extension SoakActor {
  mutating func proceed(on stage: SoakStage) {}
  mutating func end(on stage: SoakStage) {}
}

/// An invariant that was broken.
struct SoakViolation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Actions and how often each occurs, relative to the others.
struct SoakChoice<Action: Sendable>: Sendable {
  private let actions: [Action]

  init(_ weights: KeyValuePairs<Action, Int>) {
    actions = weights.flatMap { Array(repeating: $0.key, count: $0.value) }
  }

  var weight: Int { actions.count }

  func next(_ random: inout Seeded) -> Action { actions.randomElement(using: &random)! }
}
