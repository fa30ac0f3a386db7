import ConnectionTestSupport
import LiveAudio
import LiveMIDI
package import RenderCore
import Threads

/// A mix of three ports, for a device to play while keyboards play them.
///
/// To be kept until the device has stopped.
package final class PlayedMix {
  private let units: [PulseUnit]
  private let inputs: [LiveInput]
  private let ports: [MixPort]
  private let mixer: Mixer
  private let bell = DeferredWorkSignal()
  private var count = 0

  package init(_ format: Format) {
    units = (0..<3).map { _ in PulseUnit(format) }
    inputs = units.map { _ in LiveInput() }
    ports = zip(units, inputs).map { MixPort($0, $1, format) }
    mixer = Mixer(format, bell: bell)
    mixer.set(ports, isRunning: false)
    for port in ports {
      port.begin()
      port.isWanted = true
    }
  }

  deinit { bell.destroy() }

  package var renderer: Renderer { mixer.renderer }

  /// Plays until each port has rendered so many cycles, and notes in them.
  ///
  /// - Returns: `false` when that has not come about in 30 seconds.
  package func play(cycles: Int) -> Bool {
    comesTrue {
      play()
      return units.allSatisfy { $0.cycles >= cycles && $0.messages.count > 100 }
    }
  }

  /// Plays notes from two keyboards, now and then System Exclusive, and lets a port come or go.
  private func play() {
    let now = MonotonicClock.now
    let note = ChannelMessage(.noteOn, channel: 0, UInt8(1 + count % 127), 100)
    for input in inputs {
      input.send(count % 10 == 0 ? .sysEx([1, 2, 3]) : .channel(note), from: .init(1), at: now)
      input.send(.channel(note), from: .init(2), at: now)
    }
    if count % 20 == 0 { ports[count / 20 % 3].isWanted.toggle() }
    count += 1
  }
}
