import ALSAMIDI
import Synchronization

/// The rules by which keyboards are wired, as the configuration says; it may be read again meanwhile.
final class WiringRulesBox: Sendable {
  private let rules = Mutex(WiringRules())

  var current: WiringRules {
    get { rules.withLock { $0 } }
    set { rules.withLock { $0 = newValue } }
  }
}
