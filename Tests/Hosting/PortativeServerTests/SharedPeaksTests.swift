import LiveAudio
import Testing

@testable import PortativeServer

@Suite(.timeLimit(.minutes(5))) final class SharedPeaksTests {
  private final class Port {}
  private let port = Port()

  @Test func `each reader gets the peaks since it last asked`() {
    let peaks = SharedPeaks()
    let (first, second) = (peaks.addReader(), peaks.addReader())
    func take(_ reader: Int, _ left: Float, _ right: Float) -> StereoPeaks {
      peaks.take(ObjectIdentifier(port), by: reader, StereoPeaks(left: left, right: right))
    }
    #expect(take(first, 0.5, 0.1) == StereoPeaks(left: 0.5, right: 0.1))
    #expect(take(first, 0.2, 0.3) == StereoPeaks(left: 0.2, right: 0.3))
    #expect(take(second, 0.1, 0.1) == StereoPeaks(left: 0.5, right: 0.3))
    #expect(take(second, 0, 0) == StereoPeaks())
    #expect(take(first, 0, 0) == StereoPeaks(left: 0.1, right: 0.1))
    peaks.removeReader(second)
    #expect(take(first, 0.7, 0.7) == StereoPeaks(left: 0.7, right: 0.7))
  }
}
