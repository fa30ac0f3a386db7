import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import ALSA

/// Tests of wiring with the real sequencer, keyboards that are plugged in and out, and other programs that
/// connect them.
@Suite(
  .timeLimit(Rig.timeLimit),
  .enabled(
    if: Rig.hasKeyboards, "needs dummy_hcd with two sockets, as root, in real time: make test-alsa"),
  .serialized)
struct WiringTests {
  let system = TemporarySystem()
  let live: LiveWiring
  let keyboard: EmulatedKeyboard
  private let place = "Rig Keys at usb-dummy_hcd.0-1"

  init() throws {
    live = try LiveWiring("Rig: Piano", "Rig: Organ", in: system)
    keyboard = try EmulatedKeyboard(socket: 0, name: "Rig Keys", serial: "4711")
  }

  @Test func `a keyboard plays if it is plugged in before or after the start`() throws {
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Piano")
    let later = try LiveWiring("Later: Piano", in: system)
    // A second server leaves the keyboard to the first.
    #expect(try later.wiring() == ["\(place) plays Rig: Piano"])
    try keyboard.unplug()
    try live.wait()
  }

  @Test
  func `a keyboard that the user disconnects stays so, and unplugging does not count as that`()
    throws
  {
    for _ in 1...2 {
      try keyboard.plug()
      try live.wait(for: "\(place) plays Rig: Piano")
      try keyboard.unplug()
      try live.wait()
    }
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Piano")
    try shell("aconnect -d 'Rig Keys:0' 'Portative:1'")
    try live.wait()
    try keyboard.unplug()
    try keyboard.plug()
    try waitForAppearance(count: 4)
    #expect(try live.wiring() == [])
    #expect(live.complaints == [])
    try shell("aconnect 'Rig Keys:0' 'Portative:2'")
    try live.wait(for: "\(place) plays Rig: Organ")
    try keyboard.unplug()
    try live.wait()
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Organ")
  }

  @Test func `two equal keyboards are distinguished`() throws {
    let twins = try [keyboard, EmulatedKeyboard(socket: 1, name: "Rig Keys", serial: "4711")]
    let other = "Rig Keys at usb-dummy_hcd.1-1"
    for twin in twins { try twin.plug() }
    try live.wait(for: "\(place) plays Rig: Piano", "\(other) plays Rig: Piano")
    let port = try #require(
      try ALSASequencer(clientName: "Finder").ports().first {
        $0.device?.path == "usb-dummy_hcd.1-1" && $0.sends
      })
    try shell("aconnect \(port.address) 'Portative:2'; aconnect -d \(port.address) 'Portative:1'")
    try live.wait(for: "\(place) plays Rig: Piano", "\(other) plays Rig: Organ")
    for twin in twins { try twin.unplug() }
    try live.wait()
    for twin in twins.reversed() { try twin.plug() }
    try live.wait(for: "\(place) plays Rig: Piano", "\(other) plays Rig: Organ")
  }

  @Test func `plugging in and out many times does not change the file`() throws {
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Piano")
    try shell("aconnect 'Rig Keys:0' 'Portative:2'")
    try live.wait(for: "\(place) plays Rig: Piano", "\(place) plays Rig: Organ")
    let written = try #require(wiringFile)
    for _ in 1...(10 * Rig.faultFactor) {
      try keyboard.unplug()
      try live.wait()
      try keyboard.plug()
      try live.wait(for: "\(place) plays Rig: Piano", "\(place) plays Rig: Organ")
    }
    #expect(wiringFile == written)
  }

  @Test func `portative connect shows, makes and breaks it`() throws {
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Piano")
    #expect(try connect("'rig keys' organ") == "Rig Keys now plays Rig: Organ\n")
    try live.wait(for: "\(place) plays Rig: Piano", "\(place) plays Rig: Organ")
    #expect(
      try connect("--remove 'rig keys' piano") == "Rig Keys no longer plays Rig: Piano\n")
    try live.wait(for: "\(place) plays Rig: Organ")
    let list = try connect("")
    #expect(list.contains("  usb-dummy_hcd.0-1  "))
    #expect(
      list.split(separator: "\n").contains {
        $0.hasPrefix("Rig: Organ") && $0.hasSuffix(" Rig Keys")
      })
    #expect(!list.contains("Announce") && !list.contains("Timer"))
    try keyboard.unplug()
    try live.wait()
    try keyboard.plug()
    try live.wait(for: "\(place) plays Rig: Organ")
  }

  /// The distinction between disconnecting and unplugging depends on this.
  @Test func `a vanished keyboard is reported at its port only`() throws {
    let receiver = try ALSASequencer(clientName: "Receiver")
    let port = try receiver.addPort(named: "Receiver")
    try keyboard.plug()
    let keys = try wait { try receiver.ports().first { $0.clientName == "Rig Keys" } }
    try receiver.connect(keys.address, to: port)
    let onlooker = try ALSASequencer(clientName: "Onlooker")
    let ear = try onlooker.addPort(named: "Ear")
    try onlooker.connect(.announcements, to: ear)
    while try onlooker.nextEvent() != nil {}
    try keyboard.unplug()
    var announced: [SequencerEvent.Content] = []
    while announced.last != .announcement(.clientExited(keys.address.client)) {
      announced.append(try wait { try onlooker.nextEvent() }.content)
    }
    let unsubscribed = Announcement.unsubscribed(sender: keys.address, receiver: port)
    #expect(!announced.contains(.announcement(unsubscribed)))
    #expect(try receiver.nextEvent()?.content == .announcement(unsubscribed))
  }

  @Test func `a full or read-only disk keeps the remembered connections`() throws {
    let folder = "\(system.root)/disk"
    try shell("mkdir -p \(folder) && mount -t tmpfs -o size=4k none \(folder)")
    defer { try? shell("umount \(folder)") }
    let file = WiringFile(path: "\(folder)/wiring.json")
    func remember(_ product: String) throws -> [WiringRecord] {
      let device = DeviceIdentity(product: product, path: "1")
      let port = SequencerPort(
        address: PortAddress(client: 24, port: 0), clientName: "Keys", name: "Keys", sends: true,
        receives: true, device: device)
      return try file.update {
        $0.keyboards.remember(WiringRecord(port, of: device, plays: []), among: [])
      }.keyboards
    }
    let first = try remember("1d6b:0104")
    for (condition, code) in [("true", ENOSPC), ("mount -o remount,ro \(folder)", EROFS)] {
      try shell(condition)
      #expect(throws: StoredFileError.notWritten(path: file.path, WholeFile.Failure(code: code))) {
        try remember("1d6b:0105")
      }
      #expect(try file.read().keyboards == first)
    }
  }

  private var wiringFile: String? {
    let path = "\(system.root)/home/.local/state/portative/wiring.json"
    return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Waits until the keyboard's appearance is reported for the `count`-th time.
  private func waitForAppearance(count: Int) throws {
    _ = try wait {
      let appearances = live.happenings.filter {
        if case .appeared(let port) = $0 { port.clientName == "Rig Keys" } else { false }
      }
      return appearances.count == count ? true : nil
    }
  }

  /// - Returns: The output of the command.
  private func connect(_ arguments: String) throws -> String {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "portative").path()
    let file = "\(system.root)/output"
    try shell("mkdir -p '\(system.root)'; '\(program)' connect \(arguments) >'\(file)'")
    return String(
      decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
  }

  private struct ShellFailed: Error {
    let command: String
  }

  private func shell(_ command: String) throws {
    guard Glibc.system(command) == 0 else { throw ShellFailed(command: command) }
  }
}
