/// The stored connections of one port of a device.
struct WiringRecord: Codable, Equatable, Sendable {
  /// The client's name, for people who read the file.
  var keyboard: String
  var product: String?
  var serial: String?
  var path: String
  /// The port number within its client.
  var port: UInt8
  /// The names of the ports it is connected to, empty if it must not be connected; `nil` if the user has not connected
  /// it, and it is stored only to tell it apart from others.
  var plays: [String]?
  /// The names of the ports that listed it when the user connected it; `nil` if none did.
  var listed: [String]?

  /// The greatest number of stored names of ports that do not exist now. The latest are kept.
  static let maximumAbsent = 32

  /// - Parameter keyboard: A port of `device`.
  init(_ keyboard: SequencerPort, of device: DeviceIdentity, plays: [String]?) {
    self.keyboard = keyboard.clientName
    product = device.product
    serial = device.serial
    path = device.path
    port = keyboard.address.port
    self.plays = plays
  }

  var device: DeviceIdentity { DeviceIdentity(product: product, serial: serial, path: path) }

  /// Returns whether both are the same kind of device, with the same serial number or without one.
  func isAlike(_ other: WiringRecord) -> Bool {
    product == other.product && serial == other.serial && port == other.port
      // A built-in device may have several clients. A USB device's name depends on the kernel's version.
      && (product != nil || keyboard == other.keyboard)
  }
}

extension [WiringRecord] {
  /// The greatest number of stored device ports.
  static var maximumCount: Int { 256 }

  /// Finds the record of a keyboard: the one with the same product, serial number and path; otherwise, because the
  /// keyboard may have been plugged in elsewhere, the only one with the same product and serial number whose device is
  /// not plugged in now.
  ///
  /// Two devices of the same kind are thus told apart by their paths if the vendor gave both the same serial number or
  /// none. A new device is not mistaken for a stored one that is plugged in.
  ///
  /// - Parameters:
  ///   - keyboard: The keyboard with its present port number, name and device.
  ///   - devices: The devices that are plugged in.
  func index(of keyboard: WiringRecord, among devices: Set<DeviceIdentity>) -> Int? {
    let alike = indices.filter { self[$0].isAlike(keyboard) }
    if let same = alike.first(where: { self[$0].path == keyboard.path }) { return same }
    // A built-in device is only known by its path.
    guard keyboard.product != nil else { return nil }
    let absent = alike.filter { !devices.contains(self[$0].device) }
    return absent.count == 1 ? absent[0] : nil
  }

  /// Adds a record, replacing the keyboard's previous one. Removes the oldest records beyond ``maximumCount``.
  ///
  /// - Returns: Whether anything has changed.
  mutating func remember(_ record: WiringRecord, among devices: Set<DeviceIdentity>) -> Bool {
    if let index = index(of: record, among: devices) {
      if self[index] == record { return false }
      // Without a serial number, a device at another path may be a different one, which keeps its own record.
      if record.serial != nil || self[index].path == record.path { remove(at: index) }
    }
    add(record)
    return true
  }

  private mutating func add(_ record: WiringRecord) {
    append(record)
    removeFirst(Swift.max(0, count - Self.maximumCount))
  }

  /// Adds a record of a keyboard that the user has not connected, if a stored device of the same kind is also plugged
  /// in. Otherwise the keyboard would be mistaken for that device when it is plugged in alone.
  ///
  /// - Returns: Whether anything has changed.
  mutating func rememberTwin(_ record: WiringRecord, among devices: Set<DeviceIdentity>) -> Bool {
    let hasTwin = contains { $0.isAlike(record) && devices.contains($0.device) }
    guard hasTwin, index(of: record, among: devices) == nil else { return false }
    add(record)
    return true
  }
}
