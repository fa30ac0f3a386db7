import ALSAMIDI
import Synchronization

/// The rules for connecting keyboards, which change when the configuration is reloaded.
final class WiringRulesBox: Sendable {
  private let rules = Mutex(WiringRules())

  var current: WiringRules {
    get { rules.withLock { $0 } }
    set { rules.withLock { $0 = newValue } }
  }
}
