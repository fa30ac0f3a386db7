import CRender
import RenderCore
import TestSupport
import Testing

@testable import NodeProtocol

@Suite(.timeLimit(.minutes(5))) struct TransportReaderTests {
  @Test func `transports are read as written`() throws {
    let both = try BothEnds()
    var transport = Transport(provides: .all)
    transport.isPlaying = true
    transport.isRecording = true
    transport.isLooping = true
    transport.meter = Meter(7, 8)
    transport.beat = -2.5
    transport.tempo = 93.25
    transport.tempoSlope = -0.001
    transport.barStart = -3.5
    transport.loopStart = 4
    transport.loopEnd = 8
    transport.songFrame = -96_000
    var later = transport
    later.isLooping = false
    let points = [TransportPoint(offset: 0, transport), TransportPoint(offset: 63, later)]
    #expect(both.pass(points) == points)
    #expect(both.pass([]) == [])
  }

  @Test func `values that the host does not provide are not read, whatever they are`() throws {
    let both = try BothEnds()
    var transport = Transport(provides: .state)
    transport.isPlaying = true
    let clean = TransportPoint(offset: 0, transport)
    transport.meter = Meter(0, 0)
    transport.beat = .nan
    transport.tempo = -1
    transport.barStart = .infinity
    transport.loopEnd = .nan
    transport.songFrame = 7
    #expect(both.pass([TransportPoint(offset: 0, transport)]) == [clean])
    #expect(both.reader.malformed == 0)
    transport.provides = .meter
    #expect(both.pass([TransportPoint(offset: 0, transport)]) == [])
    #expect(both.reader.malformed == 1)
  }

  @Test func `the number of transports is limited by the room`() throws {
    let both = try BothEnds()
    let points = (0..<100).map { TransportPoint(offset: UInt32($0), Transport()) }
    #expect(both.pass(points, frames: 100).count == 64)
    both.shared.host.cycle.transports = .max
    #expect(both.reader.next(frames: 100).count == 64)
  }

  @Test func `offsets are clamped to the cycle and sorted, the first to its beginning`()
    throws
  {
    let both = try BothEnds()
    let points = [9, 500, 20, .max].map { TransportPoint(offset: $0, Transport()) }
    #expect(both.pass(points).map(\.offset) == [0, 63, 63, 63])
  }

  @Test func `whatever is written, the transports read are valid`() throws {
    let both = try BothEnds()
    var random = Seeded(3)
    var taken = 0
    for _ in 0..<2000 {
      for word in 0..<64 * 9 {
        // Includes numbers that are almost valid.
        let bits =
          Bool.random(using: &random)
          ? random.next() : Double.random(in: -200...200, using: &random).bitPattern
        both.shared.host.transports.storeBytes(
          of: bits, toByteOffset: word * 8, as: UInt64.self)
      }
      both.shared.host.cycle.transports = .random(in: 0...100, using: &random)
      var last = 0
      for point in both.reader.next(frames: 64) {
        let transport = point.transport
        taken += 1
        #expect(point.offset >= last && point.offset < 64)
        last = Int(point.offset)
        #expect(abs(transport.beat) <= 1e12 && transport.tempo >= 0 && transport.tempo <= 1e6)
        #expect(transport.meter.count > 0 && transport.meter.unit > 0)
        #expect(transport.after(frames: 1024, sampleRate: 48_000).beat.isFinite)
      }
    }
    #expect(taken > 0)
    #expect(both.reader.malformed > 0)
  }
}

private final class BothEnds {
  let shared: SharedSegment
  let writer: TransportWriter
  private let memory = RenderMemory()
  var reader: TransportReader

  init() throws {
    shared = try SharedSegment()
    writer = TransportWriter(shared.host)
    reader = TransportReader(shared.node, in: memory)
  }

  func pass(_ points: [TransportPoint], frames: Int = 64) -> [TransportPoint] {
    points.withUnsafeBufferPointer { writer.write($0) }
    return Array(reader.next(frames: frames))
  }
}
