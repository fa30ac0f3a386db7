import Testing

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct ReadHeadTests {
  @Test func `the head moves half a frame at most, and reaches its target`() {
    var head = ReadHead(sampleRate: 48_000)
    head.target = 10_000
    head.jump()
    head.target = 4000
    var (last, count) = (head.delay, 0)
    while !head.isAtTarget, count < 48_000 {
      head.move()
      #expect(head.delay < last && last - head.delay <= 0.5)
      last = head.delay
      count += 1
    }
    #expect(head.delay == 4000)
  }
}
