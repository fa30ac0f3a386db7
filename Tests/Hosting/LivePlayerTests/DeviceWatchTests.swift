import Testing

@testable import LivePlayer

@Suite(.timeLimit(.minutes(5))) struct DeviceWatchTests {
  @Test func `a device that requests nothing in 50 consecutive checks is stalled`() {
    var watch = DeviceWatch()
    var checks = (0..<10).map { watch.isStalled(Int64($0) * 256) }
    checks += (1..<DeviceWatch.limit).map { _ in watch.isStalled(9 * 256) }
    #expect(!checks.contains(true))
    let isStalled = watch.isStalled(9 * 256)
    #expect(isStalled)
    let isStalledStill = watch.isStalled(10 * 256)
    #expect(!isStalledStill)
  }
}
