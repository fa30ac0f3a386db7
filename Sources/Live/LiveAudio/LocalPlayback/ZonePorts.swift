package import RenderCore

/// A sound that zones of a port can play.
package struct ZoneSound: Sendable {
  /// The number by which zones refer to the sound, 1…255. Another sound must have another number.
  package let number: UInt8
  /// The name for the user.
  package let name: String
  package let source: any RenderUnitSource
  package let panorama: Panorama

  package init(
    _ number: UInt8, name: String, source: any RenderUnitSource, panorama: Panorama = Panorama()
  ) {
    self.number = number
    self.name = name
    self.source = source
    self.panorama = panorama
  }
}

/// The sounds of a port's zones, and their units in the mix.
struct ZonePorts {
  var sounds: [ZoneSound] = []
  /// The sounds that zones play now.
  var played: Set<UInt8> = [] { didSet { updateRest() } }
  private(set) var mixPorts: [MixPort] = []
  /// The sounds whose unit could not be made.
  private var failed: Set<UInt8> = []

  /// The sounds that have no unit yet.
  var missing: [ZoneSound] {
    sounds.filter { sound in
      !failed.contains(sound.number) && !mixPorts.contains { $0.sound == sound.number }
    }
  }

  var units: [UInt8: any RenderUnit] {
    Dictionary(mixPorts.map { ($0.sound, $0.unit) }) { $1 }
  }

  mutating func add(_ port: MixPort) {
    // The sum of the mix must not depend on which was made first.
    let index = mixPorts.firstIndex { $0.sound > port.sound } ?? mixPorts.endIndex
    mixPorts.insert(port, at: index)
    updateRest()
  }

  mutating func fail(_ sound: ZoneSound) { failed.insert(sound.number) }

  mutating func removeAll() {
    mixPorts = []
    failed = []
  }

  /// Whether there are units that no zone can play any more.
  var hasUnused: Bool { mixPorts.contains { !isUsed($0) } }

  /// Removes the units that no zone can play any more and that are silent.
  mutating func removeUnused() -> [MixPort] {
    let removed = mixPorts.filter { !isUsed($0) && !$0.isAudible }
    mixPorts.removeAll { port in removed.contains { $0 === port } }
    failed = failed.filter { number in sounds.contains { $0.number == number } }
    return removed
  }

  private func isUsed(_ port: MixPort) -> Bool { sounds.contains { $0.number == port.sound } }

  private func updateRest() {
    for port in mixPorts { port.isResting = !played.contains(port.sound) }
  }
}
