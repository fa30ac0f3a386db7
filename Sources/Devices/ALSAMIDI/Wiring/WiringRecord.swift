/// What is remembered of one port of a device.
struct WiringRecord: Codable, Equatable, Sendable {
  /// The client's name, for people who look into the file.
  var keyboard: String
  var product: String?
  var serial: String?
  var path: String
  /// The number of the port at its client.
  var port: UInt8
  /// The names of the ports that it is connected to, none if it is to be left alone; `nil` if nobody has
  /// wired it, and it is known only so that it is not taken for another.
  var plays: [String]?
  /// The names of the ports that listed it when somebody wired it; `nil` if none did.
  var listed: [String]?

  /// The most names of ports that are not there now, of which the latest are remembered.
  static let maximumAbsent = 32

  /// - Parameter keyboard: The port of `device`.
  init(_ keyboard: SequencerPort, of device: DeviceIdentity, plays: [String]?) {
    self.keyboard = keyboard.clientName
    product = device.product
    serial = device.serial
    path = device.path
    port = keyboard.address.port
    self.plays = plays
  }

  var device: DeviceIdentity { DeviceIdentity(product: product, serial: serial, path: path) }

  /// Whether both are of one kind of device, with the same serial number or none.
  func isAlike(_ other: WiringRecord) -> Bool {
    product == other.product && serial == other.serial && port == other.port
      // What is built in may be several clients; a USB device's name is a matter of the kernel's version.
      && (product != nil || keyboard == other.keyboard)
  }
}

extension [WiringRecord] {
  /// The most ports of devices that are remembered.
  static var maximumCount: Int { 256 }

  /// What is remembered of a keyboard: of the one with its product, its serial number and its place; or, for
  /// it may have been plugged in elsewhere, of the only one with its product and its serial number that is
  /// not plugged in now.
  ///
  /// So two of a kind stay apart by their places, where the maker gave both the same serial number, or none;
  /// and one that was never seen before is not taken for another while that is there.
  ///
  /// - Parameters:
  ///   - keyboard: With its number, name and device of now.
  ///   - devices: Those that are plugged in.
  func index(of keyboard: WiringRecord, among devices: Set<DeviceIdentity>) -> Int? {
    let alike = indices.filter { self[$0].isAlike(keyboard) }
    if let same = alike.first(where: { self[$0].path == keyboard.path }) { return same }
    // Of what is built in, only the place is known.
    guard keyboard.product != nil else { return nil }
    let absent = alike.filter { !devices.contains(self[$0].device) }
    return absent.count == 1 ? absent[0] : nil
  }

  /// Adds a record in place of what was remembered of the same keyboard, and forgets the oldest if there
  /// are too many.
  ///
  /// - Returns: Whether anything has changed.
  mutating func remember(_ record: WiringRecord, among devices: Set<DeviceIdentity>) -> Bool {
    if let index = index(of: record, among: devices) {
      if self[index] == record { return false }
      // Without a serial number, one in another place may be another: that one keeps its own.
      if record.serial != nil || self[index].path == record.path { remove(at: index) }
    }
    add(record)
    return true
  }

  private mutating func add(_ record: WiringRecord) {
    append(record)
    removeFirst(Swift.max(0, count - Self.maximumCount))
  }

  /// Adds a record of a keyboard that nobody has wired, if there is one of its kind beside it that somebody
  /// has: or it might be taken for that one when it is plugged in alone.
  ///
  /// - Returns: Whether anything has changed.
  mutating func acquaint(_ record: WiringRecord, among devices: Set<DeviceIdentity>) -> Bool {
    let hasTwin = contains { $0.isAlike(record) && devices.contains($0.device) }
    guard hasTwin, index(of: record, among: devices) == nil else { return false }
    add(record)
    return true
  }
}
