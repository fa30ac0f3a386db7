import NodeProtocol

/// What a node does wrong while a host is checked.
enum HostFault: CaseIterable {
  case none

  // Claims that the schema of the protocol excludes.
  case unofferedVersion, otherPort, negativeLatency, endlessLatency, laterLatency, endlessTail,
    manyParameters

  // What is no answer.
  case noMessage, cutAnswer, deepAnswer, otherNumber, resultAndError, hiddenCharacters

  // No answers.
  case noHello, noOpen, noInitialize

  // Ends of the connection.
  case endsAtHello, endsAtOpen, endsAtInitialize, endsInCycle, removesPort, parks

  case answersNoCycle, answersLate
  case writesEverywhere, playsNaN
  case sendsNotifications, sendsCommands
  case leavesFiles

  /// The row to which it belongs.
  var measurement: Measurement {
    switch self {
    case .none: .play
    case .unofferedVersion, .otherPort, .negativeLatency, .endlessLatency, .laterLatency,
      .endlessTail,
      .manyParameters:
      .claims
    case .noMessage, .cutAnswer, .deepAnswer, .otherNumber, .resultAndError, .hiddenCharacters:
      .answers
    case .noHello, .noOpen, .noInitialize: .silence
    case .endsAtHello, .endsAtOpen, .endsAtInitialize, .endsInCycle, .removesPort, .parks: .losses
    case .answersNoCycle, .answersLate: .lateness
    case .writesEverywhere, .playsNaN: .scribbles
    case .sendsNotifications, .sendsCommands: .floods
    case .leavesFiles: .files
    }
  }

  var description: String {
    switch self {
    case .none: "a node without a fault"
    case .unofferedVersion: "version 3 of the protocol, which was not offered"
    case .otherPort: "another port than the one that was asked for"
    case .negativeLatency: "a latency of −5 frames"
    case .endlessLatency: "a latency of 2⁶² frames"
    case .laterLatency: "a latency that changes to 2⁶² frames"
    case .endlessTail: "a tail of 2⁴⁰ frames"
    case .manyParameters: "2⁴⁰ parameters"
    case .noMessage: "an answer that is not JSON"
    case .cutAnswer: "half an answer"
    case .deepAnswer: "an answer of 60 000 brackets"
    case .otherNumber: "an answer to another request"
    case .resultAndError: "an answer with a result and an error"
    case .hiddenCharacters: "an error with control characters of a terminal"
    case .noHello: "no answer to hello"
    case .noOpen: "no answer to open"
    case .noInitialize: "no answer to initialize"
    case .endsAtHello: "a connection that ends at hello"
    case .endsAtOpen: "a connection that ends at open"
    case .endsAtInitialize: "a connection that ends at initialize"
    case .endsInCycle: "a connection that ends in a cycle"
    case .removesPort: "a port that is removed while it plays"
    case .parks: "a port that is parked while it plays"
    case .answersNoCycle: "cycles without an answer, as of a stopped process"
    case .answersLate: "cycles that are answered after 30 ms"
    case .writesEverywhere: "random words in the shared memory"
    case .playsNaN: "NaN and infinite samples"
    case .sendsNotifications: "100 000 notifications"
    case .sendsCommands: "100 000 transport commands"
    case .leavesFiles: "FIFOs, links, folders and damaged records in the runtime folder"
    }
  }

  /// The method whose request has no right answer; `nil` if all have.
  var method: String? {
    switch self {
    case .unofferedVersion, .noHello, .endsAtHello, .noMessage, .cutAnswer, .deepAnswer,
      .otherNumber, .resultAndError:
      Hello.method
    case .otherPort, .noOpen, .endsAtOpen, .hiddenCharacters: OpenPort.method
    case .negativeLatency, .endlessLatency, .endlessTail, .manyParameters, .noInitialize,
      .endsAtInitialize:
      InitializePort.method
    default: nil
    }
  }

  /// The number of cycles that are answered before the fault.
  static let healthyCycles = 20

  /// Whether a host that renders cycles in spite of it believes what cannot be true.
  var isLie: Bool { measurement == .claims || measurement == .answers }

  /// Whether every host needs what the node claims.
  var isOfUse: Bool {
    switch self {
    case .negativeLatency, .endlessLatency, .laterLatency, .endlessTail, .manyParameters: false
    default: true
    }
  }

  /// Whether the host hears what the node should play, so that nothing is wrong with the exit code 0.
  var isHarmless: Bool {
    switch measurement {
    case .play, .lateness, .scribbles, .floods, .files: self != .answersNoCycle
    default: false
    }
  }
}
