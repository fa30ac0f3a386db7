import Foundation
import ProgramTestSupport
import Testing

@Test func `a port's parameters and presets are described, for people and programs`() throws {
  let user = try TemporaryUser()
  try user.configure(
    #"{ ports: [{ name: "Test: Echo", subtype: "echo", unit: "delay", parameters: { feedback: 10.1 } }] }"#
  )
  try user.serve()
  let text = try user.run("info", "echo").outputText
  #expect(text.hasPrefix("Test: Echo: effect echo Ptvo\n\nPARAMETER "))
  #expect(text.contains("\nfeedback    0…98 %          10.1  Feedback\n"), "\(text)")
  #expect(text.contains("\ntime.sync   off, on         on    Sync\n"))
  #expect(text.contains("\nPRESET "))

  let described = try #require(try user.run("info", "--json", "echo").outputText.objects.first)
  let parameters = try #require(described["parameters"] as? [[String: Any]])
  #expect(parameters.map { $0["identifier"] as? String }.contains("time.ms"))
  #expect(parameters.allSatisfy { $0["value"] is Double })
  #expect((described["presets"] as? [[String: Any]])?.isEmpty == false)
}

@Test func `only a port that there is, and settings that it has, are shown`() throws {
  let user = try TemporaryUser()
  try user.configureOnePort()
  try user.serve()
  #expect(try user.run("info").exitCode == 2)
  #expect(try user.run("info", "synth", "b").exitCode == 2)
  for words in [
    ["--settings", "song.mid"], ["--port", "a", "b"], ["--presets", "--settings"],
    ["-s", "x.sf2", "general"], ["--json", "general", "gain"],
  ] {
    #expect(try user.run(arguments: ["info"] + words).exitCode == 2, "\(words)")
  }
  #expect(try user.run("info", "general", "gian").errors.contains("did you mean gain?"))
  let result = try user.run("info", "nothing")
  #expect(result.exitCode == 2)
  #expect(result.errors.contains("there is no file 'nothing'"))
  #expect(result.errors.contains("no port is named 'nothing'"))
}

@Test func `a configuration that asks for what a unit is not is refused with what it may be`()
  throws
{
  let user = try TemporaryUser()
  for (port, sentence) in [
    (
      #"unit: "flanger""#,
      "'ports[0].unit' must be one of synth, multi-synth, split, layer, resonator, delay, metronome, chain, lv2"
    ),
    (
      #"unit: "delay", type: "generator""#,
      "'ports[0].type' of a delay must be effect or musicEffect"
    ),
    (#"unit: "chain""#, "a chain needs nodes"),
    (#"unit: "split""#, "a split needs instruments"),
    (#"instruments: { "17": "Other" }"#, "a channel is 1 to 16"),
    (#"instruments: { "1": "A", "2,1": "B" }"#, "each channel has one instrument"),
    (#"instruments: { "1": "lv2:urn:missing" }"#, "no LV2 plugin 'urn:missing' is installed"),
    (
      #"unit: "delay", parameters: { feedback: 99 }"#,
      "'ports[0].parameters.feedback' is out of range: feedback must be 0 to 98 %, but is 99"
    ),
    (
      #"unit: "metronome", parameters: { swing: 1 }"#,
      "'ports[0].parameters.swing' cannot be set: there is no parameter 'swing': the unit has"
    ),
  ] {
    try user.configure(#"{ ports: [{ name: "Test: X", subtype: "xxxx", \#(port) }] }"#)
    let result = try user.run("serve", "--audio", "none", "--midi", "none")
    #expect(result.exitCode == 3)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }
}
