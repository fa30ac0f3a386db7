/// A section of the bench; sections run in the order of the cases.
///
/// Units and laws run late because they play inside the bench and enlarge it, and a child's peak memory
/// starts at its parent's size (see ``Child``).
enum Section: String, CaseIterable {
  case start, speed, songs, library, memory, scaling, roundtrip, onesound, ports, units, polyphony,
    cost, keyboard, zones, laws, rates

  func run(in bench: Bench) throws -> [Table] {
    switch self {
    case .start: try startSection(bench)
    case .speed: try speedSection(bench)
    case .songs: try songsSection(bench)
    case .library: try librarySection(bench)
    case .memory: try memorySection(bench)
    case .scaling: try scalingSection(bench)
    case .roundtrip: try roundTripSection(bench)
    case .onesound: try oneSoundSection(bench)
    case .ports: try portsSection(bench)
    case .units: try unitsSection(bench)
    case .polyphony: try polyphonySection(bench)
    case .cost: try costSection(bench)
    case .keyboard: try keyboardSection(bench)
    case .zones: try zonesSection(bench)
    case .laws: try lawSection(bench)
    case .rates: try ratesSection(bench)
    }
  }
}
