import CRender
import ConnectionTestSupport
import LiveAudio
import LiveMIDI
import LocalSystem
import RenderCore
import TestSupport
import Testing

/// Runs a device's cycles under RealtimeSanitizer, which ends the process at the first call that allocates,
/// locks or blocks.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(
    if: realtime_is_checked() != 0,
    "RealtimeSanitizer is not loaded: `make test` runs this with it"))
struct RealtimeTests {
  @Test func `nothing in a mix that keyboards play allocates, locks or blocks`() throws {
    let signal = DeferredWorkSignal()
    let format = Format(maximumFrames: 256)
    let inputs = (0..<3).map { _ in LiveInput() }
    let units = inputs.map { _ in PulseUnit(format) }
    let ports = zip(units, inputs).map { MixPort($0, $1, format) }
    // Nothing reads it, so that it becomes full.
    let ring = MixRing(capacity: 1 << 15)
    let mixer = Mixer(format, signal: signal, recording: ring)
    mixer.set(ports, isRunning: false)
    for port in ports {
      port.begin()
      port.isEnabled = true
    }
    let output = StereoOutput(frames: 256)
    var random = Seeded(7)
    for number in 0..<2000 {
      let now = MonotonicClock.now
      for input in inputs {
        let key = UInt8.random(in: 1...127, using: &random)
        input.send(number % 50 == 0 ? .sysEx([1, 2, 3]) : on(key), from: keyboard, at: now)
        input.send(on(key), from: otherKeyboard, at: now)
      }
      if number % 100 == 0 { ports[number % 3].isEnabled.toggle() }
      var cycle = RenderCycle(
        midi: MIDICycle(frames: 256), position: Int64(number) * 256, hostTime: now,
        output: UnsafePointer(output.pointers))
      realtime_enter()
      _ = mixer.renderer.render(&cycle)
      realtime_exit()
    }
    #expect(units.allSatisfy { $0.messages.count > 100 })
    #expect(ring.lost > 0)
    withExtendedLifetime(mixer) {}
    signal.destroy()
  }
}
