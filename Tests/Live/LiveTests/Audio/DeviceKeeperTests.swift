import ConnectionTestSupport
import LiveAudio
import RenderCore
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

/// The keeper of a device that the test drives, in the test's time.
@Suite(.timeLimit(.minutes(5))) struct DeviceKeeperTests {
  private let second: Int64 = 1_000_000_000
  private let devices = Devices()

  /// Opens devices, or refuses to.
  private final class Devices: Sendable {
    let refusal = Mutex<SoundDeviceError?>(nil)
    let all = Mutex<[ManualDevice]>([])
    var last: ManualDevice? { all.withLock { $0.last } }

    func open() throws(SoundDeviceError) -> any SoundDevice {
      if let error = refusal.withLock({ $0 }) { throw error }
      let device = ManualDevice()
      all.withLock { $0.append(device) }
      return device
    }
  }

  private func keeper(_ policy: DeviceKeeper.Policy = .init()) -> DeviceKeeper {
    DeviceKeeper(policy) { [devices] () throws(SoundDeviceError) in try devices.open() }
  }

  private func error(isTemporary: Bool) -> SoundDeviceError {
    SoundDeviceError(device: "by hand", isTemporary: isTemporary, reason: "it is in use")
  }

  /// Returns the changes at a time, as text.
  private func changes(
    of keeper: DeviceKeeper, at now: Int64, progress: Int64 = 0
  ) -> [String] {
    var changes: [String] = []
    while let change = keeper.update(at: now, progress: progress) {
      switch change {
      case .opened: changes.append("opened")
      case .closed: changes.append("closed")
      case .event(let event): changes.append("\(event)")
      }
    }
    return changes
  }

  /// Waits for changes. The time stands still.
  private func nextChanges(of keeper: DeviceKeeper, at now: Int64) -> [String] {
    var found: [String] = []
    _ = eventually {
      found = changes(of: keeper, at: now)
      return !found.isEmpty
    }
    return found
  }

  /// A policy by which a device is lost after six seconds without a cycle.
  private var impatient: DeviceKeeper.Policy {
    var policy = DeviceKeeper.Policy()
    policy.stallLimit = 6 * second
    return policy
  }

  private func openedKeeper(_ policy: DeviceKeeper.Policy = .init()) throws -> DeviceKeeper {
    let keeper = keeper(policy)
    _ = try keeper.openNow()
    #expect(changes(of: keeper, at: 0, progress: 1) == ["sound: by hand"])
    return keeper
  }

  @Test func `a device that is lost is stopped, opened at once, and reported when it plays`() throws
  {
    let keeper = try openedKeeper()
    let first = try #require(devices.last)
    keeper.report(.lost(reason: "no card"))
    #expect(keeper.isLost)
    let loss = "the sound device is lost: no card; it is used again when it returns"
    #expect(changes(of: keeper, at: 1, progress: 1).prefix(2) == [loss, "closed"])
    #expect(first.hasStopped)
    #expect(nextChanges(of: keeper, at: 1) == ["opened"])
    #expect(changes(of: keeper, at: 2) == [])
    #expect(
      changes(of: keeper, at: 2, progress: 1) == ["the sound device has returned: by hand"])
  }

  @Test func `events of an earlier device are dropped, and xruns are counted`() throws {
    let keeper = try openedKeeper()
    let report = keeper.report
    report(.xruns(2))
    #expect(changes(of: keeper, at: 1, progress: 1).count == 1 && keeper.xruns == 2)
    report(.lost(reason: "no card"))
    _ = changes(of: keeper, at: 1, progress: 1)
    report(.xruns(5))
    report(.lost(reason: "again"))
    #expect(nextChanges(of: keeper, at: 1) == ["opened"] && keeper.xruns == 2)
    #expect(!keeper.isLost)
  }

  @Test func `an error is reported once until a device plays`() throws {
    let keeper = try openedKeeper()
    devices.refusal.withLock { $0 = error(isTemporary: true) }
    keeper.report(.lost(reason: "no card"))
    #expect(changes(of: keeper, at: 0, progress: 1).count == 2)
    var reports: [String] = []
    for time in 0..<20 {
      let isSilent = time < 10
      if !isSilent { devices.refusal.withLock { $0 = nil } }
      _ = eventually {
        reports += changes(of: keeper, at: Int64(time) * 5 * second)
        return keeper.nextUpdate(after: 0) != nil
      }
    }
    #expect(
      reports == [
        "no sound from 'by hand': it is in use; the sound then starts automatically", "opened",
      ])
    #expect(changes(of: keeper, at: 100 * second, progress: 1).last?.contains("returned") == true)
  }

  @Test(arguments: [false, true])
  func `an error that is not temporary ends the attempts, unless the device has played`(
    hasPlayed: Bool
  ) throws {
    let keeper = hasPlayed ? try openedKeeper() : keeper()
    devices.refusal.withLock { $0 = error(isTemporary: false) }
    if hasPlayed {
      keeper.report(.lost(reason: "no card"))
      _ = changes(of: keeper, at: 0, progress: 1)
    } else {
      keeper.begin(at: 0)
    }
    #expect(nextChanges(of: keeper, at: 0) == ["no sound from 'by hand': it is in use"])
    #expect((keeper.nextUpdate(after: 0) != nil) == hasPlayed)
  }

  @Test func `an absence is limited, and the reason is that of the loss`() throws {
    var policy = DeviceKeeper.Policy()
    policy.absenceLimit = 60 * second
    let keeper = try openedKeeper(policy)
    devices.refusal.withLock { $0 = error(isTemporary: true) }
    keeper.report(.lost(reason: "no card"))
    _ = changes(of: keeper, at: 0, progress: 1)
    #expect(nextChanges(of: keeper, at: 60 * second).count == 1)
    let end = keeper.update(at: 61 * second, progress: 0)
    guard case .event(.absentTooLong("no card")) = end else {
      Issue.record("the absence does not end")
      return
    }
  }

  @Test
  func `a device that requests no more audio is lost, but not because the process was stopped`()
    throws
  {
    let keeper = try openedKeeper(impatient)
    // Stopped for an hour.
    #expect(changes(of: keeper, at: 3600 * second, progress: 1) == [])
    for step in 1..<11 {
      #expect(changes(of: keeper, at: 3600 * second + Int64(step) * second / 2, progress: 1) == [])
    }
    let loss = changes(of: keeper, at: 3606 * second, progress: 1)
    #expect(loss.first?.contains("the device requests no more audio") == true, "\(loss)")
  }

  @Test func `a device that goes on is not lost`() throws {
    let keeper = try openedKeeper(impatient)
    for step in 1..<100 {
      #expect(
        changes(of: keeper, at: Int64(step) * second / 2, progress: Int64(1 + step / 8)) == [])
    }
  }

  @Test func `a device that never plays is an error, and no loss`() throws {
    let keeper = keeper()
    keeper.begin(at: 0)
    #expect(nextChanges(of: keeper, at: 0) == ["opened"])
    keeper.report(.lost(reason: "it takes no sound"))
    let silence = "no sound from 'by hand': it takes no sound; the sound then starts automatically"
    #expect(changes(of: keeper, at: 0) == [silence, "closed"])
    #expect(nextChanges(of: keeper, at: second) == ["opened"])
    #expect(changes(of: keeper, at: second, progress: 1) == ["sound: by hand"])
  }

  @Test func `a device that returns is tried with silence, if something else plays meanwhile`()
    throws
  {
    var policy = DeviceKeeper.Policy()
    policy.triesSilence = true
    let keeper = try openedKeeper(policy)
    let first = try #require(devices.last)
    keeper.report(.lost(reason: "no card"))
    _ = changes(of: keeper, at: 0, progress: 1)
    #expect(eventually { devices.last !== first && devices.last?.isRunning == true })
    let trial = try #require(devices.last)
    #expect(changes(of: keeper, at: 0) == [])
    _ = trial.cycle(256, now: 0)
    #expect(nextChanges(of: keeper, at: 0) == ["opened"])
    #expect(trial.hasStopped && devices.last !== trial)
  }

  @Test func `what is opened after it was closed is stopped`() throws {
    let keeper = keeper()
    keeper.begin(at: 0)
    _ = changes(of: keeper, at: 0)
    keeper.close()
    #expect(eventually { devices.last?.hasStopped == true || devices.last == nil })
    #expect(changes(of: keeper, at: second) == [] && keeper.nextUpdate(after: 0) == nil)
  }

  // MARK: Silence

  /// Calls `body` on another thread as soon as the device is running.
  private func meanwhile(
    _ device: ManualDevice, _ body: @escaping @Sendable (ManualDevice) -> Void
  ) -> TestThread {
    TestThread {
      _ = eventually { device.isRunning }
      body(device)
    }
  }

  @Test func `a device that requests a cycle can play silence`() throws {
    let device = ManualDevice()
    let thread = meanwhile(device) { _ = $0.cycle(256, now: 0) }
    try DeviceKeeper.trySilence(on: device, within: 60)
    thread.join()
    #expect(device.hasStopped)
  }

  @Test func `a device that is lost before it plays silence fails with the reason`() {
    let device = ManualDevice()
    let thread = meanwhile(device) { $0.report(.lost(reason: "it takes no sound")) }
    #expect(
      throws: SoundDeviceError(device: "by hand", isTemporary: true, reason: "it takes no sound")
    ) { try DeviceKeeper.trySilence(on: device, within: 60) }
    thread.join()
    #expect(device.hasStopped)
  }

  @Test func `a device that requests no cycle cannot play silence`() {
    let device = ManualDevice()
    #expect(throws: SoundDeviceError.self) {
      try DeviceKeeper.trySilence(on: device, within: 0.01)
    }
    #expect(device.hasStopped)
  }
}
