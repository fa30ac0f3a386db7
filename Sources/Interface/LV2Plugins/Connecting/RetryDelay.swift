/// The time between attempts to connect: from 0.2 to 2 seconds.
struct RetryDelay {
  private var milliseconds: Int64 = 100

  mutating func next() -> Int64 {
    milliseconds = min(2000, milliseconds * 2)
    return milliseconds
  }
}
