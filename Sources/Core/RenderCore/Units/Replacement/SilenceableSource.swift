import Synchronization

/// Makes units that can be silenced. A unit that cannot do so itself is made again.
package struct SilenceableSource: RenderUnitSource {
  private let source: any RenderUnitSource

  package init(_ source: any RenderUnitSource) { self.source = source }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    try makeUnit(format, for: RenderContext())
  }

  package func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    let unit = try source.makeUnit(format, for: use)
    if unit is any SilenceableUnit { return unit }
    return RemadeUnit(ReplaceableUnit(unit, format, isOffline: use.isOffline)) { [source] in
      try source.makeUnit(format, for: use)
    }
  }
}

/// A unit that is made again in order to silence it.
final class RemadeUnit: SilenceableUnit, UnitWrapper {
  private let unit: ReplaceableUnit
  private let make: @Sendable () throws -> any RenderUnit

  /// Only one thread at a time may make a unit.
  private let remaking = Mutex(())
  /// The figures of the units before the present one.
  private let earlierStatus = Mutex<[UnitStatus]>([])

  init(
    _ unit: ReplaceableUnit, _ make: @escaping @Sendable () throws -> any RenderUnit
  ) {
    self.unit = unit
    self.make = make
  }

  var wrapped: any RenderUnit { unit }

  var status: [UnitStatus] { earlierStatus.withLock { unit.status.continuing($0) } }

  func silence() throws { try remake() }

  func renew() throws { try remake(fades: false) }

  private func remake(fades: Bool = true) throws {
    try remaking.withLock { _ in
      let new = try make()
      try new.restore(unit.save(), files: unit.files.references)
      try earlierStatus.withLock { earlier in
        let status = unit.status.continuing(earlier)
        try unit.replace(with: new, fades: fades)
        earlier = status
      }
    }
  }
}

/// A unit that can end everything that sounds.
package protocol SilenceableUnit: RenderUnit {
  /// Ends notes and tails within 512 frames. Parameters, programs, controllers and files remain. May be called while the
  /// unit renders.
  ///
  /// - Throws: An error whose description is a sentence for the user, if there is no memory for it.
  func silence() throws

  /// Continues as a new unit with the parameters, programs, controllers and files of now, from the next cycle on, so that
  /// what follows does not depend on what was played before. What sounds is cut off. May be called while the unit renders.
  ///
  /// - Throws: As ``silence()``.
  func renew() throws
}
