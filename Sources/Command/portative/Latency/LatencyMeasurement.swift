import ALSA
import Glibc
package import LiveAudio
import LiveMIDI
package import LocalSystem

/// Plays notes in the same way as a server, from the ALSA sequencer to a sound device, and captures them. The owner
/// must call ``close()``.
///
/// Threads: one at a time.
package final class LatencyMeasurement {
  private let output: MeasuredOutput
  private let bridge: SequencerBridge
  private let playback: LocalPlayback
  private let keyboard: ALSAKeyboard
  package let device: LatencyReport.Output

  private static let name = "Portative doctor"
  private static let notes = 100

  /// Creates the path from a key to the device.
  ///
  /// - Parameters:
  ///   - name: The name of the device, for messages.
  ///   - open: Called on a thread of its own.
  package init(device name: String, open: @escaping DeviceKeeper.Opening) throws(Failure) {
    do {
      let output = MeasuredOutput(name: name, open: open)
      let input = LiveInput()
      let bridge = try SequencerBridge(clientName: Self.name, wiring: ManualWiring()) { _ in }
      self.bridge = bridge
      do {
        playback = try LocalPlayback(open: output.open, report: output.receive)
      } catch {
        bridge.stop()
        throw error
      }
      do {
        playback.add("Latency", input, ClickSource())
        let port = try bridge.add(portNamed: "Latency", input: input)
        // Connecting a keyboard to the port opens the device.
        keyboard = try ALSAKeyboard(clientName: Self.name, playing: port)
        device = try output.wait()
      } catch {
        bridge.stop()
        playback.stop()
        throw error
      }
      self.output = output
    } catch {
      throw Failure(error)
    }
  }

  package func close() {
    bridge.stop()
    playback.stop()
  }

  /// - Parameter name: The name of the capture device.
  package func measure(capturingFrom name: String) throws(Failure) -> LatencyReport {
    do {
      return try measure(name)
    } catch {
      throw Failure(error)
    }
  }

  private func measure(_ input: String) throws -> LatencyReport {
    let recording = try CapturedAudio(
      ALSACapture(named: input, rate: device.sampleRate, period: max(512, device.period)))
    defer { recording.stop() }
    // Let the clocks of the sequencer and the devices synchronize.
    try pause(seconds: 1.5)
    guard let latency = try firstLatency(recording) else { throw nothingCaptured(input) }
    let start = recording.count
    let period = device.milliseconds(device.period) / 1000
    var played: [Int64] = []
    for _ in 0..<Self.notes {
      played.append(try keyboard.strike(key: 60))
      try pause(seconds: 1.5 * latency + 0.03 + .random(in: 0..<2 * period))
    }
    try pause(seconds: latency + 0.5)
    guard
      let figures = LatencyFigures(played: played, clicks: try recording.clicks(from: start))
    else { throw nothingCaptured(input) }
    return LatencyReport(latency: figures, output: device, input: input, xruns: output.xruns)
  }

  /// Returns the approximate latency in seconds, which limits the rate of notes; `nil` if no click is captured.
  private func firstLatency(_ recording: CapturedAudio) throws -> Double? {
    for _ in 1...3 {
      let start = recording.count
      let time = try keyboard.strike(key: 60)
      try pause(seconds: 1)
      if let click = try recording.clicks(from: start).first(where: { $0 >= time }) {
        return Double(click - time) / 1e9
      }
    }
    return nil
  }

  private func pause(seconds: Double) throws(Failure) {
    usleep(UInt32(seconds * 1e6))
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
    try output.check()
  }

  private func nothingCaptured(_ input: String) -> Failure {
    let remedy =
      output.xruns == 0
      ? "connect the output to the input, and check the levels of both with 'alsamixer'"
      : "the sound was interrupted \(output.xruns) times, so raise --period"
    return Failure(
      .failed, "the notes played on \(device.summary) were not captured at '\(input)': \(remedy)")
  }
}
