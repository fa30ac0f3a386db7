package import LocalSystem

/// Stores the user's connections of keyboards across reconnections and server restarts.
///
/// The file is `portative/wiring.json` in `$XDG_STATE_HOME` (default: `~/.local/state`). If it cannot be used, the
/// store reports this once and keeps the connections in memory until the server ends.
package struct ConnectionStore: Sendable {
  private let file: WiringFile?
  private let log: @Sendable (String) -> Void
  /// The records as last read.
  private var records: [WiringRecord] = []
  /// Records that could not be written yet.
  private var unwritten: [WiringRecord] = []
  private var lastError: StoredFileError?

  /// - Parameter log: Receives messages for the user.
  package init(
    _ environment: ProcessEnvironment = .current, log: @escaping @Sendable (String) -> Void
  ) {
    file = environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      WiringFile(path: "\($0)/portative/wiring.json")
    }
    self.log = log
  }

  /// Returns the stored connections of a keyboard.
  ///
  /// - Parameter devices: The devices that are plugged in.
  /// - Returns: `nil` if the user has never connected it.
  mutating func recall(
    _ keyboard: SequencerPort, among devices: Set<DeviceIdentity>
  ) -> StoredWiring? {
    guard let device = keyboard.device else { return nil }
    attempt { file throws(StoredFileError) in try file.read().keyboards }
    var known = records
    for record in unwritten { _ = known.remember(record, among: devices) }
    let probe = WiringRecord(keyboard, of: device, plays: nil)
    guard let index = known.index(of: probe, among: devices), let plays = known[index].plays
    else { return nil }
    return StoredWiring(plays: plays, listed: known[index].listed ?? [])
  }

  /// Stores a keyboard's present connections. Does nothing for ports of programs.
  ///
  /// - Parameters:
  ///   - names: The names of those of `ports` that it is connected to. Stored connections to other ports are kept.
  ///   - ports: All our ports.
  ///   - listed: The names of our ports that list the keyboard.
  ///   - devices: The devices that are plugged in.
  mutating func remember(
    _ keyboard: SequencerPort, plays names: [String], of ports: [SequencerPort],
    listed: [String], among devices: Set<DeviceIdentity>
  ) {
    guard let device = keyboard.device else { return }
    let pending = unwritten
    func change(_ records: inout [WiringRecord]) -> Bool {
      var isChanged = false
      for record in pending { isChanged = records.remember(record, among: devices) || isChanged }
      var record = WiringRecord(keyboard, of: device, plays: names)
      let before = records.index(of: record, among: devices).map { records[$0] }
      func others(_ names: [String]?) -> [String] {
        (names ?? []).filter { name in !ports.contains { $0.isNamed(name) } }
          .suffix(WiringRecord.maximumAbsent)
      }
      record.plays = others(before?.plays) + names
      let lists = others(before?.listed).filter { !listed.contains($0) } + listed
      record.listed = lists.isEmpty ? nil : lists
      return records.remember(record, among: devices) || isChanged
    }
    // Twice, because the first attempt may find that the file is unusable, and set it aside.
    for _ in 1...2 {
      if attempt({ file throws(StoredFileError) in
        try file.update { change(&$0.keyboards) }.keyboards
      }) {
        unwritten = []
        return
      }
    }
    var known = records
    _ = change(&known)
    _ = known.last.map { unwritten.remember($0, among: devices) }
  }

  /// Reports a message about stored connections to the user.
  func report(_ message: String) { log(message) }

  /// Stores a keyboard that the user has not connected, if it could be mistaken for a stored one of the same kind.
  mutating func rememberTwin(_ keyboard: SequencerPort, among devices: Set<DeviceIdentity>) {
    guard let device = keyboard.device else { return }
    let record = WiringRecord(keyboard, of: device, plays: nil)
    var known = records
    if known.rememberTwin(record, among: devices) {
      attempt { file throws(StoredFileError) in
        try file.update { $0.keyboards.rememberTwin(record, among: devices) }.keyboards
      }
    }
  }

  /// Reads or updates the file. Reports an error unless it is the same as the last one.
  ///
  /// - Returns: Whether this succeeded.
  @discardableResult
  private mutating func attempt(
    _ action: (WiringFile) throws(StoredFileError) -> [WiringRecord]
  ) -> Bool {
    do throws(StoredFileError) {
      guard let file else { throw .noHome }
      records = try action(file)
      lastError = nil
      return true
    } catch {
      if error != lastError { log(error.message(about: "connections")) }
      lastError = error
      return false
    }
  }
}

/// The stored connections of a keyboard that the user has connected.
struct StoredWiring: Equatable {
  /// The names of the ports that it plays.
  var plays: [String]
  /// The names of the ports that listed it when the user connected it.
  var listed: [String]
}

/// The content of the file that stores connections.
struct StoredWirings: StoredContent {
  static let currentVersion = 1
  var version = currentVersion
  var keyboards: [WiringRecord] = []
}

/// The file that stores connections.
typealias WiringFile = StoredFile<StoredWirings>
