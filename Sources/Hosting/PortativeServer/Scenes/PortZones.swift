import LiveAudio
import LiveMIDI

/// The zones of a port: those of now, and the sounds that are ready for others.
struct PortZones {
  let served: ServedPort
  /// The zones without a scene; `nil`: the port's unit plays everything.
  let standard: [LoadedZone]?
  /// The zones until a scene is chosen; `nil`: those of the scene or the configuration.
  var live: [LoadedZone]?
  /// The numbers of the sounds that have or will have a unit.
  private(set) var numbers: [LoadedSound.Identity: UInt8] = [:]
  /// The sounds whose units exist, if the sound device is open.
  var ready: Set<UInt8> = []
  /// The number that was given last. Numbers are not reused soon, because their notes may still sound.
  private var last: UInt8 = 0

  init(_ port: ServedPort, _ standard: [LoadedZone]?) {
    served = port
    self.standard = standard
  }

  /// Takes over what is played live, and the numbers of a port's earlier zones, so that equal sounds continue.
  mutating func takeState(of earlier: PortZones) {
    numbers = earlier.numbers
    ready = earlier.ready
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
      zone.sound = loaded.sound.map { number(of: $0) } ?? 0
      zone.isDrums = loaded.sound?.identity.bank == 128
      zone.shift = shift
      return zone
    }
  }

  /// Returns sounds with their numbers, and forgets the numbers of all others.
  mutating func choose(_ sounds: [LoadedSound]) -> [ZoneSound] {
    var chosen: [LoadedSound.Identity: UInt8] = [:]
    var result: [ZoneSound] = []
    for sound in sounds where chosen[sound.identity] == nil {
      let number = number(of: sound)
      chosen[sound.identity] = number
      result.append(
        ZoneSound(number, name: sound.name, source: sound.source, panorama: sound.panorama))
    }
    numbers = chosen
    return result
  }

  private mutating func number(of sound: LoadedSound) -> UInt8 {
    if let number = numbers[sound.identity] { return number }
    let used = Set(numbers.values)
    repeat { last = last == .max ? 1 : last + 1 } while used.contains(last)
    numbers[sound.identity] = last
    return last
  }
}
