import Glibc
public import LocalSystem

/// A device identity that stays the same when the device is plugged in again.
///
/// Many vendors give every unit the same serial number, or none. Such devices can only be told apart by ``path``.
///
/// Source: *The Linux kernel*, `Documentation/ABI/stable/sysfs-bus-usb`.
public struct DeviceIdentity: Hashable, Sendable {
  /// The USB vendor and product IDs, such as `1d6b:0104`; `nil` for other devices.
  public let product: String?
  /// The USB serial number; `nil` if the device has none.
  public let serial: String?
  /// Where the device is plugged in. For USB: the controller and the port path through the hubs, as in
  /// `usb-0000:00:14.0-1.2`; otherwise the device's path below `/sys/devices`.
  public let path: String

  public init(product: String? = nil, serial: String? = nil, path: String) {
    self.product = product
    self.serial = serial
    self.path = path
  }

  /// Reads the identity of a sound card's device from sysfs.
  ///
  /// - Parameter card: The card number, as in `/proc/asound/cards`.
  /// - Returns: `nil` if the card has no device or no longer exists.
  public init?(card: Int, in environment: ProcessEnvironment = .current) {
    let devices = "\(environment.root)/sys/devices/"
    guard
      let device = resolvedPath("\(environment.root)/sys/class/sound/card\(card)/device"),
      let devices = resolvedPath(devices), device.hasPrefix(devices + "/")
    else { return nil }
    // The card belongs to a USB interface; the parent directory is the USB device.
    let parts = device.dropFirst(devices.count + 1).split(separator: "/")
    let parent = device.prefix(device.count - (parts.last?.count ?? 0) - 1)
    func attribute(_ name: String) -> String? {
      guard let bytes = try? WholeFile.read("\(parent)/\(name)", limit: 4096) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.last == "\n" ? String(text.dropLast()) : text
    }
    guard let bus = parts.firstIndex(where: { $0.hasPrefix("usb") }), bus > 0,
      let devicePath = attribute("devpath"), let vendor = attribute("idVendor"),
      let product = attribute("idProduct")
    else {
      self.init(path: parts.joined(separator: "/"))
      return
    }
    self.init(
      product: "\(vendor):\(product)",
      serial: attribute("serial").flatMap { $0.isEmpty ? nil : $0 },
      path: "usb-\(parts[bus - 1])-\(devicePath)")
  }
}
