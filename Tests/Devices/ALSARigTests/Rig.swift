import Glibc

/// Where the tests run: see Tests/Rig/run.
enum Rig: String {
  /// On this very machine.
  case native
  case emulated
  /// Emulated, with instructions for a clock.
  case virtualTime = "virtual-time"

  /// `nil` outside the rig, as in `make test`.
  static let current = getenv("PORTATIVE_RIG").flatMap { Rig(rawValue: String(cString: $0)) }

  static let isRealTime = current == .native || current == .emulated

  /// A machine of one's own may lack what an emulated one has; in CI it must not.
  static let mayLack = current == .native && getenv("CI").map { String(cString: $0) } != "true"

  /// How many times more to do what may go wrong rarely.
  static let soak = getenv("PORTATIVE_SOAK").flatMap { Int(String(cString: $0)) } ?? 1

  static let hasKeyboards =
    isRealTime
    && (!mayLack
      || access("/sys/class/udc/dummy_udc.1", F_OK) == 0
        && access("/sys/kernel/config/usb_gadget", W_OK) == 0)

  static let hasRemovableCard =
    isRealTime && (!mayLack || access("/sys/bus/platform/drivers/snd_aloop/snd_aloop.1", F_OK) == 0)

  static let hasLoopback = isRealTime && (!mayLack || access("/proc/asound/Loopback", F_OK) == 0)
}

struct TookTooLong: Error {}

/// Waits until there is something; if that does not come about in 60 seconds, it is an error.
func wait<Value>(for value: () throws -> Value?) throws -> Value {
  let deadline = ContinuousClock.now + .seconds(60)
  while true {
    if let value = try value() { return value }
    if ContinuousClock.now > deadline { throw TookTooLong() }
    usleep(1000)
  }
}
