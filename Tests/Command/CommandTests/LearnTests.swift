import Glibc
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// Tests of `portative learn` without keyboards. Those with keyboards are `ServerControlsTests`, and in the rig.
@Suite(.timeLimit(.minutes(5))) struct LearnTests {
  private let user: TemporaryUser

  init() throws {
    user = try TemporaryUser()
    try user.configure(
      """
      { ports: [{ name: "Test: Piano", subtype: "pian" }, { name: "Test: Pad", subtype: "pad " }],
        controls: [{ controller: 21, fine: true, channel: 3, keyboard: "Launch*", port: "Piano",
          parameter: "reverb.room", from: 0.8, to: 0.1 }, { note: 5, does: "panic" }] }
      """)
  }

  @Test func `the list shows what the configuration assigns, and it cannot be cleared`() throws {
    try user.serve()
    let list = try user.run("learn", "--list")
    #expect(list.exitCode == 0, "\(list.errors)")
    let rows = list.outputText.split(separator: "\n").map { row in
      row.split(separator: " ").joined(separator: " ")
    }
    #expect(
      rows == [
        "PORT CONTROLLED BY RANGE STATE",
        "Test: Piano reverb.room the 14-bit controller 21 on channel 3 of 'Launch*' 0.8 to 0.1 configuration",
        "all ports of portative panic key 5 on any channel of any keyboard configuration",
      ])
    #expect(try user.run("learn", "--list", "piano").outputText.contains("all ports") == false)
    let clear = try user.run("learn", "--clear", "piano")
    #expect(clear.exitCode == 1 && clear.errors.contains("there is no such learned control"))
    #expect(try user.run("learn", "--clear", "--all").outputText == "0 controls cleared\n")
  }

  @Test func `without a node the list is empty, and learning fails with a sentence`() throws {
    let list = try user.run("learn", "--list")
    #expect(list.exitCode == 0 && list.outputText == "")
    #expect(try user.run("learn", "panic").errors.contains("no node is running"))
    #expect(try user.run("serve", "--install", "-q").exitCode == 0)
    let result = try user.run("learn", "piano", "gain")
    #expect(result.exitCode == 1 && result.errors.contains("is not running: start it"))
  }

  @Test(arguments: [
    (["pyano", "gain"], "did you mean"), (["piano", "gian"], "did you mean gain?"),
    (["piano", "gain", "--to", "99"], "gain must be -96 to 24 dB, but is 99"),
    (["piano", "gain", "--from", "loud"], "gain must be a number from -96 to 24"),
    (["piano"], "learn needs a parameter of 'piano'"), ([], "learn needs a port and a parameter"),
    (["piano", "gain", "more"], "but also got 'more'"),
    (["piano", "panic", "--invert"], "--invert is only for a parameter"),
    (["--list", "--clear"], "--list and --clear exclude each other"),
    (["piano", "gain", "--pickup", "--no-pickup"], "exclude each other"),
    (["--clear"], "--clear needs a port, panic or --all"),
    (["--clear", "--all", "piano"], "'piano' was named"), (["--all"], "--all is only for --clear"),
    (["piano", "gain", "--timeout", "0"], "--timeout must be"),
    (["piano", "gain", "--relative", "twos"], "--relative must be twosComplement, offset or"),
    (["piano", "gain", "--relative", "offset", "--note"], "--relative excludes --note"),
    (["panic", "--relative", "offset"], "--relative is only for a parameter"),
    (["piano", "gain", "--node", "x"], "--node is only for learn panic"),
  ])
  func `wrong usage is refused with a sentence`(arguments: [String], sentence: String) throws {
    try user.serve()
    let result = try user.run(arguments: ["learn"] + arguments)
    #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `learning gives up after its time`() throws {
    try user.serve()
    let result = try user.run("learn", "piano", "chorus.on", "--from", "on", "--timeout", "1")
    #expect(result.exitCode == 1 && result.errors.contains("no control was moved within 1 s"))
  }

  @Test func `one program learns at a time, and the node forgets one that is interrupted`() throws {
    try user.serve()
    let first = try user.start("learn", "piano", "gain")
    try first.wait { first.errors.contains("Ctrl-C ends this") }
    var second = try user.run("learn", "pad", "gain", "--timeout", "1")
    // The first may still be about to ask.
    while !second.errors.contains("another program is learning") {
      #expect(second.errors.contains("no control was moved"))
      second = try user.run("learn", "pad", "gain", "--timeout", "1")
    }
    first.send(SIGINT)
    #expect(try first.result().exitCode == nil)
    let isForgotten = try eventually {
      try user.run("learn", "pad", "panic", "--timeout", "1").errors.contains("no control was")
    }
    #expect(isForgotten)
  }

  @Test func `options and operands are read`() throws {
    let options = try LearnOptions(arguments: ["piano", "gain", "--invert", "--to", "-6"])
    #expect(options.isInverted && options.to == "-6" && options.from == nil)
    #expect(options.request == .learn(port: "piano", parameter: "gain"))
    #expect(
      try LearnOptions(arguments: ["piano", "panic"]).request
        == .learn(port: "piano", parameter: nil))
    #expect(try LearnOptions(arguments: ["panic"]).request == .learnPanic)
    #expect(
      try LearnOptions(arguments: ["--clear", "piano", "panic"]).request
        == .clear(.panic(port: "piano")))
  }
}
