import LiveAudio
import LocalSystem
import TestSupport
import Testing

@testable import portative

@Suite(.timeLimit(.minutes(5))) struct SoundCardCheckTests {
  let system = TemporarySystem()

  @Test func `a card that is free is good`() throws {
    try addCard(heldBy: nil)
    #expect(findings == [.good("sound card", "HDA Intel PCH, ALC257 Analog (hw:PCH,0) is free")])
  }

  @Test func `a card in use is a warning, unless a sound server shares it`() throws {
    try addCard(heldBy: 77)
    try system.add("proc/77/status", "Name:\tvlc\nTgid:\t77\n")
    try system.add("proc/77/comm", "vlc\n")
    #expect(findings.map(\.verdict) == [.warning])
    #expect(
      findings[0].message
        == "HDA Intel PCH, ALC257 Analog (hw:PCH,0) is used by vlc (process 77), and no sound server "
        + "is running to share it")
    try system.add("proc/12/comm", "pipewire\n")
    #expect(findings.map(\.verdict) == [.good])
  }

  @Test func `a card that a Portative server uses is good`() throws {
    try addCard(heldBy: 77)
    try system.add("proc/77/comm", "portative\n")
    #expect(findings.map(\.verdict) == [.good])
    let busy = SoundDeviceError(device: "default", isTemporary: true, reason: "it is in use")
    func opened(_ error: SoundDeviceError?) -> [Finding] {
      DefaultSoundCheck.findings(in: system.environment) { () throws(SoundDeviceError) in
        if let error { throw error }
        return "default: 48000 Hz"
      }
    }
    #expect(opened(nil) == [.good("sound", "default: 48000 Hz")])
    #expect(opened(busy) == [.good("sound", "a Portative server is playing on 'default'")])
    try system.add("proc/77/comm", "vlc\n")
    #expect(opened(busy).map(\.verdict) == [.bad])
    #expect(opened(busy)[0].message == "no sound from 'default': it is in use")
  }

  @Test func `without a sound card, the remedy is the JACK server that runs, if one does`() throws {
    func findings() -> [Finding] {
      DefaultSoundCheck.findings(in: system.environment) { () throws(SoundDeviceError) in
        throw SoundDeviceError(device: "default", isTemporary: true, reason: "there is no card")
      } + SoundServerCheck.findings(in: system.environment)
    }
    #expect(
      findings().map(\.remedy) == [
        "choose another device with portative serve --audio DEVICE; hosts need none", nil,
      ])
    try system.add("proc/12/comm", "jackd\n")
    #expect(
      findings().map(\.remedy) == [
        "play through JACK with portative serve --audio jack; hosts need none", nil,
      ])
    #expect(findings()[1].message == "running: JACK")
  }

  private var findings: [Finding] { SoundCardCheck.findings(in: system.environment) }

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
