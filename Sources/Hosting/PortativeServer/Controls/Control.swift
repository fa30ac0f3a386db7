import Configuration
import LiveMIDI
import LocalSystem
import NodeServer
import RenderCore

/// A knob, a key or a button of a keyboard, and what it controls.
struct Control: Hashable, Sendable {
  var trigger: ControlTrigger
  var effect: ControlEffect
  /// The full name of the port whose keyboards have the control; `nil` for those of all ports.
  var port: String?
}

/// The target of a control.
enum ControlEffect: Hashable, Sendable {
  case parameter(ControlledParameter)
  /// Ends everything that sounds, on the control's port or on all.
  case panic
  case scene(ControlledScene)
  /// Transposes all ports.
  case transpose(Transposition)
  case song(SongAction)

  /// Whether both control the same, in some way.
  func hasSameGoal(as other: Self) -> Bool {
    if case .parameter(let first) = self, case .parameter(let second) = other {
      return first.identifier == second.identifier
    }
    return self == other
  }
}

/// A parameter that follows a control.
struct ControlledParameter: Hashable, Sendable {
  var identifier: String
  /// The values at the positions 0 and 1; `nil` for those of the parameter.
  var from: Float?
  var to: Float?
  /// Whether it follows only after the control has passed its value; `nil` for the default.
  var picksUp: Bool?
}

/// What a control does to the song that plays beside the keyboards. The raw values are those of `does`.
enum SongAction: String, CaseIterable, Sendable {
  case toggleTrack, startTrack, stopTrack, tapTempo, toggleClick
}

/// Which scene a control chooses.
enum ControlledScene: Hashable, Sendable {
  case next, previous
  case named(String)
  /// The scene with the number of a program change, from 0.
  case numbered

  /// Returns the choice that a message of the control makes.
  func choice(by message: ChannelMessage) -> SceneChoice {
    switch self {
    case .next: .step(1)
    case .previous: .step(-1)
    case .named(let name): .named(name)
    case .numbered: .place(Int(message.data1))
    }
  }
}

extension Control {
  /// - Parameter ports: The full names of the ports that can be named; `nil` to accept any full name.
  /// - Throws: ``SettingError``.
  init(_ settings: ControlSettings, ports: [String]?) throws(SettingError) {
    trigger = try ControlTrigger(settings)
    port = try settings.port.map { name throws(SettingError) in
      try Self.port(name, among: ports ?? [name])
    }
    guard let parameter = settings.parameter else {
      effect = try ControlEffect(settings)
      if settings.relative != nil {
        throw SettingError("relative", "is used only with a parameter")
      }
      let ranges = [("from", settings.from), ("to", settings.to)]
      if let (field, _) = ranges.first(where: { $0.1 != nil }) {
        throw SettingError(field, "is a value of a parameter, but the control has no parameter")
      }
      return
    }
    if settings.does != nil {
      throw SettingError("does", "cannot be combined with a parameter: use two controls")
    }
    if port == nil { throw SettingError(nil, "a parameter needs its port: port: \"NAME\"") }
    if case .encoder = trigger.message, settings.pickup != nil {
      throw SettingError("pickup", "has no effect, because an encoder has no position: remove it")
    }
    if trigger.message == .program(nil) {
      throw SettingError("program", "must be a number from 0 to 127 to control a parameter")
    }
    effect = .parameter(
      ControlledParameter(
        identifier: parameter, from: try Self.value(settings.from, "from"),
        to: try Self.value(settings.to, "to"), picksUp: settings.pickup))
  }

  private static func value(_ value: Double?, _ field: String) throws(SettingError) -> Float? {
    guard let value else { return nil }
    let number = Float(value)
    if !number.isFinite { throw SettingError(field, "is too large: \(value)") }
    return number
  }

  /// Returns the full name of the port that has a name, or the only one whose name contains it.
  private static func port(_ name: String, among ports: [String]) throws(SettingError) -> String {
    if ports.contains(name) { return name }
    let found = ports.filter { $0.lowercased().contains(name.lowercased()) }
    if let port = shortest(of: found, by: \.self), !name.isEmpty { return port }
    if found.count > 1, !name.isEmpty {
      let list = found.map { "'\($0)'" }.joined(separator: ", ")
      throw SettingError("port", "is ambiguous: '\(name)' is a part of \(list)")
    }
    let short = ports.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    let hint = closest(to: name, among: ports + short)
    throw SettingError(
      "port",
      "must be the name of a port that accepts MIDI, but is '\(name)': "
        + (hint.map { "did you mean '\($0)'?" } ?? "there is \(ports.joined(separator: ", "))"))
  }

  /// The control as it is stored.
  var settings: ControlSettings {
    var settings = ControlSettings()
    settings.channel = trigger.channel.map { Int($0) + 1 }
    settings.keyboard = trigger.keyboard
    switch trigger.message {
    case .controller(let number): settings.controller = Int(number)
    case .fineController(let number): (settings.controller, settings.fine) = (Int(number), true)
    case .encoder(let number, let mode):
      (settings.controller, settings.relative) = (Int(number), mode.rawValue)
    case .pitchBend: settings.pitchBend = true
    case .pressure: settings.pressure = true
    case .note(let key): settings.note = Int(key)
    case .program(let number): settings.program = number.map { .number(Int($0)) } ?? .any
    }
    settings.port = port
    switch effect {
    case .parameter(let parameter):
      settings.parameter = parameter.identifier
      // The shortest decimal number of each.
      settings.from = parameter.from.flatMap { Double("\($0)") }
      settings.to = parameter.to.flatMap { Double("\($0)") }
      settings.pickup = parameter.picksUp
    case .panic: settings.does = "panic"
    case .scene(.next): settings.does = "nextScene"
    case .scene(.previous): settings.does = "previousScene"
    case .scene(.numbered): settings.does = "scene"
    case .scene(.named(let name)): (settings.does, settings.scene) = ("scene", name)
    case .transpose(.by(let semitones)):
      settings.does = semitones > 0 ? "transposeUp" : "transposeDown"
    case .transpose(.to): settings.does = "transposeReset"
    case .song(let action): settings.does = action.rawValue
    }
    return settings
  }
}

extension ControlEffect {
  /// - Throws: ``SettingError``.
  fileprivate init(_ settings: ControlSettings) throws(SettingError) {
    let words =
      [
        "panic", "scene", "nextScene", "previousScene", "transposeUp", "transposeDown",
        "transposeReset",
      ] + SongAction.allCases.map(\.rawValue)
    guard let word = settings.does else {
      throw SettingError(
        nil, "a control needs a parameter, or does: one of \(words.joined(separator: ", "))")
    }
    if settings.scene != nil, word != "scene" {
      throw SettingError("scene", "is used only with does: \"scene\"")
    }
    if settings.port != nil, word != "panic" {
      throw SettingError("port", "is used only with a parameter or with does: \"panic\"")
    }
    switch (word, settings.scene) {
    case ("panic", _): self = .panic
    case ("nextScene", _): self = .scene(.next)
    case ("previousScene", _): self = .scene(.previous)
    case ("transposeUp", _): self = .transpose(.by(1))
    case ("transposeDown", _): self = .transpose(.by(-1))
    case ("transposeReset", _): self = .transpose(.to(0))
    case ("scene", let name?): self = .scene(.named(name))
    case ("scene", nil):
      guard settings.program == .any else {
        throw SettingError("does", "needs scene: \"NAME\", or program: \"any\"")
      }
      self = .scene(.numbered)
    default:
      guard let action = SongAction(rawValue: word) else {
        throw SettingError("does", is: word, of: words)
      }
      self = .song(action)
    }
  }
}

extension ControlTrigger {
  /// - Throws: ``SettingError``.
  fileprivate init(_ settings: ControlSettings) throws(SettingError) {
    let given = [
      ("controller", settings.controller != nil), ("note", settings.note != nil),
      ("program", settings.program != nil), ("pitchBend", settings.pitchBend == true),
      ("pressure", settings.pressure == true),
    ].filter(\.1).map(\.0)
    guard let first = given.first else {
      throw SettingError(
        nil, "a control needs one of controller, note, program, pitchBend and pressure")
    }
    if given.count > 1 {
      throw SettingError(given[1], "cannot be combined with \(first): use two controls")
    }
    if settings.fine == true, settings.controller == nil {
      throw SettingError("fine", "is used only with a controller")
    }
    if settings.relative != nil, settings.controller == nil || settings.fine == true {
      throw SettingError("relative", "is used only with a controller of seven bits")
    }
    let channel = try settings.channel.map { channel throws(SettingError) in
      try Self.number(channel, "channel", in: 1...16) - 1
    }
    self.init(try Self.message(settings), channel: channel, keyboard: settings.keyboard)
  }

  private static func message(_ settings: ControlSettings) throws(SettingError) -> Message {
    if let number = settings.controller {
      let isFine = settings.fine == true
      let controller = try Self.number(number, "controller", in: 0...(isFine ? 31 : 119))
      if let word = settings.relative {
        guard let mode = EncoderMode(rawValue: word) else {
          throw SettingError("relative", is: word, of: EncoderMode.allCases.map(\.rawValue))
        }
        return .encoder(controller, mode)
      }
      return isFine ? .fineController(controller) : .controller(controller)
    }
    if let key = settings.note { return .note(try number(key, "note", in: 0...127)) }
    switch settings.program {
    case .number(let program): return .program(try number(program, "program", in: 0...127))
    case .any: return .program(nil)
    case nil: return settings.pitchBend == true ? .pitchBend : .pressure
    }
  }

  private static func number(
    _ number: Int, _ field: String, in range: ClosedRange<Int>
  ) throws(SettingError) -> UInt8 {
    guard range.contains(number) else {
      let remark = field == "controller" && number > 31 && number < 120 ? ", the upper half" : ""
      throw SettingError(
        field, "must be \(range.lowerBound) to \(range.upperBound)\(remark), but is \(number)")
    }
    return UInt8(number)
  }
}
