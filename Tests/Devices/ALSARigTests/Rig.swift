import Glibc
import ProgramTestSupport
import TestSupport
import Testing

/// The machine on which the tests run: see Tests/Rig/run.
enum Rig: String {
  /// This machine.
  case native
  case emulated
  /// Emulated, with instructions as the clock.
  case virtualTime = "virtual-time"

  /// The machine, or `nil` outside the rig, as in `make test`.
  static let current = getenv("PORTATIVE_RIG").flatMap { Rig(rawValue: String(cString: $0)) }

  static let isRealTime = current == .native || current == .emulated

  /// Whether hardware may be missing: a developer's machine may lack it, an emulated machine or CI must not.
  static let mayLack = current == .native && getenv("CI").map { String(cString: $0) } != "true"

  /// The factor by which tests repeat actions that rarely fail.
  static let faultFactor = Faults.count(usual: 1)

  /// Longer than elsewhere, because an emulated processor is slow.
  static let timeLimit = TimeLimitTrait.Duration.minutes(5 * faultFactor)

  /// Whether keyboards can be plugged in, also in virtual time.
  static let hasSockets =
    current != nil
    && (!mayLack
      || access("/sys/class/udc/dummy_udc.1", F_OK) == 0
        && access("/sys/kernel/config/usb_gadget", W_OK) == 0)

  static let hasKeyboards = isRealTime && hasSockets

  static let hasRemovableCard =
    isRealTime && (!mayLack || access("/sys/bus/platform/drivers/snd_aloop/snd_aloop.1", F_OK) == 0)

  /// Whether there is a sound card, also in virtual time.
  static let hasCard = current != nil && (!mayLack || access("/proc/asound/Loopback", F_OK) == 0)

  static let hasLoopback = isRealTime && hasCard
}

extension TemporaryUser {
  /// Creates a user whose servers publish the port `Test: Keys`, without reverb and chorus, and `others`.
  static func withKeys(and others: String...) throws -> TemporaryUser {
    let user = try TemporaryUser()
    user.variables["PATH"] = "/usr/bin:/bin:/usr/sbin:/sbin"
    let keys = #"{ name: "Test: Keys", subtype: "keys", reverb: false, chorus: false }"#
    try user.configure("{ ports: [\(([keys] + others).joined(separator: ","))] }")
    return user
  }
}

struct TimeoutError: Error {}

/// Waits until `value` returns a value; throws after 60 seconds.
func wait<Value>(for value: () throws -> Value?) throws -> Value {
  let deadline = ContinuousClock.now + .seconds(60)
  while true {
    if let value = try value() { return value }
    if ContinuousClock.now > deadline { throw TimeoutError() }
    usleep(1000)
  }
}
