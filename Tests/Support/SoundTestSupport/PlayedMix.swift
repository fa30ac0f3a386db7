import ConnectionTestSupport
import LiveAudio
import LiveMIDI
import LocalSystem
package import RenderCore
import TestSupport

/// A mix of three ports that a device plays while simulated keyboards play the ports. The zones of the first play its unit
/// and a sound of their own.
///
/// Keep it alive until the device has stopped.
package final class PlayedMix {
  private let units: [PulseUnit]
  private let inputs: [LiveInput]
  private let ports: [MixPort]
  private let mixer: Mixer
  private let recorder = TakeRecorder()
  private let signal = DeferredWorkSignal()
  private var count = 0

  package init(_ format: Format) {
    units = (0..<3).map { _ in PulseUnit(format) }
    inputs = units.map { _ in LiveInput() }
    recorder.begin(sampleRate: format.sampleRate)
    ports = zip(units, inputs).map { [recorder] in
      MixPort($0, $1, format, tap: recorder.tap(for: "Test"))
    }
    mixer = Mixer(format, signal: signal)
    mixer.set(ports, isRunning: false)
    for port in ports {
      port.begin()
      port.isEnabled = true
    }
  }

  deinit { signal.destroy() }

  package var renderer: Renderer { mixer.renderer }

  /// Plays until each port has rendered `cycles` cycles and more than 100 channel messages.
  ///
  /// - Returns: `false` if that takes longer than 30 seconds.
  package func play(cycles: Int) -> Bool {
    eventually {
      play()
      return units.allSatisfy { $0.cycles >= cycles && $0.messages.count > 100 }
    }
  }

  /// Sends notes from two keyboards, System Exclusive in every tenth call, and toggles a port in every twentieth.
  private func play() {
    let now = MonotonicClock.now
    let note = ChannelMessage(.noteOn, channel: 0, UInt8(1 + count % 127), 100)
    for input in inputs {
      input.send(count % 10 == 0 ? .sysEx([1, 2, 3]) : .channel(note), from: .init(1), at: now)
      input.send(.channel(note), from: .init(2), at: now)
    }
    if count % 20 == 0 { ports[count / 20 % 3].isEnabled.toggle() }
    count += 1
  }
}
