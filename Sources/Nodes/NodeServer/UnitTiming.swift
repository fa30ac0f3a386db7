import RenderCore

/// The latency and tail of a unit, which its host is told when they change.
struct UnitTiming: Equatable {
  var latency = 0
  var tail: Int?

  init() {}

  init(_ unit: any RenderUnit) {
    latency = unit.latency
    tail = unit.tail
  }
}
