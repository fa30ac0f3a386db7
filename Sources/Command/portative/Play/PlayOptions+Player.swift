import BatchRenderer
import LiveAudio
import LivePlayer
import LocalSystem
import NodeHost

extension PlayOptions {
  /// Returns the settings of a player of a live song.
  func liveSettings() throws(Failure) -> LivePlayerSettings {
    var settings = LivePlayerSettings(
      song: render.inputs[0], range: song.settings, openDevice: try deviceOpener())
    settings.hasMetronome = hasMetronome
    settings.countIn = countIn
    settings.isLooping = loops
    settings.loopBars = loopBars
    settings.recording = record
    settings.absenceLimit = patienceLimit
    return settings
  }

  private func deviceOpener() throws(Failure) -> LivePlayerSettings.DeviceOpener {
    var choice = SoundChoice()
    choice.device = audio ?? .none
    choice.rate = song.sampleRate
    choice.period = choice.device == .none ? 1024 : 256
    if case .frames(let frames)? = cycle { choice.period = frames }
    let (rate, period) = (choice.rate, choice.period)
    if choice.device == .none {
      return { () throws(SoundDeviceError) in PacedDevice(rate: rate, period: period) }
    }
    guard SoundChoice.periods.contains(period) else {
      throw .usage(
        "--cycle of a device must be \(SoundChoice.periods.lowerBound) to "
          + "\(SoundChoice.periods.upperBound) frames, but is \(period)")
    }
    return { [choice] () throws(SoundDeviceError) in try choice.open() }
  }

  /// Connects to the ports of the chains, each chain from its instrument to its last effect.
  func connect(_ connector: NodeConnector) throws(Failure) -> [[Connection]] {
    var connections: [[Connection]] = []
    for chain in chains {
      var links = [try connector.connect(to: NodeFinder().find(chain.instrument))]
      for effect in chain.effects {
        links.append(try connector.connect(to: NodeFinder(for: .effect).find(effect)))
      }
      connections.append(links)
    }
    return connections
  }
}
