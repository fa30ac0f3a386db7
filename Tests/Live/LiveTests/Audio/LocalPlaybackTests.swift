import ConnectionTestSupport
import Dispatch
import Glibc
import LiveAudio
import LiveMIDI
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

/// Opens devices, or refuses to, and records the reported events.
final class Workshop: Sendable {
  let devices = Mutex<[ManualDevice]>([])
  let refusal = Mutex<SoundDeviceError?>(nil)
  let attempts = Mutex(0)
  let events = Mutex<[LocalPlaybackEvent]>([])

  func open() throws(SoundDeviceError) -> any SoundDevice {
    attempts.withLock { $0 += 1 }
    if let refusal = refusal.withLock({ $0 }) { throw refusal }
    let device = ManualDevice(priority: 42)
    devices.withLock { $0.append(device) }
    return device
  }

  func standalone() throws -> LocalPlayback {
    try LocalPlayback(open: { () throws(SoundDeviceError) in try self.open() }) { event in
      self.events.withLock { $0.append(event) }
    }
  }

  var device: ManualDevice? { devices.withLock { $0.last } }
}

@Suite(.timeLimit(.minutes(5))) struct LocalPlaybackTests {
  let resources = Workshop()
  let input = LiveInput()
  let source = PulseSource()

  private func isRunning() -> Bool { resources.device?.isRunning == true }

  /// Waits until a device has been reported as playing or returned, and renders cycles meanwhile.
  private func waitsForSound(_ event: DeviceKeeper.Event = .playing("by hand")) -> Bool {
    eventually {
      _ = resources.device?.cycle(256, now: 1_000_000_000)
      return resources.events.withLock { $0.last } == .sound(event)
    }
  }

  @Test func `no device is open while nothing is connected`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    standalone.stop()
    #expect(resources.attempts.withLock { $0 } == 0)
    #expect(source.units.isEmpty)
  }

  @Test func `the device is announced, and closed until something is connected`() throws {
    let standalone = try resources.standalone()
    standalone.announce()
    #expect(eventually { resources.events.withLock { $0 } == [.ready("by hand")] })
    #expect(eventually { resources.device?.hasStopped == true })
    standalone.stop()
  }

  @Test func `an unavailable device is reported once`() throws {
    let error = SoundDeviceError(device: "x", isTemporary: false, reason: "it is not there")
    resources.refusal.withLock { $0 = error }
    let standalone = try resources.standalone()
    for _ in 0..<2 {
      standalone.announce()
      #expect(eventually { resources.events.withLock { $0 } == [.sound(.silent(error))] })
    }
    standalone.stop()
    #expect(resources.events.withLock { $0 } == [.sound(.silent(error))])
    #expect(resources.attempts.withLock { $0 } == 1)
  }

  @Test func `a connection opens the device, and is heard`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let device = try #require(resources.device)
    #expect(waitsForSound())
    var now: Int64 = 2_000_000_000
    for _ in 0..<4 {
      _ = device.cycle(256, now: now)
      now += 5_333_333
    }
    input.send(on(60), from: keyboard, at: now - 3_000_000)
    let heard = try #require(device.cycle(256, now: now))
    #expect(heard.left.contains(60))
    standalone.stop()
    #expect(device.hasStopped)
  }

  @Test func `a unit is made for the priority of the device's thread`() throws {
    let priorities = Mutex<[Int]>([])
    let standalone = try resources.standalone()
    standalone.add(
      "Organ", input, ContextSource { use in priorities.withLock { $0.append(use.priority) } })
    input.sourceNames = ["Keys"]
    #expect(eventually { priorities.withLock { $0 } == [42] })
    standalone.stop()
  }

  @Test func `a port whose unit takes long to be made delays no other, and plays when it is made`()
    throws
  {
    let isMade = DispatchSemaphore(value: 0)
    let slow = PulseSource(delay: { isMade.wait() })
    let other = LiveInput()
    let standalone = try resources.standalone()
    standalone.add("Slow", input, slow)
    standalone.add("Organ", other, source)
    input.sourceNames = ["Keys"]
    other.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let device = try #require(resources.device)
    #expect(waitsForSound())
    var now: Int64 = 2_000_000_000
    func hears(_ key: UInt8, from input: LiveInput) -> Bool {
      now += 5_333_333
      input.send(on(key), from: keyboard, at: now - 3_000_000)
      return device.cycle(256, now: now)?.left.contains(Float(key)) ?? false
    }
    #expect(eventually { hears(60, from: other) })
    #expect(slow.units.isEmpty)
    isMade.signal()
    #expect(eventually { hears(61, from: input) })
    standalone.stop()
  }

  @Test func `a zone whose sound takes long delays no other, and has the settings of the keyboard`()
    throws
  {
    let isMade = DispatchSemaphore(value: 0)
    let slow = PulseSource(delay: { isMade.wait() })
    let (fast, other) = (PulseSource(), PulseSource())
    let otherInput = LiveInput()
    let standalone = try resources.standalone()
    let organ = standalone.add("Organ", input, source)
    let piano = standalone.add("Piano", otherInput, source)
    func zone(_ keys: ClosedRange<UInt8>, sound: UInt8) -> Zone {
      var zone = Zone()
      (zone.keys, zone.sound) = (keys, sound)
      return zone
    }
    let areSet = DispatchSemaphore(value: 0)
    organ.setSounds([
      ZoneSound(1, name: "Slow", source: slow), ZoneSound(2, name: "Fast", source: fast),
    ]) { areSet.signal() }
    piano.setSounds([ZoneSound(1, name: "Other", source: other)]) { areSet.signal() }
    for _ in 0..<2 { areSet.wait() }
    input.setZones([zone(0...59, sound: 1), zone(60...127, sound: 2)])
    otherInput.setZones([zone(0...127, sound: 1)])
    organ.setPlayedSounds([1, 2])
    piano.setPlayedSounds([1])
    input.sourceNames = ["Keys"]
    otherInput.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let device = try #require(resources.device)
    var now: Int64 = 2_000_000_000
    func hears(_ key: UInt8, from input: LiveInput) -> Bool {
      now += 5_333_333
      input.send(on(key), from: keyboard, at: now - 3_000_000)
      return device.cycle(256, now: now)?.left.contains(Float(key)) ?? false
    }
    #expect(eventually { hears(70, from: input) })
    #expect(eventually { hears(71, from: otherInput) })
    #expect(slow.units.isEmpty && input.zoneUnits.keys.sorted() == [2])
    #expect(
      resources.events.withLock { $0.contains(.slow(port: "Organ, zone 'Slow'")) })
    input.send(
      .channel(ChannelMessage(.controlChange, channel: 0, 7, 99)), from: keyboard, at: now)
    isMade.signal()
    #expect(
      eventually {
        hears(50, from: input) && slow.units.first?.messages.contains([0xB0, 7, 99]) ?? false
      })
    #expect(fast.units.count == 1 && slow.units.count == 1)
    standalone.stop()
  }

  @Test func `an effect receives silence`() throws {
    let standalone = try resources.standalone()
    standalone.add("Layer", input, ProbeSource(), takesAudio: true)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let device = try #require(resources.device)
    _ = waitsForSound()
    var right: [Float] = []
    for cycle in 0..<8 {
      let heard = device.cycle(256, now: 2_000_000_000 + Int64(cycle) * 5_333_333)
      right = heard?.right ?? []
      #expect(heard?.left == [Float](repeating: 0, count: 256))
    }
    // The probe's right channel is -1 because no host provides a song.
    #expect(right == [Float](repeating: -1, count: 256))
    standalone.stop()
  }

  @Test func `a restart closes the device and opens it again, if it is needed`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let first = try #require(resources.device)
    standalone.restart()
    #expect(eventually { first.hasStopped && resources.device !== first && isRunning() })
    input.sourceNames = []
    #expect(eventually { resources.device?.hasStopped == true })
    let last = resources.device
    standalone.restart()
    standalone.stop()
    #expect(resources.device === last)
  }

  @Test func `a closed device keeps no units, even if it still exists`() throws {
    let standalone = try resources.standalone()
    standalone.add("Layer", input, ProbeSource(), takesAudio: true)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    weak let unit = input.playedUnit
    #expect(unit != nil)
    let first = try #require(resources.device)
    input.sourceNames = []
    #expect(eventually { first.hasStopped && unit == nil })
    standalone.stop()
  }

  @Test func `the device is closed when nothing is connected`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    input.sourceNames = []
    #expect(eventually { resources.device?.hasStopped == true })
    standalone.stop()
  }

  @Test func `a port is silent while a host uses it, and then heard again`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let device = try #require(resources.device)
    var now: Int64 = 1_000_000_000
    func isHeard() -> Bool {
      // After three cycles any fade has ended.
      for _ in 0..<3 {
        _ = device.cycle(256, now: now)
        now += 5_333_333
      }
      return device.cycle(256, now: now)?.right.last != 0
    }
    #expect(eventually(isHeard))
    let host = InputFIFO()
    input.add(host, as: .host, at: 0)
    #expect(eventually { !isHeard() })
    input.remove(host, at: 0)
    #expect(eventually(isHeard))
    standalone.stop()
  }

  @Test func `an unavailable device is reported once, and tried again`() throws {
    let refusal = SoundDeviceError(device: "default", isTemporary: true, reason: "in use")
    resources.refusal.withLock { $0 = refusal }
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    #expect(eventually { resources.attempts.withLock { $0 } >= 3 })
    #expect(resources.events.withLock { $0 } == [.sound(.silent(refusal))])
    resources.refusal.withLock { $0 = nil }
    #expect(eventually(isRunning))
    standalone.stop()
  }

  @Test func `a device that is lost and returns is reported each time`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    for number in 1...2 {
      #expect(waitsForSound(number == 1 ? .playing("by hand") : .returned("by hand")))
      let device = try #require(resources.device)
      device.report(.lost(reason: "no card"))
      #expect(eventually { resources.device !== device && isRunning() })
      #expect(device.hasStopped)
    }
    standalone.stop()
    let lost = LocalPlaybackEvent.sound(.lost(reason: "no card"))
    #expect(
      resources.events.withLock { $0 }
        == [.sound(.playing("by hand")), lost, .sound(.returned("by hand")), lost])
  }

  @Test func `a device that accepts no audio is reported once, and never as playing`() throws {
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    input.sourceNames = ["Keys"]
    for _ in 0..<2 {
      #expect(eventually(isRunning))
      let device = try #require(resources.device)
      device.report(.lost(reason: "it takes no sound"))
      #expect(eventually { resources.device !== device })
    }
    #expect(eventually { !resources.events.withLock { $0.isEmpty } })
    standalone.stop()
    let silence = SoundDeviceError(
      device: "by hand", isTemporary: true, reason: "it takes no sound")
    #expect(resources.events.withLock { $0 } == [.sound(.silent(silence))])
  }

  @Test func `a device that hangs when a port is added is lost, and opened again`() throws {
    let (other, otherSource) = (LiveInput(), PulseSource())
    let standalone = try resources.standalone()
    standalone.add("Organ", input, source)
    standalone.add("Flute", other, otherSource)
    input.sourceNames = ["Keys"]
    #expect(eventually(isRunning))
    let first = try #require(resources.device)
    #expect(waitsForSound())
    // The device calls no renderer, so the change is never acknowledged.
    other.sourceNames = ["Keys"]
    #expect(eventually { resources.device !== first && isRunning() })
    #expect(first.hasStopped)
    let reason = "the device requests no more audio"
    #expect(
      resources.events.withLock { $0 }
        == [.sound(.playing("by hand")), .sound(.lost(reason: reason))])
    #expect(otherSource.units.count == 2)
    standalone.stop()
  }

  @Test func `a port that is removed leaves the others playing`() throws {
    let (other, otherSource) = (LiveInput(), PulseSource())
    let standalone = try resources.standalone()
    let organ = standalone.add("Organ", input, source)
    standalone.add("Flute", other, otherSource)
    input.sourceNames = ["Keys"]
    other.sourceNames = ["Keys"]
    #expect(eventually { source.units.count == 1 && otherSource.units.count == 1 && isRunning() })
    let device = try #require(resources.device)
    let isOver = Mutex(false)
    let thread = TestThread {
      var now: Int64 = 1_000_000_000
      while !isOver.withLock({ $0 }) {
        _ = device.cycle(256, now: now)
        now += 5_333_333
        usleep(500)
      }
    }
    organ.remove()
    let unit = try #require(otherSource.units.first)
    let cycles = unit.cycles
    #expect(eventually { unit.cycles > cycles + 10 })
    standalone.stop()
    isOver.withLock { $0 = true }
    thread.join()
    #expect(resources.devices.withLock { $0.count } == 1)
  }

  @Test func `a port that cannot be played leaves the others playing`() throws {
    struct Broken: RenderUnitSource {
      func makeUnit(_ format: Format) throws -> any RenderUnit {
        throw SoundDeviceError(device: "", isTemporary: false, reason: "broken")
      }
    }
    let other = LiveInput()
    let standalone = try resources.standalone()
    standalone.add("Broken", other, Broken())
    standalone.add("Organ", input, source)
    other.sourceNames = ["Keys"]
    input.sourceNames = ["Keys"]
    #expect(eventually { source.units.count == 1 && isRunning() })
    #expect(
      eventually {
        resources.events.withLock { $0 }.contains { event in
          if case .failed(port: "Broken", _) = event { true } else { false }
        }
      })
    standalone.stop()
  }
}

/// Reports how units are to be used.
private struct ContextSource: RenderUnitSource {
  let report: @Sendable (RenderContext) -> Void

  func makeUnit(_ format: Format) throws -> any RenderUnit { PulseUnit(format) }

  func makeUnit(_ format: Format, for use: RenderContext) throws -> any RenderUnit {
    report(use)
    return PulseUnit(format)
  }
}
