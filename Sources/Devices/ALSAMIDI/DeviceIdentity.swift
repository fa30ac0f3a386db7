import Glibc
public import LocalSystem

/// What tells a device from others of its kind, and is the same when it is plugged in again.
///
/// Many makers give every keyboard the same serial number, or none: those of a kind stay apart by
/// ``path`` only.
///
/// Source: *The Linux kernel*, `Documentation/ABI/stable/sysfs-bus-usb`.
public struct DeviceIdentity: Hashable, Sendable {
  /// USB vendor and product, such as `1d6b:0104`; `nil` for other devices.
  public let product: String?
  /// What the maker gave it, if it did.
  public let serial: String?
  /// Where it is plugged in: for USB the controller and the way through hubs, as in
  /// `usb-0000:00:14.0-1.2`; else the device's place below `/sys/devices`.
  public let path: String

  public init(product: String? = nil, serial: String? = nil, path: String) {
    self.product = product
    self.serial = serial
    self.path = path
  }

  /// Looks at the device of a sound card.
  ///
  /// - Parameter card: Its number, as in `/proc/asound/cards`.
  /// - Returns: `nil` if there is none, or no more.
  public init?(card: Int, in environment: ProcessEnvironment = .current) {
    let devices = "\(environment.root)/sys/devices/"
    guard
      let device = resolvedPath("\(environment.root)/sys/class/sound/card\(card)/device"),
      let devices = resolvedPath(devices), device.hasPrefix(devices + "/")
    else { return nil }
    // The card belongs to an interface of the USB device, which is the folder above.
    let parts = device.dropFirst(devices.count + 1).split(separator: "/")
    let above = device.prefix(device.count - (parts.last?.count ?? 0) - 1)
    func attribute(_ name: String) -> String? {
      guard let bytes = try? WholeFile.read("\(above)/\(name)", limit: 4096) else { return nil }
      let text = String(decoding: bytes, as: UTF8.self)
      return text.last == "\n" ? String(text.dropLast()) : text
    }
    guard let bus = parts.firstIndex(where: { $0.hasPrefix("usb") }), bus > 0,
      let way = attribute("devpath"), let vendor = attribute("idVendor"),
      let product = attribute("idProduct")
    else {
      self.init(path: parts.joined(separator: "/"))
      return
    }
    self.init(
      product: "\(vendor):\(product)",
      serial: attribute("serial").flatMap { $0.isEmpty ? nil : $0 },
      path: "usb-\(parts[bus - 1])-\(way)")
  }
}
