import RenderCore
import Testing

@testable import LiveMIDI

@Suite(.timeLimit(.minutes(5))) struct ZoneRouterTests {
  private func zone(_ change: (inout Zone) -> Void = { _ in }) -> Zone {
    var zone = Zone()
    change(&zone)
    return zone
  }

  private func router(_ zones: [Zone]) -> ZoneRouter {
    var router = ZoneRouter()
    var output: [ZoneRouter.Routed] = []
    router.setZones(zones, into: &output)
    return router
  }

  /// Sends a message; returns what each sound receives.
  private func send(
    _ router: inout ZoneRouter, _ content: MIDIContent,
    from source: LiveInput.Source = keyboard
  ) -> [[UInt8]] {
    guard case .channel(let message) = content else { return [] }
    var output: [ZoneRouter.Routed] = []
    router.route(message, from: source, into: &output)
    return output.map { [$0.sound, $0.message.status, $0.message.data1, $0.message.data2] }
  }

  private func control(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> MIDIContent {
    .channel(ChannelMessage(.controlChange, channel: channel, number, value))
  }

  @Test func `a split sends each key to its sound, and layers play several`() {
    var router = router([
      zone {
        $0.keys = 0...59; $0.sound = 1
      },
      zone {
        $0.keys = 60...127; $0.sound = 2
      },
      zone {
        $0.keys = 72...127; $0.sound = 3
      },
    ])
    #expect(send(&router, on(59)) == [[1, 0x90, 59, 100]])
    #expect(send(&router, on(60)) == [[2, 0x90, 60, 100]])
    #expect(send(&router, on(72)) == [[2, 0x90, 72, 100], [3, 0x90, 72, 100]])
    #expect(send(&router, off(72)) == [[2, 0x80, 72, 64], [3, 0x80, 72, 64]])
    #expect(send(&router, off(59)) == [[1, 0x80, 59, 64]])
  }

  @Test func `velocities choose zones, and the note-off goes where the note-on went`() {
    var router = router([
      zone {
        $0.velocities = 1...99; $0.sound = 1
      },
      zone {
        $0.velocities = 100...127; $0.sound = 2
      },
    ])
    #expect(send(&router, on(60)) == [[2, 0x90, 60, 100]])
    let soft = ChannelMessage(.noteOn, channel: 0, 62, 99)
    #expect(send(&router, .channel(soft)) == [[1, 0x90, 62, 99]])
    // A note-on with velocity 0 is a note-off.
    #expect(
      send(&router, .channel(ChannelMessage(.noteOn, channel: 0, 60, 0))) == [[2, 0x80, 60, 0]])
    #expect(send(&router, off(62)) == [[1, 0x80, 62, 64]])
    #expect(send(&router, off(62)) == [])
  }

  @Test func `keys outside every zone are not played`() {
    var router = router([zone { $0.keys = 60...71 }])
    #expect(send(&router, on(59)) == [] && send(&router, off(59)) == [])
  }

  // MARK: Routes of controllers

  @Test func `a controller acts as another one, with a range and a curve, and not as itself`() {
    var router = router([
      zone {
        $0.sound = 1
        $0.routes = [
          ControllerRoute(from: .controller(2), to: .controller(11), first: 20, last: 127),
          ControllerRoute(from: .controller(2), to: .controller(74), first: 127, last: 0),
        ]
      },
      zone { $0.sound = 2 },
    ])
    #expect(
      send(&router, control(2, 0)) == [[1, 0xB0, 11, 20], [1, 0xB0, 74, 127], [2, 0xB0, 2, 0]])
    #expect(
      send(&router, control(2, 127)) == [
        [1, 0xB0, 11, 127], [1, 0xB0, 74, 0], [2, 0xB0, 2, 127],
      ])
    // The lower bits of a routed controller would move what it no longer moves.
    #expect(send(&router, control(34, 5)) == [[2, 0xB0, 34, 5]])
    #expect(send(&router, control(1, 5)) == [[1, 0xB0, 1, 5], [2, 0xB0, 1, 5]])
  }

  @Test func `routes pass what the filter does not, and begin or end with pressure`() {
    var router = router([
      zone {
        $0.controllers = .none
        $0.routes = [
          ControllerRoute(from: .pressure, to: .controller(1), curve: .soft),
          ControllerRoute(from: .controller(4), to: .pressure),
        ]
      }
    ])
    let pressure = ChannelMessage(.channelPressure, channel: 3, 64)
    let soft = VelocityCurve.soft[64]
    #expect(soft > 64)
    #expect(send(&router, .channel(pressure)) == [[0, 0xB3, 1, soft]])
    #expect(send(&router, control(4, 9)) == [[0, 0xD0, 9, 0]])
    #expect(send(&router, control(7, 9)) == [])
  }

  @Test
  func
    `zones that begin receive what a routed controller has moved, and later ones the plain value`()
  {
    var router = router([zone { $0.sound = 1 }])
    _ = send(&router, control(2, 90))
    var output: [ZoneRouter.Routed] = []
    let routed = zone {
      $0.sound = 2
      $0.routes = [ControllerRoute(from: .controller(2), to: .controller(11))]
    }
    router.setZones([routed], into: &output)
    #expect(output.map { [$0.sound, $0.message.data1, $0.message.data2] } == [[2, 11, 90]])
    output = []
    router.setZones([zone { $0.sound = 2 }], into: &output)
    #expect(
      Set(output.map { [$0.sound, $0.message.data1, $0.message.data2] })
        == [[2, 2, 90], [2, 11, 127]])
  }

  // MARK: Held notes

  @Test func `held notes and pedals end at once or with the next note, if that is wanted`() {
    for held in [HeldNotePolicy.end, .endAtNextNote] {
      var router = router([
        zone { $0.sound = 1 },
        zone {
          $0.sound = 2
          $0.isMono = true
        },
      ])
      _ = [on(60), on(62), control(64, 127)].map { send(&router, $0) }
      var output: [ZoneRouter.Routed] = []
      router.endHeld(held, into: &output)
      var ended = output.map { [$0.sound, $0.message.status, $0.message.data1] }
      router.setZones([zone { $0.sound = 3 }], into: &output)
      if held == .endAtNextNote {
        #expect(ended.isEmpty)
        ended = send(&router, on(70)).map { Array($0[..<3]) }
        #expect(ended.popLast() == [3, 0x90, 70])
      }
      #expect(
        Set(ended) == [
          [1, 0x80, 60], [1, 0x80, 62], [2, 0x80, 60], [2, 0x80, 62], [1, 0xB0, 64], [2, 0xB0, 64],
        ])
      // Nothing is left to release.
      #expect(send(&router, off(60)) == [] && send(&router, off(62)) == [])
      #expect(send(&router, on(72)).map { $0[0] } == [3])
    }
  }

  // MARK: Transposition

  @Test func `a transposition of all zones adds to theirs, excepts drums, and held notes end`() {
    func zones(_ shift: Int) -> [Zone] {
      [
        zone {
          $0.transposition = 12
          $0.shift = shift
        },
        zone {
          $0.sound = 1
          $0.drums = .all
          $0.shift = shift
        },
      ]
    }
    var router = router(zones(0))
    #expect(send(&router, on(60)) == [[0, 0x90, 72, 100], [1, 0x90, 60, 100]])
    var output: [ZoneRouter.Routed] = []
    router.setZones(zones(-3), into: &output)
    #expect(output == [])
    #expect(send(&router, on(62)) == [[0, 0x90, 71, 100], [1, 0x90, 62, 100]])
    #expect(send(&router, off(60)) == [[0, 0x80, 72, 64], [1, 0x80, 60, 64]])
    // Channel 10 of the port's own unit is drums.
    let drum = ChannelMessage(.noteOn, channel: 9, 36, 100)
    #expect(send(&router, .channel(drum)) == [[0, 0x99, 48, 100], [1, 0x99, 36, 100]])
  }

  @Test func `transposed notes that leave the range are not played`() {
    var router = router([zone { $0.transposition = 12 }])
    #expect(send(&router, on(60)) == [[0, 0x90, 72, 100]])
    #expect(send(&router, on(120)) == [] && send(&router, off(120)) == [])
    #expect(send(&router, off(60)) == [[0, 0x80, 72, 64]])
  }

  @Test func `a note that two keys hold ends with the second`() {
    var router = router([
      zone {
        $0.keys = 48...59; $0.transposition = 12
      }, zone { $0.keys = 60...71 },
    ])
    #expect(send(&router, on(48)) == [[0, 0x90, 60, 100]])
    #expect(send(&router, on(60)) == [[0, 0x90, 60, 100]])
    #expect(send(&router, off(48)) == [])
    #expect(send(&router, off(60)) == [[0, 0x80, 60, 64]])
  }

  @Test func `a key struck twice without a note-off is released once`() {
    var router = router([zone { $0.sound = 1 }])
    _ = send(&router, on(60))
    #expect(send(&router, on(60)) == [[1, 0x90, 60, 100]])
    #expect(send(&router, off(60)) == [[1, 0x80, 60, 64]])
    #expect(send(&router, off(60)) == [])
  }

  @Test func `after a change of zones, what is held ends where it began`() {
    var router = router([zone { $0.sound = 1 }])
    _ = send(&router, on(60))
    _ = send(&router, pedal(127))
    var chased: [ZoneRouter.Routed] = []
    router.setZones(
      [
        zone {
          $0.sound = 2; $0.transposition = 12
        }
      ], into: &chased)
    #expect(chased.isEmpty)
    #expect(send(&router, on(62)) == [[2, 0x90, 74, 100]])
    let pressure = ChannelMessage(.keyPressure, channel: 0, 60, 5)
    #expect(send(&router, .channel(pressure)) == [[1, 0xA0, 60, 5]])
    #expect(send(&router, off(60)) == [[1, 0x80, 60, 64]])
    #expect(Set(send(&router, pedal(0))) == [[2, 0xB0, 64, 0], [1, 0xB0, 64, 0]])
    // The next step on the pedal is for the new sound only.
    #expect(send(&router, pedal(127)) == [[2, 0xB0, 64, 127]])
    #expect(send(&router, off(62)) == [[2, 0x80, 74, 64]])
  }

  @Test func `a key that is struck again after a change leaves the old sound`() {
    var router = router([zone { $0.sound = 1 }])
    _ = send(&router, on(60))
    var chased: [ZoneRouter.Routed] = []
    router.setZones([zone { $0.sound = 2 }], into: &chased)
    #expect(send(&router, on(60)) == [[1, 0x80, 60, 64], [2, 0x90, 60, 100]])
    #expect(send(&router, off(60)) == [[2, 0x80, 60, 64]])
  }

  @Test func `a new sound receives the controllers of now, but neither programs nor pedals`() {
    var router = router([zone { $0.sound = 1 }])
    for content in [control(1, 50), control(0, 3), control(64, 127), control(11, 90, channel: 4)] {
      _ = send(&router, content)
    }
    _ = send(&router, .channel(ChannelMessage(.programChange, channel: 0, 7)))
    _ = send(&router, .channel(ChannelMessage(.pitchBend, channel: 0, 0, 80)))
    var chased: [ZoneRouter.Routed] = []
    router.setZones([zone { $0.sound = 2 }], into: &chased)
    #expect(
      chased.map { [$0.sound, $0.message.status, $0.message.data1, $0.message.data2] } == [
        [2, 0xB0, 1, 50], [2, 0xE0, 0, 80], [2, 0xB4, 11, 90],
      ])
    // The first sound has missed nothing.
    chased = []
    router.setZones([zone { $0.sound = 1 }], into: &chased)
    #expect(chased.isEmpty)
  }

  @Test func `only chosen controllers pass`() {
    var filter = ControllerFilter.none
    filter.pass(1)
    filter.pass(100)
    let only = filter
    var router = router([zone { $0.controllers = only }])
    #expect(send(&router, control(1, 5)).count == 1 && send(&router, control(100, 5)).count == 1)
    #expect(send(&router, control(2, 5)) == [] && send(&router, pedal(127)) == [])
    #expect(send(&router, .channel(ChannelMessage(.pitchBend, channel: 0, 0, 80))) == [])
    #expect(send(&router, .channel(ChannelMessage(.channelPressure, channel: 0, 80))) == [])
    #expect(send(&router, .channel(ChannelMessage(.programChange, channel: 0, 80))) == [])
    // What ends notes always passes.
    #expect(send(&router, control(123, 0)) == [[0, 0xB0, 123, 0]])
  }

  @Test func `channels and keyboards choose zones`() {
    var router = router([
      zone {
        $0.channel = 2; $0.sound = 1
      },
      zone {
        $0.keyboards = ["Launch*"]; $0.sound = 2
      },
    ])
    #expect(send(&router, on(60)) == [])
    router.setName("launchkey Mini", of: keyboard)
    #expect(send(&router, on(60)) == [[2, 0x90, 60, 100]])
    #expect(send(&router, on(60, channel: 2), from: otherKeyboard) == [[1, 0x92, 60, 100]])
    #expect(send(&router, control(1, 3, channel: 2)) == [[1, 0xB2, 1, 3], [2, 0xB2, 1, 3]])
    router.setName("Another", of: keyboard)
    #expect(send(&router, on(61)) == [])
    #expect(send(&router, off(60)) == [[2, 0x80, 60, 64]])
  }

  @Test func `an inverted pedal is down at 0`() {
    var router = router([
      zone {
        $0.invertsPedal = true; $0.sound = 1
      }
    ])
    #expect(send(&router, pedal(0)) == [[1, 0xB0, 64, 127]])
    var chased: [ZoneRouter.Routed] = []
    router.setZones([zone { $0.sound = 2 }], into: &chased)
    #expect(Set(send(&router, pedal(127))) == [[2, 0xB0, 64, 127], [1, 0xB0, 64, 0]])
  }

  @Test func `a mono zone plays one note at a time, and returns to the key that is held`() {
    var router = router([
      zone {
        $0.isMono = true; $0.sound = 1
      }
    ])
    #expect(send(&router, on(60)) == [[1, 0x90, 60, 100]])
    #expect(send(&router, on(64)) == [[1, 0x80, 60, 64], [1, 0x90, 64, 100]])
    #expect(send(&router, on(67)) == [[1, 0x80, 64, 64], [1, 0x90, 67, 100]])
    #expect(send(&router, off(64)) == [])
    #expect(send(&router, off(67)) == [[1, 0x80, 67, 64], [1, 0x90, 60, 100]])
    #expect(send(&router, off(60)) == [[1, 0x80, 60, 64]])
  }

  @Test func `a legato zone puts the legato pedal down before its first note`() {
    var router = router([
      zone {
        $0.isLegato = true; $0.sound = 1
      }
    ])
    #expect(send(&router, on(60)) == [[1, 0xB0, 68, 127], [1, 0x90, 60, 100]])
    #expect(send(&router, on(62)) == [[1, 0x90, 62, 100]])
    #expect(send(&router, on(62, channel: 3)) == [[1, 0xB3, 68, 127], [1, 0x93, 62, 100]])
  }

  @Test func `All Notes Off ends the notes of sounds that no zone plays any more`() {
    var router = router([zone { $0.sound = 1 }])
    _ = send(&router, on(60))
    var chased: [ZoneRouter.Routed] = []
    router.setZones([zone { $0.sound = 2 }], into: &chased)
    #expect(send(&router, control(123, 0)) == [[2, 0xB0, 123, 0], [1, 0xB0, 123, 0]])
    #expect(send(&router, off(60)) == [])
  }

  @Test func `velocity curves keep 127, and points are joined by lines`() {
    #expect((1...127).allSatisfy { VelocityCurve.linear[$0] == $0 })
    for curve in [VelocityCurve.soft, .hard] {
      #expect(curve[127] == 127 && curve[0] == 0 && curve[1] >= 1)
      #expect((1..<127).allSatisfy { curve[$0] <= curve[$0 + 1] })
    }
    #expect(VelocityCurve.soft[64] > 64 && VelocityCurve.hard[64] < 64)
    let curve = VelocityCurve(points: [(20, 40), (100, 80)])
    #expect([1, 20, 60, 100, 127].map { curve[$0] } == [40, 40, 60, 80, 80])
    #expect(curve[0] == 0)
  }
}
