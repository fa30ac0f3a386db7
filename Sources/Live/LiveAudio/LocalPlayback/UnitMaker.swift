import Dispatch
import LocalSystem
import RenderCore

/// Makes units beside each other, each on a thread of its own, because a plugin may take long to start, or hang.
///
/// Threads: the playback's queue.
struct UnitMaker {
  /// What a unit is made for.
  struct Key: Hashable {
    let port: ObjectIdentifier
    /// The sound of a zone; 0: it is the port's own unit.
    let sound: UInt8
  }

  struct Made {
    let key: Key
    let result: Result<any RenderUnit, any Error>
    /// Whether others have not waited for it.
    let isLate: Bool
  }

  /// The seconds for which the units that have been made wait for another one.
  private static var longestWait: Double { 1 }

  private var attempts: [Key: Recovery<any RenderUnit>] = [:]
  /// Called on any thread when a unit has been made.
  var wake: @Sendable () -> Void = {}

  func isMaking(_ key: Key) -> Bool { attempts[key]?.isInProgress ?? false }

  /// Begins to make units, and waits as long as one after the other is made.
  ///
  /// - Parameter units: The units, and how to make each.
  /// - Returns: The units that have been made since the last call, also those that were begun earlier, by their sounds.
  mutating func make(_ units: [Key: @Sendable () throws -> any RenderUnit]) -> [Made] {
    let finished = DispatchSemaphore(value: 0)
    for (key, make) in units {
      attempts[key, default: Recovery()].restart(at: MonotonicClock.now, make)
    }
    var made = take(units.keys) { finished.signal() }
    for _ in made.count(where: { !$0.isLate })..<units.count
    where finished.wait(timeout: .now() + Self.longestWait) == .timedOut { break }
    made += take(units.keys)
    return made.sorted { $0.key.sound < $1.key.sound }
  }

  private mutating func take(
    _ begun: some Collection<Key>, waking signal: @escaping @Sendable () -> Void = {}
  ) -> [Made] {
    var made: [Made] = []
    for key in attempts.keys {
      let outcome = attempts[key]?.update(at: MonotonicClock.now) { [wake] in
        signal()
        wake()
      }
      guard let outcome else { continue }
      let result: Result<any RenderUnit, any Error> =
        switch outcome {
        case .value(let unit, _): .success(unit)
        case .failure(let error): .failure(error)
        }
      attempts[key]?.cancel()
      made.append(Made(key: key, result: result, isLate: !begun.contains(key)))
    }
    return made
  }

  /// Gives up units that are being made.
  mutating func cancel(where isUnwanted: (Key) -> Bool) {
    for key in attempts.keys where isUnwanted(key) { attempts[key]?.cancel() }
  }

  /// Gives up the units of a port that is removed.
  mutating func remove(_ port: ObjectIdentifier) {
    cancel { $0.port == port }
    attempts = attempts.filter { $0.key.port != port }
  }
}
