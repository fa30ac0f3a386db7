import LocalSystem
import TestSupport
import Testing

@testable import portative

@Suite struct SoundCardCheckTests {
  let system = TemporarySystem()

  @Test func `without a sound card nothing is heard, unless a server sends it elsewhere`() throws {
    #expect(
      findings == [
        .bad(
          "sound", "there is no sound card",
          remedy: "plug one in; hosts are served without one as well")
      ])
    try system.add("proc/12/comm", "pipewire\n")
    #expect(findings.map(\.verdict) == [.warning])
    #expect(findings[0].message == "there is no sound card; sound goes where PipeWire sends it")
  }

  @Test func `a card that is free is good`() throws {
    try addCard(heldBy: nil)
    #expect(findings == [.good("sound", "HDA Intel PCH, ALC257 Analog (hw:PCH,0) is free")])
  }

  @Test func `a card that another program holds is of no use, but a sound server shares it`() throws
  {
    try addCard(heldBy: 77)
    try system.add("proc/77/status", "Name:\tvlc\nTgid:\t77\n")
    try system.add("proc/77/comm", "vlc\n")
    #expect(findings.map(\.verdict) == [.warning, .bad])
    #expect(
      findings[0].message
        == "HDA Intel PCH, ALC257 Analog (hw:PCH,0) is used by vlc (process 77), and no sound server "
        + "runs that would share it")
    try system.add("proc/12/comm", "pipewire\n")
    #expect(findings.map(\.verdict) == [.good])
  }

  private var findings: [Finding] { SoundCardCheck.findings(in: system.surroundings) }

  private func addCard(heldBy thread: Int?) throws {
    try system.add(
      "proc/asound/cards",
      " 0 [PCH            ]: HDA-Intel - HDA Intel PCH\n                      x\n")
    try system.add("proc/asound/card0/id", "PCH\n")
    let folder = "proc/asound/card0/pcm0p"
    try system.add("\(folder)/info", "card: 0\nname: ALC257 Analog\n")
    try system.add(
      "\(folder)/sub0/status", thread.map { "state: RUNNING\nowner_pid   : \($0)\n" } ?? "closed\n")
  }
}
