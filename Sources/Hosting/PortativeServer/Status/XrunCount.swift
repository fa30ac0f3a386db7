import Synchronization

/// The number of xruns of a sound device. Threads: any.
final class XrunCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }
}
