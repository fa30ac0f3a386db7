import LiveMIDI
import RenderCore

/// The controls of a port, found by message.
struct ControlTable {
  private let learned: [Control]
  private let configured: [Control]
  /// One bit for each message that some control includes.
  private var bits: [UInt64]

  private static let words = 16 * 512 / 64

  init(learned: [Control] = [], configured: [Control] = []) {
    self.learned = learned
    self.configured = configured
    bits = Array(repeating: 0, count: Self.words)
    for control in learned + configured {
      for channel in UInt8(0)..<16 {
        if let only = control.trigger.channel, only != channel { continue }
        for number in Self.numbers(of: control.trigger.message) {
          let index = Int(channel) * 512 + number
          bits[index / 64] |= 1 << UInt64(index % 64)
        }
      }
    }
  }

  var isEmpty: Bool { learned.isEmpty && configured.isEmpty }

  /// Whether some control includes the message, perhaps of another keyboard.
  func includes(_ message: ChannelMessage) -> Bool {
    let number = Int(message.data1)
    let place =
      switch message.kind {
      case .controlChange: number
      case .noteOn, .noteOff, .keyPressure: 128 + number
      case .programChange: 256 + number
      case .pitchBend: 384
      case .channelPressure: 385
      }
    let index = Int(message.channel) * 512 + place
    return bits[index / 64] & 1 << UInt64(index % 64) != 0
  }

  /// Returns the controls of a message: the learned ones, or if there is none, those of the configuration.
  func controls(for message: ChannelMessage, of keyboard: String?) -> [Control] {
    func select(_ controls: [Control]) -> [Control] {
      controls.filter {
        $0.trigger.includes(message) && $0.trigger.includes(keyboard: keyboard)
      }
    }
    let found = select(learned)
    return found.isEmpty ? select(configured) : found
  }

  private static func numbers(of message: ControlTrigger.Message) -> [Int] {
    switch message {
    case .controller(let number), .encoder(let number, _): [Int(number)]
    case .fineController(let number): [Int(number), Int(number) + 32]
    case .note(let key): [128 + Int(key)]
    case .program(let number?): [256 + Int(number)]
    case .program(nil): Array(256..<384)
    case .pitchBend: [384]
    case .pressure: [385]
    }
  }
}
