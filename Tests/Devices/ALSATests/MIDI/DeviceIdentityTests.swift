import ALSA
import FoundationEssentials
import LocalSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeviceIdentityTests {
  let system = TemporarySystem()
  private let usb = "pci0000:00/0000:00:14.0/usb1/1-1/1-1.2"

  @Test func `a USB device is identified by product, serial number and socket`() throws {
    try addUSB(serial: "4711\n")
    #expect(
      identity(4)
        == DeviceIdentity(product: "1c75:0288", serial: "4711", path: "usb-0000:00:14.0-1.2"))
  }

  @Test(arguments: [nil, "", "\n"])
  func `a USB device need not have a serial number`(serial: String?) throws {
    try addUSB(serial: serial)
    #expect(identity(4) == DeviceIdentity(product: "1c75:0288", path: "usb-0000:00:14.0-1.2"))
  }

  @Test func `another device is identified by its position`() throws {
    try add(card: 0, device: "platform/snd_virmidi.0")
    #expect(identity(0) == DeviceIdentity(path: "platform/snd_virmidi.0"))
  }

  @Test func `a missing card has no identity`() throws {
    #expect(identity(4) == nil)
    try addUSB(serial: nil)
    #expect(identity(5) == nil)
  }

  @Test func `a device that is unplugged during the search has its position`() throws {
    try add(card: 4, device: "\(usb)/1-1.2:1.0")
    #expect(identity(4) == DeviceIdentity(path: "\(usb)/1-1.2:1.0"))
  }

  private func identity(_ card: Int) -> DeviceIdentity? {
    DeviceIdentity(card: card, in: system.environment)
  }

  private func addUSB(serial: String?) throws {
    let device = "sys/devices/\(usb)"
    try system.add("\(device)/devpath", "1.2\n")
    try system.add("\(device)/idVendor", "1c75\n")
    try system.add("\(device)/idProduct", "0288\n")
    if let serial { try system.add("\(device)/serial", serial) }
    try add(card: 4, device: "\(usb)/1-1.2:1.0")
  }

  /// Adds a card as the kernel does: a folder below its device, with a `device` link back to it.
  private func add(card: Int, device: String) throws {
    let folder = "sys/devices/\(device)/sound/card\(card)"
    try system.add("\(folder)/id", "Card\n")
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: "\(system.root)/\(folder)/device", withDestinationPath: "../..")
    try files.createDirectory(
      atPath: "\(system.root)/sys/class/sound", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: "\(system.root)/sys/class/sound/card\(card)",
      withDestinationPath: "\(system.root)/\(folder)")
  }
}
