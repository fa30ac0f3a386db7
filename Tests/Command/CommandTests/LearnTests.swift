import Glibc
import ProgramTestSupport
import TestSupport
import Testing

@testable import portative

/// Tests of `portative set --learn` without keyboards. Those with keyboards are `ServerControlsTests`, and in the rig.
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
    let list = try user.run("set", "--learned")
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
    #expect(try user.run("set", "--learned", "piano").outputText.contains("all ports") == false)
    let clear = try user.run("set", "piano", "--forget", "all")
    #expect(clear.exitCode == 1 && clear.errors.contains("there is no such learned control"))
    #expect(try user.run("set", "--forget", "all").outputText == "0 controls cleared\n")
  }

  @Test func `without a node the list is empty, and learning fails with a sentence`() throws {
    let list = try user.run("set", "--learned")
    #expect(list.exitCode == 0 && list.outputText == "")
    #expect(try user.run("set", "--learn", "panic").errors.contains("no node is running"))
    #expect(try user.run("serve", "--install", "-q").exitCode == 0)
    let result = try user.run("set", "piano", "--learn", "gain")
    #expect(result.exitCode == 1 && result.errors.contains("is not running: start it"))
  }

  @Test(arguments: [
    (["pyano", "--learn", "gain"], "did you mean"),
    (["piano", "--learn", "gian"], "did you mean gain?"),
    (["piano", "--learn", "gain", "--to", "99"], "gain must be -96 to 24 dB, but is 99"),
    (["piano", "--learn", "gain", "--from", "loud"], "gain must be a number from -96 to 24"),
    (["piano", "--learn"], "--learn needs a value"), (["--learn", "gain"], "--learn needs a port"),
    (["piano", "more", "--learn", "gain"], "but also got 'more'"),
    (["piano", "gain=3", "--invert"], "--invert is only for --learn"),
    (["piano", "gain=3", "--timeout", "3"], "--timeout is only for --learn"),
    (["piano", "--forget", "all", "--to", "3"], "--to is only for --learn"),
    (["piano", "--learn", "panic", "--invert"], "--invert is only for a parameter"),
    (["--learned", "--forget", "all"], "--forget and --learned exclude each other"),
    (["piano", "--learn", "gain", "--pickup", "--no-pickup"], "exclude each other"),
    (["--forget", "gain"], "--forget needs a port, or panic or all"),
    (["piano", "gain=3", "--json"], "--json is only for --learned"),
    (["piano", "--learn", "gain", "--timeout", "0"], "--timeout must be"),
    (
      ["piano", "--learn", "gain", "--relative", "twos"],
      "--relative must be twosComplement, offset or"
    ),
    (["piano", "--learn", "gain", "--relative", "offset", "--note"], "--relative excludes --note"),
    (["--learn", "panic", "--relative", "offset"], "--relative is only for a parameter"),
    (["piano", "--learn", "gain", "--node", "x"], "--node is only for panic"),
  ])
  func `wrong usage is refused with a sentence`(arguments: [String], sentence: String) throws {
    try user.serve()
    let result = try user.run(arguments: ["set"] + arguments)
    #expect(result.exitCode == 2 && result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func `learning gives up after its time`() throws {
    try user.serve()
    let result = try user.run(
      "set", "piano", "--learn", "chorus.on", "--from", "on", "--timeout", "1")
    #expect(result.exitCode == 1 && result.errors.contains("no control was moved within 1 s"))
  }

  @Test func `one program learns at a time, and the node forgets one that is interrupted`() throws {
    try user.serve()
    let first = try user.start("set", "piano", "--learn", "gain")
    try first.wait { first.errors.contains("Ctrl-C ends this") }
    var second = try user.run("set", "pad", "--learn", "gain", "--timeout", "1")
    // The first may still be about to ask.
    while !second.errors.contains("another program is learning") {
      #expect(second.errors.contains("no control was moved"))
      second = try user.run("set", "pad", "--learn", "gain", "--timeout", "1")
    }
    first.send(SIGINT)
    #expect(try first.result().exitCode == nil)
    let isForgotten = try eventually {
      try user.run("set", "pad", "--learn", "panic", "--timeout", "1").errors.contains(
        "no control was")
    }
    #expect(isForgotten)
  }

  @Test func `options and operands are read`() throws {
    let options = try SetOptions(arguments: ["piano", "--learn", "gain", "--invert", "--to", "-6"])
    #expect(options.learn.isInverted && options.learn.to == "-6" && options.learn.from == nil)
    #expect(options.request == .learn(port: "piano", parameter: "gain"))
    #expect(
      try SetOptions(arguments: ["piano", "--learn", "panic"]).request
        == .learn(port: "piano", parameter: nil))
    #expect(try SetOptions(arguments: ["--learn", "panic"]).request == .learnPanic)
    #expect(
      try SetOptions(arguments: ["piano", "--forget", "panic"]).request
        == .forget(.panic(port: "piano")))
    #expect(
      try SetOptions(arguments: ["piano", "--forget", "gain"]).request
        == .forget(.parameter("gain", port: "piano")))
    #expect(try SetOptions(arguments: ["--forget", "all"]).request == .forget(.all))
    #expect(try SetOptions(arguments: ["piano", "gain=-6"]).request == nil)
  }
}
