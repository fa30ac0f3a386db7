/// The arguments of ``RoundTripSetting``, parsed by the program that measures.
struct EchoOptions {
  var priority = 0
  var placement = RoundTripSetting.Placement.free
  var frames = 64
  var touches = false
  var rate = 0
  var cycles = 20_000

  /// The default priority of `pingpong`.
  static let fifoPriority = 70

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--touch" {
        touches = true
        continue
      }
      guard let value = rest.popFirst() else { throw BenchError("\(name) needs a value") }
      switch name {
      case "--policy": priority = value == "fifo" ? Self.fifoPriority : 0
      case "--cpu": placement = try Self.placement(value)
      case "--frames": frames = try Self.number(value, of: name)
      case "--rate": rate = try Self.number(value, of: name)
      case "--cycles": cycles = try Self.number(value, of: name)
      default: throw BenchError("unknown option \(name)")
      }
    }
  }

  private static func placement(_ word: String) throws -> RoundTripSetting.Placement {
    guard let placement = RoundTripSetting.Placement(rawValue: word) else {
      throw BenchError("--cpu must be same, two or free, not '\(word)'")
    }
    return placement
  }

  private static func number(_ word: String, of name: String) throws -> Int {
    guard let number = Int(word), number >= 0 else {
      throw BenchError("\(name) must be a number, not '\(word)'")
    }
    return number
  }
}
