package import RenderCore
import Synchronization

/// Creates pulse units and keeps references to them.
package final class PulseSource: RenderUnitSource {
  private let faults: PulseUnit.Faults
  /// Called before a unit is created.
  private let delay: @Sendable () -> Void
  private let created = Mutex<[PulseUnit]>([])

  package init(_ faults: PulseUnit.Faults = .init(), delay: @escaping @Sendable () -> Void = {}) {
    self.faults = faults
    self.delay = delay
  }

  package var units: [PulseUnit] { created.withLock { $0 } }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    guard format.sampleRate <= 96_000 else {
      throw FormatError(field: "sampleRate", value: format.sampleRate, allowed: 8000...96_000)
    }
    delay()
    let unit = PulseUnit(format, faults)
    created.withLock { $0.append(unit) }
    return unit
  }
}

/// Creates pulse units without keeping references to them.
package struct UntrackedPulseSource: RenderUnitSource {
  private let faults: PulseUnit.Faults

  package init(_ faults: PulseUnit.Faults = .init()) { self.faults = faults }

  package func makeUnit(_ format: Format) throws -> any RenderUnit { PulseUnit(format, faults) }
}
