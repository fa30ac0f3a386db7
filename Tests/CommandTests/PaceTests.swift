import Glibc
import Testing

@testable import portative

@Test func `cycles begin when those before are over`() {
  var pace = Pace(sampleRate: 1000)
  let began = ContinuousClock.now
  for _ in 0..<5 { pace.wait(forNext: 10) }
  #expect(ContinuousClock.now - began >= .milliseconds(40))
}

@Test func `after a long pause it goes on from there, and does not run after what was missed`() {
  var pace = Pace(sampleRate: 1000)
  pace.wait(forNext: 10)
  usleep(300_000)
  pace.wait(forNext: 50)
  let began = ContinuousClock.now
  pace.wait(forNext: 50)
  #expect(ContinuousClock.now - began >= .milliseconds(45))
}
