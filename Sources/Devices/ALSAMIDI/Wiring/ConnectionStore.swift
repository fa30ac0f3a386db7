package import LocalSystem

/// Remembers what keyboards play, from one plugging in to the next, and from one server to the next.
///
/// It is kept in `portative/wiring.json` in `$XDG_STATE_HOME` (else `~/.local/state`). Where that is not
/// possible it says so, once, and remembers until the server ends.
package struct ConnectionStore: Sendable {
  private let file: WiringFile?
  private let complain: @Sendable (String) -> Void
  /// As last read.
  private var records: [WiringRecord] = []
  /// What has not been written yet, for it could not be.
  private var unwritten: [WiringRecord] = []
  private var complaint: WiringFileError?

  /// - Parameter complain: Takes a sentence for the user.
  package init(
    _ environment: ProcessEnvironment = .current, complain: @escaping @Sendable (String) -> Void
  ) {
    file = environment.folder("XDG_STATE_HOME", inHome: ".local/state").map {
      WiringFile(path: "\($0)/portative/wiring.json")
    }
    self.complain = complain
  }

  /// - Parameter devices: Those that are plugged in.
  /// - Returns: `nil` if nobody has wired it.
  mutating func recall(
    _ keyboard: SequencerPort, among devices: Set<DeviceIdentity>
  ) -> RememberedPlaces? {
    guard let device = keyboard.device else { return nil }
    attempt { file throws(WiringFileError) in try file.read() }
    var known = records
    for record in unwritten { _ = known.remember(record, among: devices) }
    let probe = WiringRecord(keyboard, of: device, plays: nil)
    guard let index = known.index(of: probe, among: devices), let plays = known[index].plays
    else { return nil }
    return RememberedPlaces(plays: plays, listed: known[index].listed ?? [])
  }

  /// Remembers what a keyboard plays now. Of a program nothing is remembered.
  ///
  /// - Parameters:
  ///   - names: What it plays of `ports`; what it plays of others is left as it is.
  ///   - ports: All of ours.
  ///   - listed: The names of those of ours that list it.
  ///   - devices: Those that are plugged in.
  mutating func remember(
    _ keyboard: SequencerPort, plays names: [String], of ports: [SequencerPort],
    listed: [String], among devices: Set<DeviceIdentity>
  ) {
    guard let device = keyboard.device else { return }
    let waiting = unwritten
    func change(_ records: inout [WiringRecord]) -> Bool {
      var isChanged = false
      for record in waiting { isChanged = records.remember(record, among: devices) || isChanged }
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
    // Twice, for the first time may find that the file is of no use, and set it aside.
    for _ in 1...2 {
      if attempt({ file throws(WiringFileError) in try file.update(change) }) {
        unwritten = []
        return
      }
    }
    var known = records
    _ = change(&known)
    _ = known.last.map { unwritten.remember($0, among: devices) }
  }

  /// Tells the user something about what is remembered.
  func tell(_ sentence: String) { complain(sentence) }

  /// Sees to it that a keyboard which nobody has wired is not taken for one of its kind.
  mutating func acquaint(_ keyboard: SequencerPort, among devices: Set<DeviceIdentity>) {
    guard let device = keyboard.device else { return }
    let record = WiringRecord(keyboard, of: device, plays: nil)
    var known = records
    if known.acquaint(record, among: devices) {
      attempt { file throws(WiringFileError) in
        try file.update { $0.acquaint(record, among: devices) }
      }
    }
  }

  /// Does something with the file.
  ///
  /// - Returns: Whether that was possible; else it has been complained of, if it is news.
  @discardableResult
  private mutating func attempt(
    _ action: (WiringFile) throws(WiringFileError) -> [WiringRecord]
  ) -> Bool {
    do throws(WiringFileError) {
      guard let file else { throw .noHome }
      records = try action(file)
      complaint = nil
      return true
    } catch {
      if error != complaint { complain(error.description) }
      complaint = error
      return false
    }
  }
}

/// What is remembered of a keyboard that somebody has wired.
struct RememberedPlaces: Equatable {
  /// The names of the ports that it is to play.
  var plays: [String]
  /// The names of the ports that listed it at the time.
  var listed: [String]
}
