import ALSA
import Foundation
import ProgramTestSupport
import Testing

@testable import LocalSystem
@testable import portative

@Suite(.timeLimit(.minutes(5))) struct ConnectTests {
  let patchbay = MadeUpPatchbay([
    port("0:0", "System", "Timer"), port("0:1", "System", "Announce"),
    port("14:0", "Midi Through", "Midi Through Port-0"),
    port("24:0", "Oxygen Pro 61", "Oxygen Pro 61 USB MIDI", at: "usb-0000:00:14.0-1"),
    port("24:2", "Oxygen Pro 61", "Oxygen Pro 61 Mackie/HUI", at: "usb-0000:00:14.0-1"),
    port("28:0", "Twin", "Twin MIDI 1", at: "usb-0000:00:14.0-2", serial: "A0471"),
    port("32:0", "Twin", "Twin MIDI 1", at: "usb-0000:00:14.0-3", serial: "A0472"),
    server("128:1", "Portative: Grand Piano"),
    server("128:2", "Portative: Piano"), server("128:3", "Maker: Organ"),
    port("130:0", "VMPK Output", "out"),
  ])

  @Test func `keyboards and ports are listed, with what plays what`() throws {
    _ = try run("oxygen pro 61 usb midi", "organ")
    #expect(
      try run() == """
        KEYBOARD                  NUMBER  SERIAL  PLUGGED IN AT       PLAYS
        Oxygen Pro 61 USB MIDI    24:0    -       usb-0000:00:14.0-1  Maker: Organ
        Oxygen Pro 61 Mackie/HUI  24:2    -       usb-0000:00:14.0-1  -
        Twin                      28:0    A0471   usb-0000:00:14.0-2  -
        Twin                      32:0    A0472   usb-0000:00:14.0-3  -
        VMPK Output               130:0   -       program             -

        PORT                    NUMBER  PLAYED BY
        Portative: Grand Piano  128:1   -
        Portative: Piano        128:2   -
        Maker: Organ            128:3   Oxygen Pro 61 USB MIDI

        """)
  }

  @Test func `JSON has a line for each keyboard and each port, as they are then`() throws {
    let lines = try run("28:0", "128:2", "--json").split(separator: "\n")
    #expect(try run("--json").split(separator: "\n") == lines)
    try #require(lines.count == 8)
    #expect(
      lines[2]
        == #"{"device":{"path":"usb-0000:00:14.0-2","serial":"A0471"},"keyboard":{"address":"28:0","#
        + #""name":"Twin"},"plays":[{"address":"128:2","name":"Portative: Piano"}],"#
        + #""schema":"portative/connect/1"}"#)
    #expect(
      lines[4]
        == #"{"keyboard":{"address":"130:0","name":"VMPK Output"},"plays":[],"#
        + #""schema":"portative/connect/1"}"#)
    #expect(
      lines[6]
        == #"{"playedBy":[{"address":"28:0","name":"Twin"}],"port":{"address":"128:2","#
        + #""name":"Portative: Piano"},"schema":"portative/connect/1"}"#)
  }

  @Test(arguments: [
    ("24:0", "128:2"), ("Oxygen Pro 61 USB MIDI", "Portative: Piano"), ("usb", "piano"),
    ("OXYGEN PRO 61 U", "portative: piano"),
  ])
  func `a name, a part of it or a number will do, and the whole name comes first`(
    keyboard: String, port: String
  ) throws {
    #expect(try run(keyboard, port) == "Oxygen Pro 61 USB MIDI now plays Portative: Piano\n")
    #expect(try run(keyboard, port) == "Oxygen Pro 61 USB MIDI already plays Portative: Piano\n")
    #expect(patchbay.wired.count == 1)
  }

  @Test(arguments: ["A0472", "a0472", "usb-0000:00:14.0-3"])
  func `two of a kind are told apart by serial number or socket`(keyboard: String) throws {
    #expect(try run(keyboard, "organ") == "Twin now plays Maker: Organ\n")
    #expect(patchbay.wired.first?.sender == PortAddress(client: 32, port: 0))
    #expect(try run("-d", keyboard) == "Twin no longer plays Maker: Organ\n")
  }

  @Test func `a keyboard that the configuration lists is disconnected with a remark`()
    throws
  {
    let rules = WiringRules(ports: [.init(name: "Maker: Organ", keyboards: ["VMPK*"])])
    _ = try run("vmpk", "organ")
    _ = try run("vmpk", "grand")
    let options = try ConnectOptions(arguments: ["-d", "vmpk"])
    #expect(
      try ConnectCommand.answer(options, patchbay, rules: rules).text
        == "VMPK Output no longer plays Portative: Grand Piano, Maker: Organ\n"
        + "The configuration lists it for Maker: Organ; it stays disconnected until you connect it "
        + "again or change that list\n")
  }

  @Test func `a socket means the keys of a device, and not its faders`() throws {
    #expect(
      try run("usb-0000:00:14.0-1", "organ") == "Oxygen Pro 61 USB MIDI now plays Maker: Organ\n")
  }

  @Test func `a keyboard is disconnected from one port or from all`() throws {
    for port in ["Piano", "Organ"] { _ = try run("VMPK", port) }
    #expect(try run("-d", "VMPK", "piano") == "VMPK Output no longer plays Portative: Piano\n")
    #expect(try run("-d", "VMPK", "piano") == "VMPK Output does not play Portative: Piano\n")
    _ = try run("vmpk", "grand")
    #expect(
      try run("--remove", "vmpk")
        == "VMPK Output no longer plays Portative: Grand Piano, Maker: Organ\n")
    #expect(try run("--remove", "vmpk") == "VMPK Output does not play any port\n")
    #expect(patchbay.wired.isEmpty)
  }

  @Test func `an ambiguous name is refused with the candidates`() {
    #expect(
      failure("twin", "Organ")
        == .usage(
          "'twin' is ambiguous: use 'Twin' (28:0, serial A0471) or 'Twin' (32:0, serial A0472)"))
    #expect(
      failure("28:0", "a")
        == .usage(
          "'a' is ambiguous: use 'Portative: Grand Piano' (128:1), 'Portative: Piano' (128:2) or "
            + "'Maker: Organ' (128:3)"))
  }

  @Test func `an unknown name is refused with all names`() {
    #expect(
      failure("28:0", "flute")
        == .usage(
          "no port is named 'flute': use 'Portative: Grand Piano' (128:1), 'Portative: Piano' "
            + "(128:2) or 'Maker: Organ' (128:3)"))
    #expect(failure("Clavinova", "Organ")?.message.hasPrefix("no keyboard is named") == true)
  }

  @Test func `ports of one device with the same name are distinguished by their numbers`() throws {
    let name = "Launchkey MK4 61 Launchkey MK4"
    patchbay.all += ["36:0", "36:1"].map { port($0, "Launchkey MK4 61", name, at: "usb-4") }
    #expect(try run("\(name) (port 1)", "organ") == "\(name) (port 1) now plays Maker: Organ\n")
    #expect(patchbay.wired.first?.sender == PortAddress(client: 36, port: 1))
  }

  @Test func `a missing server is reported`() throws {
    patchbay.all.removeAll { $0.clientName == "Portative" }
    #expect(
      try run().hasSuffix(
        "\nNo Portative server is running, so there is no port: start portative serve.\n"))
    #expect(
      failure("twin", "piano")
        == Failure(
          .failed,
          "no Portative server is running, so there is no port: start portative serve"))
  }

  @Test func `a missing keyboard is reported`() throws {
    patchbay.all.removeAll { $0.clientName != "Portative" }
    #expect(
      try run().hasPrefix("There is no keyboard: plug one in and switch it on.\n\nPORT"))
    #expect(
      failure("twin", "piano")
        == Failure(.failed, "there is no keyboard: plug one in and switch it on"))
  }

  @Test(arguments: [
    (
      ["piano"],
      "connect needs a port for 'piano' to play: portative connect KEYBOARD PORT"
    ),
    (["--remove"], "--remove needs a keyboard: portative connect --remove KEYBOARD"),
    (
      ["Oxygen", "Pro", "Piano"],
      "connect takes a keyboard and a port, but also got 'Piano': quote names that contain spaces"
    ),
  ])
  func `wrong usage is told`(arguments: [String], message: String) {
    #expect(throws: Failure.usage(message)) { try ConnectOptions(arguments: arguments) }
  }

  private func run(_ arguments: String...) throws -> String {
    try ConnectCommand.answer(ConnectOptions(arguments: arguments), patchbay).text
  }

  private func failure(_ arguments: String...) -> Failure? {
    #expect(throws: Failure.self) {
      try ConnectCommand.answer(ConnectOptions(arguments: arguments), patchbay).text
    }
  }
}

@Test(.enabled(if: access("/dev/snd/seq", F_OK) != 0, "this machine has a sequencer"))
func `connect says where no sequencer is, and how to have one`() throws {
  let result = try TemporaryUser().run("connect")
  #expect(result.exitCode == 1)
  #expect(
    result.errors
      == "portative: no MIDI keyboards: the kernel's sequencer is not loaded; run 'sudo modprobe "
      + "snd-seq'\n")
}

private func port(
  _ address: String, _ client: String, _ name: String, at path: String? = nil,
  serial: String? = nil
) -> SequencerPort {
  let numbers = address.split(separator: ":").compactMap { UInt8($0) }
  return SequencerPort(
    address: PortAddress(client: numbers[0], port: numbers[1]), clientName: client, name: name,
    sends: true, receives: false, device: path.map { DeviceIdentity(serial: serial, path: $0) })
}

private func server(_ address: String, _ name: String) -> SequencerPort {
  let port = port(address, "Portative", name)
  return SequencerPort(
    address: port.address, clientName: "Portative", name: name, sends: false, receives: true)
}
