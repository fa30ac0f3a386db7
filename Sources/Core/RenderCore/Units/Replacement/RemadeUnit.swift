import Synchronization

/// A unit that is made again in order to silence it.
final class RemadeUnit: SilenceableUnit, UnitWrapper {
  private let unit: ReplaceableUnit
  private let make: @Sendable () throws -> any RenderUnit

  /// Only one thread at a time may make a unit.
  private let remaking = Mutex(())

  init(
    _ unit: ReplaceableUnit, _ make: @escaping @Sendable () throws -> any RenderUnit
  ) {
    self.unit = unit
    self.make = make
  }

  var wrapped: any RenderUnit { unit }

  func silence() throws { try remake() }

  func renew() throws { try remake(fades: false) }

  private func remake(fades: Bool = true) throws {
    try remaking.withLock { _ in
      let new = try make()
      try new.restore(unit.save(), files: unit.files.references)
      try unit.replace(with: new, fades: fades)
    }
  }
}
