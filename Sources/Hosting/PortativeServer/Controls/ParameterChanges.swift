import Dispatch
import LiveMIDI
import NodeServer
import RenderCore
import Synchronization

/// Does what follows a change of parameters by controls: hosts are notified, and settings are kept.
///
/// A control sends up to a thousand values per second. The values are set at once, but what follows is done at most
/// ten times per second, on a thread of its own, and for the last value always.
///
/// While a port has no unit, its controls change what players have set, as `portative set` does.
final class ParameterChanges: Sendable {
  private let port: PublishedPort
  private let queue = DispatchQueue(label: "portative-controls")
  private let state = Mutex(State())

  /// Handles a reading that came while there was no unit.
  typealias Setter = @Sendable (any RenderUnit, ControlReading) -> Void

  private struct State {
    /// The unit that has changed, and whether a host rendered it.
    var changed: (unit: any RenderUnit, isHosted: Bool)?
    /// In the order of arrival.
    var postponed: [(player: PortControls.Player, reading: ControlReading, set: Setter)] = []
    var isScheduled = false
    var last = DispatchTime(uptimeNanoseconds: 1)
  }

  private static let interval = DispatchTimeInterval.milliseconds(100)
  private static let maximumPostponed = 256

  init(_ port: PublishedPort) { self.port = port }

  /// Acts on a change of the unit that keyboards play.
  func changed(_ unit: any RenderUnit) {
    state.withLock { state in
      if state.changed?.unit !== unit { state.changed = (unit, port.isHosted(unit)) }
      schedule(&state)
    }
  }

  /// Keeps a reading until there is a unit.
  func postpone(
    _ reading: ControlReading, of player: PortControls.Player, _ set: @escaping Setter
  ) {
    state.withLock { state in
      // Of positions, the last one counts.
      if case .position = reading {
        state.postponed.removeAll { $0.player == player }
      }
      if state.postponed.count < Self.maximumPostponed {
        state.postponed.append((player, reading, set))
      }
      schedule(&state)
    }
  }

  private func schedule(_ state: inout State) {
    if state.isScheduled { return }
    state.isScheduled = true
    queue.asyncAfter(deadline: max(.now(), state.last + Self.interval)) { self.act() }
  }

  private func act() {
    let (changed, postponed) = state.withLock { state in
      defer {
        state.changed = nil
        state.postponed = []
        state.isScheduled = false
        state.last = .now()
      }
      return (state.changed, state.postponed)
    }
    // The settings of a host that has gone are not those of players.
    if let changed, !changed.isHosted || port.isHosted(changed.unit) {
      port.settingsChanged(of: changed.unit)
    }
    if postponed.isEmpty || port.isWithdrawn { return }
    guard let unit = try? port.input.playedUnit ?? port.makePlayerUnit() else { return }
    for (_, reading, set) in postponed { set(unit, reading) }
    port.settingsChanged(of: unit)
  }
}
