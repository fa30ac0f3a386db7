import ALSAAudio
import ALSAMIDI
import Glibc
package import LiveAudio
import LiveMIDI
package import LocalSystem
import Threads

/// Plays notes in the same way as a server, from the ALSA sequencer to a sound device, and captures them. The owner
/// must
/// call ``close()``.
///
/// Threads: one at a time.
package final class LatencyMeasurement {
  private let output: MeasuredOutput
  private let bridge: SequencerBridge
  private let standalone: LocalPlayback
  private let keyboard: ALSAKeyboard
  package let device: LatencyReport.Output

  private static let name = "Portative doctor"
  private static let notes = 100

  /// Opens the sound device.
  package typealias DeviceOpener = @Sendable () throws(SoundDeviceError) -> any SoundDevice

  /// Creates the path from a key to the device.
  ///
  /// - Parameters:
  ///   - name: The name of the device, for messages.
  ///   - open: Called on a thread of its own.
  package init(device name: String, open: @escaping DeviceOpener) throws(Failure) {
    let output = MeasuredOutput(open)
    let input = LiveInput()
    do {
      bridge = try SequencerBridge(clientName: Self.name, wiring: ManualWiring()) { _ in }
    } catch {
      throw Failure(.failed, error.description)
    }
    do {
      standalone = try LocalPlayback(
        open: { () throws(SoundDeviceError) in try output.open() }, report: { output.hear($0) })
    } catch {
      bridge.stop()
      throw Failure(.failed, "no sound: \(error)")
    }
    do {
      standalone.add("Latency", input, ClickSource())
      let port = try bridge.add(portNamed: "Latency", input: input)
      // Connecting a keyboard to the port opens the device.
      keyboard = try ALSAKeyboard(clientName: Self.name, playing: port)
      device = try output.wait(for: name)
    } catch {
      bridge.stop()
      standalone.stop()
      throw error as? Failure ?? Failure(.failed, "\(error)")
    }
    self.output = output
  }

  package func close() {
    bridge.stop()
    standalone.stop()
  }

  /// - Parameter name: The name of the capture device.
  package func measure(hearingFrom name: String) throws(Failure) -> LatencyReport {
    let recording = try CapturedAudio(capture(name))
    defer { recording.end() }
    // Let the clocks of the sequencer and the devices synchronize.
    try pause(seconds: 1.5)
    let usual = try probe(recording, name)
    let start = recording.count
    let period = device.milliseconds(device.period) / 1000
    var played: [Int64] = []
    for _ in 0..<Self.notes {
      played.append(try strike())
      try pause(seconds: 1.5 * usual + 0.03 + .random(in: 0..<2 * period))
    }
    try pause(seconds: usual + 0.5)
    let clicks = try recording.clicks(from: start)
    guard let figures = LatencyFigures(played: played, clicks: clicks) else {
      throw nothingHeard(name)
    }
    return LatencyReport(latency: figures, output: device, input: name, xruns: output.xruns)
  }

  private func capture(_ name: String) throws(Failure) -> ALSACapture {
    do {
      return try ALSACapture(named: name, rate: device.sampleRate, period: max(512, device.period))
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  /// Finds out whether the clicks are captured, and the approximate latency, which limits the rate of notes.
  ///
  /// - Returns: The latency in seconds.
  private func probe(_ recording: CapturedAudio, _ name: String) throws(Failure) -> Double {
    for _ in 1...3 {
      let start = recording.count
      let time = try strike()
      try pause(seconds: 1)
      if let click = try recording.clicks(from: start).first(where: { $0 >= time }) {
        return Double(click - time) / 1e9
      }
    }
    throw nothingHeard(name)
  }

  private func strike() throws(Failure) -> Int64 {
    do {
      return try keyboard.strike(key: 60)
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private func pause(seconds: Double) throws(Failure) {
    usleep(UInt32(seconds * 1e6))
    if let signal = Interruption.signal { throw .interrupted(by: signal) }
    try output.check()
  }

  private func nothingHeard(_ name: String) -> Failure {
    let played = "nothing was heard at '\(name)' of what was played on \(device.summary)"
    return output.xruns == 0
      ? Failure(
        .failed,
        "\(played): is the output connected to the input, and is neither turned down? 'alsamixer' shows"
      )
      : Failure(
        .failed,
        "\(played), and the sound was interrupted \(output.xruns) times meanwhile: try a longer --period"
      )
  }
}
