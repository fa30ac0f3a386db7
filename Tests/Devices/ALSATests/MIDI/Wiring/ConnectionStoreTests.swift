import FoundationEssentials
import Glibc
import LocalSystem
import TestSupport
import Testing

@testable import ALSA

/// Returns the text of the file, or `nil` if there is none.
func wiringFile(_ system: TemporarySystem, _ suffix: String = "") -> String? {
  let path = "\(system.root)/home/.local/state/portative/wiring.json\(suffix)"
  return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
}

@Suite(.timeLimit(.minutes(5))) struct ConnectionStoreTests {
  let system = TemporarySystem()
  let room: WiredRoom
  let keys = SequencerPort.usb(28, "Grand Keys", serial: "4711", at: "usb-0000:00:14.0-1")
  private let file = "home/.local/state/portative/wiring.json"

  init() { room = WiredRoom("Piano", in: system) }

  @Test func `the file can be read by people`() {
    wire()
    #expect(
      wiringFile(system) == """
        {
          "keyboards" : [
            {
              "keyboard" : "Grand Keys",
              "path" : "usb-0000:00:14.0-1",
              "plays" : [

              ],
              "port" : 0,
              "product" : "1c75:0288",
              "serial" : "4711"
            }
          ],
          "version" : 1
        }

        """)
    #expect(room.complaints == [])
  }

  @Test func `nothing is written without connections`() {
    for _ in 1...100 {
      room.plug(keys)
      room.unplug(keys)
    }
    #expect(wiringFile(system) == nil)
    wire()
    let written = wiringFile(system)
    for _ in 1...100 {
      room.unplug(keys)
      room.plug(keys)
    }
    #expect(wiringFile(system) == written)
  }

  @Test func `it is stored in XDG_STATE_HOME`() {
    system.environment.variables["XDG_STATE_HOME"] = "\(system.root)/state"
    let room = WiredRoom("Piano", in: system)
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    #expect(FileManager.default.fileExists(atPath: "\(system.root)/state/portative/wiring.json"))
    #expect(wiringFile(system) == nil)
  }

  @Test(arguments: ["{", "", "[]", #"{"version": 1, "keyboards": [{"port": 300}]}"#])
  func `a broken file is reported once, and renamed`(content: String) throws {
    try system.add(file, content)
    wire()
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
    #expect(room.complaints.count == 1)
    #expect(room.complaints.first?.contains("unusable") == true)
    #expect(wiringFile(system, ".broken") == content)
    // A second broken file does not replace the first.
    try system.add(file, "again")
    room.unplug(keys)
    room.plug(keys)
    #expect(wiringFile(system, ".broken") == content)
    #expect(wiringFile(system, ".broken-2") == "again")
  }

  @Test func `a file that breaks at run time is renamed, and new connections are stored`()
    throws
  {
    room.plug(keys)
    try system.add(file, "{")
    room.disconnect(keys, from: "Piano")
    #expect(wiringFile(system)?.contains("4711") == true)
    #expect(wiringFile(system, ".broken") == "{")
    #expect(room.complaints.count == 1)
  }

  @Test func `a newer version's file is not changed`() throws {
    try system.add(file, #"{"version": 2, "boards": {}}"#)
    wire()
    #expect(wiringFile(system) == #"{"version": 2, "boards": {}}"#)
    #expect(room.complaints.count == 1)
    #expect(room.complaints.first?.contains("newer Portative") == true)
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
    #expect(room.complaints.count == 1)
  }

  @Test func `a failed write is reported once, and repeated later`() throws {
    // A file cannot replace a folder, not even for root.
    let folder = "\(system.root)/\(file)"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/full", withIntermediateDirectories: true)
    wire()
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
    #expect(room.complaints.count == 1)
    try FileManager.default.removeItem(atPath: folder)
    let pads = SequencerPort.usb(32, "Pads", product: "09e8:0031", at: "2")
    room.plug(pads)
    room.disconnect(pads, from: "Piano")
    let written = try #require(wiringFile(system))
    #expect(written.contains("4711") && written.contains("09e8"))
    #expect(room.complaints.count == 1)
  }

  @Test func `a folder that cannot be created is reported`() throws {
    try system.add("home/.local/state", "a file")
    wire()
    #expect(
      room.complaints.last
        == "connections cannot be stored in '\(system.root)/\(file)': Not a directory; until this is "
        + "fixed, they are kept only while the server runs")
  }

  @Test func `a missing home is reported once`() {
    system.environment.variables = [:]
    let room = WiredRoom("Piano", in: system)
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
    room.unplug(keys)
    room.plug(keys)
    #expect(room.connections == [])
    #expect(room.complaints.count == 1)
  }

  @Test func `the oldest of more than 256 entries is removed`() throws {
    for number in 0...256 {
      let keys = SequencerPort.usb(28, product: "1c75:\(1000 + number)", at: "1")
      room.plug(keys)
      room.disconnect(keys, from: "Piano")
      room.unplug(keys)
    }
    let written = try #require(wiringFile(system))
    #expect(!written.contains("1c75:1000"))
    #expect(written.contains("1c75:1001") && written.contains("1c75:1256"))
  }

  @Test func `two servers that write at once lose nothing`() async throws {
    let path = "\(system.root)/wiring.json"
    await withTaskGroup { group in
      for server in 0..<4 {
        group.addTask {
          for number in 0..<10 {
            let keys = SequencerPort.usb(28, product: "\(server):\(number)", at: "1")
            guard let device = keys.device else { continue }
            // Repeated if the others have the file for too long.
            while true {
              do throws(StoredFileError) {
                _ = try WiringFile(path: path).update {
                  $0.keyboards.remember(WiringRecord(keys, of: device, plays: []), among: [])
                }
                break
              } catch {
                if error != .inUse(path: path) { return }
              }
            }
          }
        }
      }
    }
    #expect(try WiringFile(path: path).read().keyboards.count == 40)
  }

  @Test func `a change while another server holds the file is stored with the next one`() throws {
    try system.add(file, #"{"version": 1, "keyboards": []}"#)
    var lock = try FileLock.acquire("\(system.root)/\(file).lock", mode: 0o600)
    withExtendedLifetime(lock) { wire() }
    #expect(room.complaints.count == 1)
    #expect(room.complaints.first?.contains("another server has locked it") == true)
    lock = nil
    let pads = SequencerPort.usb(32, "Pads", product: "09e8:0031", at: "2")
    room.plug(pads)
    room.disconnect(pads, from: "Piano")
    let written = try #require(wiringFile(system))
    #expect(written.contains("4711") && written.contains("09e8"))
  }

  @Test func `names of former ports do not accumulate`() throws {
    room.plug(keys)
    for number in 0..<100 {
      room.add("Port \(number)", port: 9)
      room.connect(keys, to: "Port \(number)")
      room.remove("Port \(number)")
    }
    let written = try #require(wiringFile(system))
    // The text before the first name, the maximum number of absent ports, and the present one.
    #expect(written.split(separator: "\"Port ").count == 2 + WiringRecord.maximumAbsent)
    #expect(written.contains("Port 99"))
  }

  private func wire() {
    room.plug(keys)
    room.disconnect(keys, from: "Piano")
  }
}
