/// The parameters of a round-trip measurement, the same for all contestants.
struct RoundTripSetting {
  enum Policy: String { case other, fifo }

  /// The processors of host and node: the same one, one each, or the choice of the kernel or the contestant.
  enum Placement: String { case same, two, free }

  var policy: Policy
  var placement: Placement
  /// The length of a cycle in frames.
  var frames: Int
  /// Whether the node writes and the host reads two channels in each cycle.
  var touches = true
  /// The sample rate that paces the cycles; `nil`: a cycle begins as soon as the previous one has ended.
  var rate: Int?
  /// The number of measured cycles.
  var cycles: Int

  /// The command-line arguments, which every contestant's program accepts.
  var arguments: [String] {
    ["--policy", policy.rawValue, "--cpu", placement.rawValue, "--frames", "\(frames)"]
      + (touches ? ["--touch"] : []) + ["--rate", "\(rate ?? 0)", "--cycles", "\(cycles)"]
  }
}
