import LatencyTest
import LiveAudio
import LocalSystem

/// The command `portative doctor --latency`, which measures the time from a key to its sound.
struct LatencyCommand {
  private let input: String
  private let sound: SoundChoice
  private let isJSON: Bool

  init(input: String, _ sound: SoundChoice, isJSON: Bool) {
    self.input = input
    self.sound = sound
    self.isJSON = isJSON
  }

  func run() throws(Failure) -> ExitCode {
    let measurement = try LatencyMeasurement(device: sound.device.text) {
      () throws(SoundDeviceError) in try sound.open()
    }
    defer { measurement.close() }
    if !isJSON {
      Terminal.note(
        "playing clicks on \(measurement.device.summary), and listening at '\(input)' …")
    }
    let report = try measurement.measure(hearingFrom: input)
    return Command.say(isJSON ? JSONOutput.latency.line(report) : report.text)
  }
}
