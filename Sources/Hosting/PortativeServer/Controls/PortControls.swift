import LiveMIDI
import NodeServer
import RenderCore
import Synchronization

/// Handles the messages of the controls of a port: sets parameters, and hands on everything that takes longer.
///
/// Threads: any.
final class PortControls: LiveInputFilter {
  let port: PublishedPort
  private let changes: ParameterChanges
  private let onAction: @Sendable (ControlAction) -> Void
  private let state = Mutex(State())

  private struct State {
    var table = ControlTable()
    var learning: Learning?
    var players: [Player: ControlState] = [:]
    /// The keys whose note-on the port has not received.
    var keys: Set<Key> = []
    /// The pedals that the port has been given a release of, because they may have been down before.
    var released: Set<Player> = []
  }

  private struct Learning {
    var learner: ControlLearner
    let onLearned: @Sendable (ControlTrigger) -> Bool
  }

  /// A control of one keyboard and channel.
  struct Player: Hashable {
    let control: Control
    let source: LiveInput.Source
    let name: String?
    let channel: UInt8
  }

  private struct Key: Hashable {
    let source: LiveInput.Source
    let channel: UInt8
    let number: UInt8
  }

  struct ControlState {
    var reader = ControlReader()
    var follower = ControlFollower()
  }

  /// - Parameter onAction: Called on the thread of the keyboard for everything but changes of parameters.
  init(_ port: PublishedPort, onAction: @escaping @Sendable (ControlAction) -> Void) {
    self.port = port
    self.onAction = onAction
    changes = ParameterChanges(port)
  }

  /// Sets the controls. The state of those that remain is kept.
  func set(learned: [Control], configured: [Control]) {
    state.withLock { state in
      state.table = ControlTable(learned: learned, configured: configured)
      let known = Set(learned + configured)
      state.players = state.players.filter { known.contains($0.key.control) }
      state.released = state.released.filter { known.contains($0.control) }
      state.keys = known.isEmpty ? [] : state.keys
    }
    install()
  }

  /// Starts to learn.
  ///
  /// - Parameter onLearned: Receives the trigger on the thread of the keyboard, without the lock. Returns whether it is
  ///   used.
  func learn(_ wish: ControlLearner.Wish, onLearned: @escaping @Sendable (ControlTrigger) -> Bool) {
    state.withLock {
      $0.learning = Learning(learner: ControlLearner(wish), onLearned: onLearned)
    }
    install()
  }

  /// Whether a control is being learned.
  var isLearning: Bool { state.withLock { $0.learning != nil } }

  /// Ends learning.
  func endLearning() {
    state.withLock { $0.learning = nil }
    install()
  }

  /// Receives the port's messages only while that is needed.
  private func install() {
    state.withLock { state in
      let isNeeded = state.learning != nil || !state.table.isEmpty
      port.input.setFilter(isNeeded ? self : nil)
    }
  }

  func handles(
    _ content: MIDIContent, from source: LiveInput.Source, of input: LiveInput
  ) -> Bool {
    guard case .channel(let message) = content else { return false }
    let (learned, answer) = state.withLock { state -> (Learning?, ControlLearner.Answer) in
      guard var learning = state.learning else { return (nil, .ignored) }
      let answer = learning.learner.follow(message, from: source)
      state.learning = learning
      return (learning, answer)
    }
    switch answer {
    case .learned(let found):
      let trigger = ControlTrigger(
        found, channel: message.channel, keyboard: input.name(of: source))
      if learned?.onLearned(trigger) == true {
        state.withLock { state in
          // A key that is learned has no effect until it is pressed again, but its end must not reach the port.
          if case .note(let number) = found {
            state.keys.insert(Key(source: source, channel: message.channel, number: number))
          }
        }
        // As for the first message of a control: a pedal may be down.
        return !isReleaseOfPedal(message)
      }
    case .followed: return true
    case .ignored: break
    }
    return play(message, from: source, of: input)
  }

  private func isReleaseOfPedal(_ message: ChannelMessage) -> Bool {
    message.kind == .controlChange && ChannelChase.isSwitch(message.data1) && message.data2 < 64
  }

  /// Handles the message of a control.
  ///
  /// - Returns: Whether it is of a control.
  private func play(
    _ message: ChannelMessage, from source: LiveInput.Source, of input: LiveInput
  ) -> Bool {
    let (isHandled, actions) = state.withLock { state -> (Bool, [ControlAction]) in
      let key = Key(source: source, channel: message.channel, number: message.data1)
      if message.endsNote { return (state.keys.remove(key) != nil, []) }
      if message.kind == .keyPressure { return (state.keys.contains(key), []) }
      // Before anything that costs more, because most messages are of no control.
      guard state.table.includes(message) else { return (false, []) }
      let name = input.name(of: source)
      let controls = state.table.controls(for: message, of: name)
      if controls.isEmpty { return (false, []) }
      if message.startsNote { state.keys.insert(key) }
      var actions: [ControlAction] = []
      var isPassed = false
      for control in controls {
        let player = Player(
          control: control, source: source, name: name, channel: message.channel)
        if isReleaseOfPedal(message), state.released.insert(player).inserted { isPassed = true }
        actions += play(message, by: player, &state)
      }
      return (!isPassed, actions)
    }
    for action in actions { onAction(action) }
    return isHandled
  }

  private func play(
    _ message: ChannelMessage, by player: Player, _ state: inout State
  ) -> [ControlAction] {
    let control = player.control
    let reading = state.players[player, default: ControlState()].reader
      .follow(message, of: control.trigger.message)
    guard let reading else { return [] }
    if case .parameter(let parameter) = control.effect {
      guard let unit = port.input.playedUnit else {
        changes.postpone(reading, of: player) { unit, reading in
          self.state.withLock { state in
            _ = self.set(parameter, of: unit, reading, by: player, &state)
          }
        }
        return []
      }
      if set(parameter, of: unit, reading, by: player, &state) { changes.changed(unit) }
      return []
    }
    if case .position(let position) = reading {
      let isPress = state.players[player, default: ControlState()].reader.isPress(position)
      if !isPress { return [] }
    }
    return [ControlAction(control: control, message: message, keyboard: player.name, port: port)]
  }

  /// - Returns: Whether the value has changed.
  @discardableResult
  private func set(
    _ controlled: ControlledParameter, of unit: any RenderUnit, _ reading: ControlReading,
    by player: Player, _ state: inout State
  ) -> Bool {
    guard let store = unit.parameters, let index = store.tree.index(of: controlled.identifier)
    else { return false }
    let parameter = store.tree.parameters[index]
    let range = ControlRange(parameter, from: controlled.from, to: controlled.to)
    let present = store.value(index)
    let value: Float?
    switch reading {
    case .position(let position):
      value = state.players[player, default: ControlState()].follower.value(
        at: position, in: range, present: present,
        picksUp: player.control.picksUp(controlled, in: range))
    case .steps(let steps): value = range.value(after: present, steps: steps)
    case .press: value = range.next(after: present)
    case .program: value = nil
    }
    guard let value, value != present else { return false }
    try? store.set(controlled.identifier, to: value)
    return true
  }
}

extension Control {
  /// Whether a parameter follows only after the control has passed its value. Not by default for pitch bend and
  /// pressure, which return to their rest, and for what is only off or on.
  fileprivate func picksUp(_ parameter: ControlledParameter, in range: ControlRange) -> Bool {
    if let picksUp = parameter.picksUp { return picksUp }
    if let count = range.count, count <= 2 { return false }
    switch trigger.message {
    case .controller, .fineController: return true
    case .encoder, .pitchBend, .pressure, .note, .program: return false
    }
  }
}

/// Something that a control does, except setting a parameter.
struct ControlAction: Sendable {
  let control: Control
  let message: ChannelMessage
  let keyboard: String?
  /// The port that has received the message.
  let port: PublishedPort
}

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

  fileprivate var isEmpty: Bool { learned.isEmpty && configured.isEmpty }

  /// Whether some control includes the message, perhaps of another keyboard.
  fileprivate func includes(_ message: ChannelMessage) -> Bool {
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
  fileprivate func controls(for message: ChannelMessage, of keyboard: String?) -> [Control] {
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
