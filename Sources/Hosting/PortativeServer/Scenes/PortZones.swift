import LiveAudio
import LiveMIDI
import RenderCore

/// The zones of a port: those of now, and the sounds that are ready for others.
struct PortZones {
  let served: ServedPort
  /// The zones without a scene; `nil`: the port's unit plays everything.
  let standard: [LoadedZone]?
  /// The zones until a scene is chosen; `nil`: those of the scene or the configuration.
  var live: [LoadedZone]?
  /// The numbers of the sounds that have or will have a unit, and of the modules.
  private var numbers: [Player: UInt8] = [:]
  /// The sounds whose units exist, if the sound device is open.
  var ready: Set<UInt8> = []
  /// The sounds that were chosen last, which are ready as soon as they are loaded.
  var wanted: Set<UInt8> = []
  /// The number that was given last. Numbers are not reused soon, because their notes may still sound.
  private var last: UInt8 = 0

  init(_ port: ServedPort, _ standard: [LoadedZone]?) {
    served = port
    self.standard = standard
  }

  /// What plays a sound. Equal players have one number.
  private enum Player: Hashable {
    case unit(LoadedSound.Identity)
    case module(LoadedModule)
  }

  /// Takes over what is played live, and the numbers of a port's earlier zones, so that equal sounds continue.
  mutating func takeState(of earlier: PortZones) {
    numbers = earlier.numbers
    ready = earlier.ready
    wanted = earlier.wanted
    last = earlier.last
    live = earlier.live
  }

  /// Returns the zones with the numbers of their sounds.
  ///
  /// - Parameter shift: The transposition of all ports, in semitones.
  mutating func zones(_ loaded: [LoadedZone]?, shift: Int) -> [Zone]? {
    guard let loaded else {
      if shift == 0 { return nil }
      var whole = Zone()
      whole.shift = shift
      return [whole]
    }
    return loaded.map { loaded in
      var zone = loaded.zone
      zone.shift = shift
      switch loaded.player {
      case .port: break
      case .sound(let sound):
        zone.sound = number(of: .unit(sound.identity))
        zone.drums = sound.identity.bank == 128 ? .all : .none
      case .module(let module):
        zone.sound = number(of: .module(module))
        if let channel = module.channel { zone.drums = channel == 9 ? .all : .none }
      }
      return zone
    }
  }

  /// Returns the modules that play zones, by the numbers of their sounds.
  ///
  /// - Parameter destination: Returns the MIDI output of a name; `nil` if it cannot be used.
  mutating func outputs(
    _ loaded: [LoadedZone]?, _ destination: (String) -> (any MIDIDestination)?
  ) -> [UInt8: ZoneOutput] {
    var outputs: [UInt8: ZoneOutput] = [:]
    for case .module(let module) in (loaded ?? []).map(\.player) {
      outputs[number(of: .module(module))] = ZoneOutput(
        destination(module.output) ?? MissingOutput.shared, channel: module.channel)
    }
    return outputs
  }

  /// Returns sounds with their numbers, and forgets the numbers of all others.
  mutating func choose(_ sounds: [LoadedSound]) -> [ZoneSound] {
    var chosen: [Player: UInt8] = [:]
    var result: [ZoneSound] = []
    for sound in sounds where chosen[.unit(sound.identity)] == nil {
      let number = number(of: .unit(sound.identity))
      chosen[.unit(sound.identity)] = number
      result.append(
        ZoneSound(number, name: sound.name, source: sound.source, panorama: sound.panorama))
    }
    // Modules keep their numbers, because there are few.
    numbers = numbers.filter { if case .module = $0.key { true } else { false } }
    numbers.merge(chosen) { $1 }
    return result
  }

  private mutating func number(of player: Player) -> UInt8 {
    if let number = numbers[player] { return number }
    let used = Set(numbers.values)
    repeat { last = last == .max ? 1 : last + 1 } while used.contains(last)
    numbers[player] = last
    return last
  }
}

/// Takes the place of a MIDI output that cannot be used, which has been reported.
private final class MissingOutput: MIDIDestination {
  static let shared = MissingOutput()

  func send(_ content: MIDIContent) {}
}
