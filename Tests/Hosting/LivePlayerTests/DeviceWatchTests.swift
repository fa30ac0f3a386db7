import Testing

@testable import LivePlayer

@Suite struct DeviceWatchTests {
  @Test func `a device is stalled when it has asked for nothing in so many looks running`() {
    var watch = DeviceWatch()
    var looks = (0..<10).map { watch.isStalled(Int64($0) * 256) }
    looks += (1..<DeviceWatch.limit).map { _ in watch.isStalled(9 * 256) }
    #expect(!looks.contains(true))
    let isStalled = watch.isStalled(9 * 256)
    #expect(isStalled)
    let isStalledStill = watch.isStalled(10 * 256)
    #expect(!isStalledStill)
  }
}
