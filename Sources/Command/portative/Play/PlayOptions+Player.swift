import BatchRenderer
import LiveAudio
import LivePlayer
import LocalSystem
import NodeDirectory
import NodeHost
import SoundDevices

extension PlayOptions {
  /// The settings of a player of a live song.
  var playerSettings: LivePlayerSettings {
    get throws(Failure) {
      var settings = LivePlayerSettings(
        song: render.inputs[0], range: song.settings, openDevice: try deviceOpener)
      settings.hasMetronome = hasMetronome
      settings.countIn = countIn
      settings.isLooping = isLooping
      settings.loopBars = loopBars
      settings.recording = recording
      settings.timebase = timebase
      settings.absenceLimit = absenceLimit
      return settings
    }
  }

  private var deviceOpener: LivePlayerSettings.DeviceOpener {
    get throws(Failure) {
      let device = audio ?? .none
      var period = device == .none ? 1024 : 256
      if case .frames(let frames)? = cycle { period = frames }
      let choice = SoundChoice(device: device, rate: song.sampleRate, period: period)
      if device == .none {
        return { () throws(SoundDeviceError) in
          PacedDevice(rate: choice.rate, period: choice.period)
        }
      }
      guard SoundChoice.periods.contains(period) else {
        throw .usage(
          "--cycle must be \(SoundChoice.periods.lowerBound) to \(SoundChoice.periods.upperBound) frames "
            + "for a sound device, but is \(period)")
      }
      return { () throws(SoundDeviceError) in try choice.open() }
    }
  }

  /// Connects to the ports of the chains, each chain from its instrument to its last effect.
  ///
  /// - Parameter songPorts: The number of the song's ports. Each has instruments of its own.
  func connect(_ connector: NodeConnector, songPorts: Int) throws -> [[Connection]] {
    let isTake = chains.contains { $0.take != nil }
    let all = Array(repeating: chains, count: isTake ? 1 : songPorts)
    return try all.joined().map { chain in
      let instrument = try connector.connect(to: NodeFinder().find(chain.instrument))
      instrument.takeUnit = chain.take?.unit
      return try [instrument]
        + chain.effects.map { try connector.connect(to: NodeFinder(for: .effect).find($0)) }
    }
  }
}
