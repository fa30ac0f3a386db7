import FoundationEssentials
import Glibc
import LiveAudio
import RenderCore
import SoundTestSupport
import TestSupport
import Testing

@testable import ALSA

/// Tests with alsa-lib and devices that need no sound card: `null`, which accepts everything immediately, and
/// `tee`, which also writes it to a file.
@Suite(.timeLimit(.minutes(5))) struct ALSADeviceTests {
  private let system = TemporarySystem()

  @Test func `it has the requested rate, period and number of periods`() throws {
    let device = try ALSADevice(named: "null", rate: 44_100, period: 128, periods: 2)
    #expect(device.format.sampleRate == 44_100)
    #expect(device.format.outputChannels == 2)
    #expect(device.format.maximumFrames == 128)
    #expect(device.latency == 128)
    #expect(device.summary == "null: 44100 Hz, 2 × 128 frames, 32 bits float")
  }

  @Test(arguments: [(1, 8000), (192_000, 96_000)])
  func `a rate out of range is clamped`(wished: Int, settled: Int) throws {
    #expect(try ALSADevice(named: "null", rate: wished).format.sampleRate == settled)
  }

  @Test(arguments: SampleEncoding.allCases, PCMAccess.allCases)
  func `the device receives silence and then the rendered audio, with every encoding and access`(
    encoding: SampleEncoding, access: PCMAccess
  ) throws {
    let request = PCMRequest(encodings: [encoding], accesses: [access])
    let bytes = Array(try record(request, cycles: 20))
    let frameSize = 2 * encoding.size
    #expect(bytes.prefix(768 * frameSize).allSatisfy { $0 == 0 })
    var expected: [UInt8] = []
    for frame in 0..<(20 * 256) {
      let level = Float(RampRenderer.level(at: Int64(frame))) / 32_768
      for sample in [level, -level] {
        var bytes = [UInt8](repeating: 0, count: encoding.size)
        bytes.withUnsafeMutableBytes {
          encoding.write([sample], count: 1, to: $0.baseAddress!, step: 0)
        }
        expected += bytes
      }
    }
    #expect(bytes.dropFirst(768 * frameSize).prefix(expected.count).elementsEqual(expected))
  }

  @Test func `stop returns if the device hangs`() throws {
    let path = try system.add("folder", "") + ".fifo"
    try #require(mkfifo(path, 0o600) == 0)
    // A FIFO that is never read, so alsa-lib blocks when it is full.
    let end = open(path, O_RDONLY | O_NONBLOCK)
    let device = try ALSADevice(named: "tee:null,'\(path)',raw")
    let ramp = RampRenderer()
    try device.start(ramp.renderer, report: { _ in })
    var writer = pollfd(fd: open(path, O_WRONLY | O_NONBLOCK), events: Int16(POLLOUT), revents: 0)
    #expect(eventually { poll(&writer, 1, 0) == 0 })
    let begin = ContinuousClock.now
    device.stop()
    #expect(ContinuousClock.now - begin < .seconds(5))
    let count = ramp.count
    // Lets the thread end. The FIFO remains open, because alsa-lib aborts if it can write only a part of its buffer.
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    #expect(read(end, &bytes, bytes.count) > 0)
    close(writer.fd)
    #expect(ramp.count == count)
  }

  @Test func `a device that was never started can be stopped, also twice`() throws {
    let device = try ALSADevice(named: "null")
    device.stop()
    device.stop()
    try device.start(RampRenderer().renderer, report: { _ in })
  }

  @Test func `a name that alsa-lib does not know is an error`() {
    let error = #expect(throws: SoundDeviceError.self) { try ALSADevice(named: "nobody") }
    #expect(error?.isTemporary == true)
    #expect(error?.reason.contains("there is no such device") == true)
  }

  /// Returns the bytes that a device has received when at least `cycles` cycles are rendered.
  private func record(_ request: PCMRequest, cycles: Int) throws -> Data {
    let path = try system.add("sound", "")
    let device = try ALSADevice(named: "tee:null,'\(path)',raw", request)
    let ramp = RampRenderer(slowFrom: cycles)
    try device.start(ramp.renderer, report: { _ in })
    #expect(eventually { ramp.count >= cycles })
    device.stop()
    return try Data(contentsOf: URL(filePath: path))
  }
}
