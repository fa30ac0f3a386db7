/// How a round trip is measured: the same for all contestants.
struct RoundTripSetting {
  enum Policy: String { case other, fifo }

  /// Which processors host and node run on: the same one, one each, or where the kernel, or the
  /// contestant of its own accord, puts them.
  enum Placement: String { case same, two, free }

  var policy: Policy
  var placement: Placement
  /// Frames of a cycle.
  var frames: Int
  /// Whether the node writes two channels of a cycle and the host reads them.
  var touches = true
  /// Frames per second at which cycles come; `nil`: each as soon as the one before has ended.
  var rate: Int?
  /// That are measured.
  var cycles: Int

  /// What every contestant's program understands.
  var arguments: [String] {
    ["--policy", policy.rawValue, "--cpu", placement.rawValue, "--frames", "\(frames)"]
      + (touches ? ["--touch"] : []) + ["--rate", "\(rate ?? 0)", "--cycles", "\(cycles)"]
  }
}
