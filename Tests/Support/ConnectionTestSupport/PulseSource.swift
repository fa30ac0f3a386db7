package import RenderCore
import Synchronization

/// Makes pulse units, and remembers them.
package final class PulseSource: RenderUnitSource {
  private let faults: PulseUnit.Faults
  /// Called before a unit is made.
  private let delay: @Sendable () -> Void
  private let made = Mutex<[PulseUnit]>([])

  package init(_ faults: PulseUnit.Faults = .init(), delay: @escaping @Sendable () -> Void = {}) {
    self.faults = faults
    self.delay = delay
  }

  package var units: [PulseUnit] { made.withLock { $0 } }

  package func makeUnit(_ format: Format) throws -> any RenderUnit {
    guard format.sampleRate <= 96_000 else {
      throw FormatError(field: "sampleRate", value: format.sampleRate, allowed: 8000...96_000)
    }
    delay()
    let unit = PulseUnit(format, faults)
    made.withLock { $0.append(unit) }
    return unit
  }
}

/// Makes pulse units, and forgets them.
package struct ForgetfulSource: RenderUnitSource {
  private let faults: PulseUnit.Faults

  package init(_ faults: PulseUnit.Faults = .init()) { self.faults = faults }

  package func makeUnit(_ format: Format) throws -> any RenderUnit { PulseUnit(format, faults) }
}
