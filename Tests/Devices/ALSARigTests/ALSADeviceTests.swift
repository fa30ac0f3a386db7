import CALSA
import Glibc
import LiveAudio
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import ALSA

/// Tests with the kernel's loopback card. Other tests use its subdevices 0 and 6 and above.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(if: Rig.hasLoopback, "needs the card of snd-aloop, in real time: make test-alsa"),
  .serialized)
struct ALSADeviceTests {
  @Test(arguments: [SampleEncoding.integer16, .integer32], PCMAccess.allCases)
  func `the device receives the rendered audio bit for bit`(
    encoding: SampleEncoding, access: PCMAccess
  ) throws {
    let request = PCMRequest(period: 4096, encodings: [encoding], accesses: [access])
    guard (try? ALSADevice(named: "hw:Loopback,0,1", request)) != nil else {
      // The card's buffer is interleaved only.
      #expect(access == .mappedSeparate)
      return
    }
    let unit: Int32 = encoding == .integer16 ? 1 : 65_536
    let expected = (0..<Int64(24_000)).flatMap { frame in
      let level = Int32(RampRenderer.level(at: frame)) * unit
      return [level, -level]
    }
    // Repeat if the machine was too slow.
    let heard = try wait { try record(request, frames: 24_000) }
    let isSame = heard == expected
    #expect(isSame)
  }

  /// - Returns: The captured samples from the first sound on, or `nil` if there was an xrun.
  private func record(_ request: PCMRequest, frames: Int) throws -> [Int32]? {
    let capture = try LoopbackCapture(place: 1, request.encodings[0].code)
    let device = try ALSADevice(named: "hw:Loopback,0,1", request)
    let ramp = RampRenderer()
    let events = SoundEvents()
    try device.start(ramp.renderer, report: events.record)
    let heard = try capture.readSound(frames)
    device.stop()
    let isWhole = ramp.requests.enumerated().allSatisfy {
      $1.position == Int64($0 * request.period)
    }
    return isWhole && events.xruns == 0 ? heard : nil
  }

  @Test(arguments: [8000, 44_100, 96_000], [1024, 2048])
  func `rate and period are the device's actual ones`(rate: Int, period: Int) throws {
    let device = try ALSADevice(
      named: "hw:Loopback,0,1", rate: rate, period: period, periods: 2)
    defer { device.stop() }
    #expect(device.format == Format(sampleRate: rate, maximumFrames: period))
    #expect(try parameter("rate", place: 1).hasPrefix("\(rate) "))
    #expect(try parameter("period_size", place: 1) == "\(period)")
    #expect(try parameter("buffer_size", place: 1) == "\(2 * period)")
    #expect(device.latency == period)
  }

  @Test(arguments: [16, 64, 8192])
  func `it plays with any period, or reports a longer one`(period: Int) throws {
    let capture = try LoopbackCapture(place: 1)
    let device = try ALSADevice(named: "hw:Loopback,0,1", period: period)
    let settled = device.format.maximumFrames
    #expect(settled == period || (period < settled && settled <= 64))
    let (ramp, events) = (RampRenderer(), SoundEvents())
    try device.start(ramp.renderer, report: events.record)
    _ = try wait { ramp.count > 10 || events.loss != nil ? true : nil }
    device.stop()
    // This card counts kernel ticks of 4 ms, longer than three periods of 16 frames.
    let tooShort =
      "the device's buffer always runs empty before it requests more: choose a longer period"
    #expect(events.loss == nil || (period < 128 && events.loss == tooShort))
    #expect(ramp.requests.allSatisfy { $0.frames == settled })
    withExtendedLifetime(capture) {}
  }

  @Test func `a device that supports only another rate reports it`() throws {
    // The capture has fixed the rate.
    let capture = try LoopbackCapture(place: 1, SND_PCM_FORMAT_S16_LE, rate: 32_000)
    let device = try ALSADevice(named: "hw:Loopback,0,1", rate: 48_000, period: 1024)
    #expect(device.format.sampleRate == 32_000)
    #expect(
      device.summary
        == "hw:Loopback,0,1: 32000 Hz, 3 × \(device.format.maximumFrames) frames, 16 bits")
    withExtendedLifetime(capture) {}
  }

  @Test func `the error for a device in use names its user`() throws {
    let device = try ALSADevice(named: "hw:Loopback,0,2", period: 1024)
    defer { device.stop() }
    let error = #expect(throws: SoundDeviceError.self) {
      try ALSADevice(named: "hw:Loopback,0,2", period: 1024)
    }
    #expect(error?.isTemporary == true)
    #expect(error?.reason.contains("(process \(getpid()))") == true)
    let card = try #require(SoundCard.all().first { $0.identifier == "Loopback" })
    #expect(card.outputs.map(\.device) == [0, 1])
    #expect(card.outputs[0].subdeviceCount == 8)
    #expect(card.outputs[0].holders.contains { $0.process == Int(getpid()) })
  }

  @Test func `an xrun is counted, and playback continues after the missed frames`() throws {
    let capture = try LoopbackCapture(place: 1)
    let device = try ALSADevice(named: "hw:Loopback,0,1", period: 1024)
    defer { device.stop() }
    let (ramp, events) = (RampRenderer(), SoundEvents())
    try device.start(ramp.renderer, report: events.record)
    _ = try wait { ramp.count > 3 ? true : nil }
    ramp.sleep(milliseconds: 500)
    _ = try wait { events.xruns > 0 ? true : nil }
    let count = ramp.count
    _ = try wait { ramp.count > count + 3 ? true : nil }
    #expect(events.loss == nil)
    let requests = ramp.requests
    let jumps = zip(requests, requests.dropFirst()).filter { $1.position != $0.position + 1024 }
    #expect(jumps.count >= 1)
    #expect(jumps.count <= events.xruns)
    // The gap is half a second minus the length of the buffer.
    #expect(jumps.contains { $1.position - $0.position > 48_000 * 3 / 10 })
    // Positions match the time within one or two jiffies, the precision of this card's timestamps.
    for (one, next) in zip(requests, requests.dropFirst()) where Rig.current == .emulated {
      let time = Double(next.hostTime - one.hostTime) * 48_000 / 1e9
      #expect(abs(time - Double(next.position - one.position)) < 1024)
    }
    withExtendedLifetime(capture) {}
  }

  @Test func `after stop nothing renders, and the device is free`() throws {
    let device = try ALSADevice(named: "hw:Loopback,0,3", period: 1024)
    let ramp = RampRenderer()
    try device.start(ramp.renderer, report: { _ in })
    _ = try wait { ramp.count > 1 ? true : nil }
    // Stopping waits for a late renderer, because its state must remain valid.
    ramp.sleep(milliseconds: 500)
    usleep(100_000)
    device.stop()
    let count = ramp.count
    let again = try ALSADevice(named: "hw:Loopback,0,3", period: 1024)
    usleep(100_000)
    #expect(ramp.count == count)
    again.stop()
  }

  @Test(.enabled(if: Rig.hasRemovableCard, "needs a second card of snd-aloop, as root"))
  func `an unplugged device is lost, and can be opened when it returns`() throws {
    let device = try ALSADevice(named: "hw:Removable", period: 1024)
    let (ramp, events) = (RampRenderer(), SoundEvents())
    try device.start(ramp.renderer, report: events.record)
    _ = try wait { ramp.count > 3 ? true : nil }
    let unplugging = RemovableCard.unplug()
    _ = try wait { events.loss }
    #expect(events.loss == "the device was unplugged, or its sound server ended")
    device.stop()
    unplugging.join()
    let error = #expect(throws: SoundDeviceError.self) { try ALSADevice(named: "hw:Removable") }
    #expect(error?.isTemporary == true)
    #expect(error?.reason.hasPrefix("there is no such device: plug it in, ") == true)
    #expect(error?.reason.contains("'hw:Loopback,0' (Loopback, Loopback PCM)") == true)

    RemovableCard.plug()
    let again = try wait { try? ALSADevice(named: "hw:Removable", period: 1024) }
    defer { again.stop() }
    let count = ramp.count
    try again.start(ramp.renderer, report: { _ in })
    _ = try wait { ramp.count > count + 3 ? true : nil }
  }

  /// Returns a hardware parameter of an open device from the kernel.
  private func parameter(_ name: String, place: Int) throws -> String {
    let path = "/proc/asound/Loopback/pcm0p/sub\(place)/hw_params"
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    while fgets(&line, 200, file) != nil {
      let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      if text.hasPrefix("\(name): ") { return String(text.dropFirst(name.count + 2).dropLast()) }
    }
    return ""
  }
}
