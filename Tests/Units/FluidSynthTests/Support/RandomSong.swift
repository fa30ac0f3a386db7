import RenderCore
import TestSupport

/// Writes random songs in which notes act on each other: keys struck twice, pedals, legato, mono modes, portamento, changed
/// programs, chokes, and every controller. All messages are on FluidSynth's grid of 64 frames.
struct RandomSong {
  private var random: Seeded
  private var song = Performance()
  private var frame = 0
  /// The channels with legato. They have no sostenuto pedal: which notes of a chain it holds depends, in FluidSynth, on the
  /// notes of other channels.
  private var legato: Set<Int> = []
  /// Per channel, the keys that are down, in the order of their strokes.
  private var down = [[UInt8]](repeating: [], count: 16)
  /// Per channel, the keys that have ever been struck, and those of them that were not released since.
  private var struck = [Set<UInt8>](repeating: [], count: 16)
  private var held = [Set<UInt8>](repeating: [], count: 16)
  /// Per channel, the keys that are not struck.
  private var avoided = [Set<UInt8>](repeating: [], count: 16)

  /// Returns the song of a seed, of about two seconds. The same seed gives the same song.
  static func of(seed: UInt64) -> Performance {
    var writer = RandomSong(random: Seeded(seed))
    writer.write()
    return writer.song
  }

  private init(random: Seeded) { self.random = random }

  private mutating func write() {
    var channels = Array((0..<9).shuffled(using: &random).prefix(number(1...3)))
    // Without percussion in legato: whether its notes choke each other depends, in FluidSynth, on the notes of other channels.
    if chance(0.4) {
      channels.append(9)
    } else if chance(0.4) {
      // Every channel is monophonic, or the first four are, each for itself.
      let messages = [[(126, 0)], [(124, 0), (126, 4)]].randomElement(using: &random)!
      for (controller, value) in messages { song.add(0, .controlChange, 0, controller, value) }
      if messages.count == 2 { channels = Array(0..<number(1...4)) }
      legato = Set(channels)
    }
    for channel in channels { begin(channel) }
    for _ in 0..<number(15...60) {
      if chance(0.7) { frame += 64 * number(1...60) }
      act(on: channels.randomElement(using: &random)!)
    }
    frame += 6400
    for channel in channels {
      for key in down[channel] { song.add(frame, .noteOff, channel, Int(key), 64) }
    }
  }

  private mutating func begin(_ channel: Int) {
    changeProgram(channel)
    // Without the effects' sends, which are not compared, but with everything else.
    if chance(0.5) { control(channel, 10, number(0...127)) }
    if channel != 9, chance(0.4) { legato.insert(channel) }
    if legato.contains(channel), chance(0.7) { control(channel, 68, 127) }
    if chance(0.3) {
      control(channel, 65, 127)
      control(channel, 5, number(0...30))
    }
    if chance(0.2) { control(channel, 64, 127) }
  }

  private mutating func act(on channel: Int) {
    switch number(0...99) {
    case 0..<42: strike(channel)
    case 42..<72: release(channel)
    case 72..<84: press(channel)
    case 84..<87: changeProgram(channel)
    case 87..<90: control(channel, 84, Int(down[channel].randomElement(using: &random) ?? 60))
    case 90..<92: song.add(frame, .pitchBend, channel, number(0...127), number(0...127))
    case 92: song.add(frame, .channelPressure, channel, number(0...127))
    case 93: song.add(frame, .keyPressure, channel, number(36...90), number(0...127))
    case 94: enterParameter(channel)
    case 95..<97: changeMode(channel)
    default:
      // Without bank select, data entry, parameter selection, and what the cases above send.
      let others = (1...95).filter { ![5, 6, 32, 37, 38, 64, 65, 66, 67, 68, 84].contains($0) }
      control(channel, others.randomElement(using: &random)!, number(0...127))
    }
  }

  private mutating func strike(_ channel: Int) {
    var key = channel == 9 ? number(25...60) : number(48...72)
    if chance(0.3), let held = down[channel].randomElement(using: &random) { key = Int(held) }
    if channel == 9, chance(0.4) { key = [28, 29, 42, 44, 46].randomElement(using: &random)! }
    if avoided[channel].contains(UInt8(key)) { return }
    song.add(frame, .noteOn, channel, key, number(20...127))
    struck[channel].insert(UInt8(key))
    held[channel].insert(UInt8(key))
    down[channel].append(UInt8(key))
  }

  private mutating func release(_ channel: Int) {
    guard !down[channel].isEmpty else { return strike(channel) }
    let index = chance(0.5) ? down[channel].count - 1 : number(0...down[channel].count - 1)
    let key = down[channel].remove(at: index)
    held[channel].remove(key)
    song.add(frame, .noteOff, channel, Int(key), number(0...127))
  }

  /// Pedals, legato and portamento.
  private mutating func press(_ channel: Int) {
    let own = legato.contains(channel) ? 68 : 66
    let pedal = [64, 64, own, own, 67, 65, 5].randomElement(using: &random)!
    if pedal == 5 { return control(channel, 5, number(0...40)) }
    let isDown = chance(0.5)
    control(channel, pedal, isDown ? number(64...127) : number(0...63))
    if pedal == own {
      avoided[channel] = []
      // While the sostenuto pedal is down, FluidSynth also holds a key whose earlier stroke fades.
      if isDown, pedal == 66 { avoided[channel] = struck[channel].subtracting(held[channel]) }
      // A chain that reaches a key that was down before the legato pedal continues the notes of both, in FluidSynth.
      if isDown, pedal == 68 { avoided[channel] = Set(down[channel]) }
    }
  }

  private mutating func changeProgram(_ channel: Int) {
    let kits = [0, 8, 16, 24, 25, 32, 40, 48]
    let program = channel == 9 ? kits.randomElement(using: &random)! : number(0...127)
    song.add(frame, .programChange, channel, program)
  }

  /// Bend range, fine and coarse tuning, or the filter by NRPN.
  private mutating func enterParameter(_ channel: Int) {
    let (selection, number) = [((101, 100), 0), ((101, 100), 1), ((101, 100), 2), ((99, 98), 8)]
      .randomElement(using: &random)!
    control(channel, selection.0, selection.0 == 99 ? 120 : 0)
    control(channel, selection.1, number)
    // FluidSynth 2.4.0 to 2.4.4 enters the value of controller 38 alone; the engine does not. See ``DataEntry``.
    if selection.0 == 101 { control(channel, 38, 0) }
    control(channel, 6, number == 2 ? self.number(60...68) : number == 0 ? 5 : 62)
  }

  /// Messages that end all notes or reset the controllers.
  private mutating func changeMode(_ channel: Int) {
    control(channel, [120, 121, 121, 123, 123].randomElement(using: &random)!, 0)
    held[channel] = []
    // In the block of an all sound off, FluidSynth lets later messages start the release of what has ended.
    frame += 64
  }

  private mutating func control(_ channel: Int, _ number: Int, _ value: Int) {
    song.add(frame, .controlChange, channel, number, value)
  }

  private mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &random) < probability
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
}
