import Glibc
import RenderCore
import Testing
import UnitTestSupport

@testable import Effects

@Suite(.timeLimit(.minutes(5))) struct ResonatorNotesTests {
  private static let tree = ResonatorParameter.tree

  @Test func `notes begin and end on their frames`() throws {
    var score = Score(input: [Score.noise(8000)])
    let dry = score.input[0].map { $0 * 0.5 }
    score.messages = [(3001, .on(60))]
    let struck = try Player.play(ResonatorSource(), score)[0]
    // The fade starts at 0 on the note's frame.
    #expect(difference(struck, dry) == 3002)
    score.messages.append((5003, .off(60)))
    let lifted = try Player.play(ResonatorSource(), score)[0]
    #expect(difference(lifted, struck) == 5004)
  }

  @Test func `the level is the velocity's square`() throws {
    var score = Score(input: [Score.noise(8000)])
    score.set(Self.tree, "mix", 100)
    score.messages = [(0, .on(60, 127))]
    let loud = try Player.play(ResonatorSource(), score)[0]
    score.messages = [(0, .on(60, 64))]
    let soft = try Player.play(ResonatorSource(), score)[0]
    let part = Float(64 * 64) / Float(127 * 127)
    #expect(zip(loud, soft).allSatisfy { abs($0 * part - $1) < 1e-6 })
  }

  @Test func `a released note receives no input and decays`() throws {
    var score = Score(input: [Score.noise(4800) + Score.silence(43_200)])
    score.set(Self.tree, "mix", 100)
    score.set(Self.tree, "decay", 0.5)
    score.set(Self.tree, "damping", 20_000)
    score.messages = [(0, .on(45)), (4800, .off(45))]
    let player = try Player(ResonatorSource(), score.format)
    let played = player.play(score)[0]
    let (early, late) = (
      played[5040..<6040].map(abs).max()!, played[30_040..<31_040].map(abs).max()!
    )
    // 25 000 frames are 62.5 dB of a decay of half a second; the overtones decay faster.
    let fallen = 20 * log10(early / late)
    #expect(fallen > 61 && fallen < 80)
    #expect(player.unit.status == [UnitStatus("voices", 1)])
    #expect(player.unit.tail == 24_001)
    var silence = score
    silence.messages = []
    silence.input[0] = Score.silence(48_000)
    #expect(player.play(silence)[0].last == 0)
    #expect(player.unit.status == [UnitStatus("voices", 0)])
  }

  /// Whether a key of channel 0 still excites its string after these messages.
  private func isOpen(after messages: [ChannelMessage], sysEx: [UInt8]? = nil) throws -> Bool {
    var score = Score(input: [Score.silence(5000) + Score.noise(1000)])
    score.set(Self.tree, "mix", 100)
    score.messages = messages.enumerated().map { (100 * $0.offset, $0.element) }
    if let sysEx { score.sysEx = [(3000, sysEx)] }
    return try Player.play(ResonatorSource(), score)[0][5000...].contains { $0 != 0 }
  }

  @Test func `the pedal holds notes and releases them`() throws {
    let held: [ChannelMessage] = [.control(64, 127), .on(60), .off(60)]
    #expect(try isOpen(after: held))
    #expect(try !isOpen(after: held + [.control(64, 0)]))
    #expect(try !isOpen(after: held + [.control(121, 0)]))
    #expect(try isOpen(after: held + [.control(64, 0, channel: 1)]))
    #expect(try isOpen(after: held + [.control(123, 0)]))
  }

  @Test(arguments: [UInt8(120), 123, 124, 125, 126, 127])
  func `all notes off ends its channel's notes`(controller: UInt8) throws {
    #expect(try !isOpen(after: [.on(60), .control(controller, 0)]))
    #expect(try isOpen(after: [.on(60), .control(controller, 0, channel: 1)]))
  }

  @Test func `a note-on of velocity 0 ends its note`() throws {
    #expect(try !isOpen(after: [.on(60), .on(60, 0)]))
    #expect(try isOpen(after: [.on(60), .on(61, 0)]))
  }

  @Test func `GM system on ends everything`() throws {
    let held: [ChannelMessage] = [.control(64, 127), .on(60), .off(60), .on(61)]
    #expect(try !isOpen(after: held, sysEx: [0x7E, 0x7F, 0x09, 0x01]))
    #expect(try isOpen(after: held, sysEx: [0x7E, 0x7F, 0x06, 0x01]))
  }

  @Test func `after all sounds off there is silence within five milliseconds`() throws {
    var score = Score(input: [Score.noise(8000)])
    score.set(Self.tree, "mix", 100)
    score.messages = [(0, .on(60)), (4000, .control(120, 0))]
    let played = try Player.play(ResonatorSource(), score)[0]
    #expect(played[3999..<4230].contains { abs($0) > 0.01 })
    #expect(played[4240...].allSatisfy { $0 == 0 })
  }

  @Test func `the seventeenth note replaces the oldest without a click`() throws {
    // A sine that excites only the first string.
    var score = Score(input: [Score.sine(40_000, frequency: 220)])
    score.set(Self.tree, "mix", 100)
    score.messages = (0..<16).map { (100 * $0, .on(57 + UInt8($0))) }
    let player = try Player(ResonatorSource(), score.format)
    let sixteen = player.play(score)[0]
    #expect(player.unit.status == [UnitStatus("voices", 16)])
    score.messages.append((30_000, .on(100)))
    let again = try Player(ResonatorSource(), score.format)
    let seventeen = again.play(score)[0]
    #expect(again.unit.status == [UnitStatus("voices", 16)])
    #expect(difference(sixteen, seventeen) == 30_001)
    let loudness = seventeen[20_000..<30_000].max()!
    #expect(seventeen[35_000...].max()! < loudness / 4)
    let steps = zip(seventeen, seventeen.dropFirst()).map { abs($0 - $1) }
    #expect(steps[30_000...].max()! <= steps[20_000..<30_000].max()! * 1.2)
  }

  @Test func `of a hundred notes at once sixteen remain`() throws {
    var score = Score(input: [Score.noise(3000)])
    score.messages = (0..<100).map { (500, .on(20 + UInt8($0))) }
    let player = try Player(ResonatorSource(), score.format)
    #expect(player.play(score)[0].allSatisfy { $0.isFinite })
    #expect(player.unit.status == [UnitStatus("voices", 16)])
  }

  @Test func `a note begins with a silent string`() throws {
    var score = Score(input: [Score.noise(4000) + Score.silence(4000)])
    score.set(Self.tree, "mix", 100)
    score.messages = [(5000, .on(60))]
    let alone = try Player.play(ResonatorSource(), score)[0]
    // Its string has already sounded.
    score.messages = [(0, .on(60)), (4000, .control(120, 0)), (5000, .on(60))]
    let second = try Player.play(ResonatorSource(), score)[0]
    #expect(second[..<4000].contains { abs($0) > 0.1 })
    #expect(difference(Array(second[5000...]), Array(alone[5000...])) == nil)
  }
}
