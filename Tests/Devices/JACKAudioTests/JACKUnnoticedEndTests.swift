import CJACK
import Foundation
import Glibc
import JACKTestSupport
import LiveAudio
import SoundTestSupport
import Synchronization
import TestSupport
import Testing

@testable import JACKAudio

extension JACKServerTests {
  /// Ends of a server that JACK's library does not report to the clients of this process in time.
  @Suite(.timeLimit(.minutes(5))) struct JACKUnnoticedEndTests {
    private final class Loss: Sendable {
      let isReported = Mutex(false)
    }

    private final class Owner: Sendable {}

    /// Opens a client and starts its callbacks, of which that for new ports takes as long as `sleeping` says.
    private func client(_ server: TestJACKServer, _ loss: Loss, sleeping: Bool) throws -> JACKClient
    {
      // Waits for the server.
      try join(server.name, client: "First").stop()
      let client = try JACKClient.open(server: server.name, name: "Asleep", GraphSignals())
      client.onLoss { loss.isReported.withLock { $0 = true } }
      _ = client.jack.set_process_callback(client.handle, countCycle, nil)
      if sleeping { _ = client.jack.set_port_registration_callback(client.handle, sleepLong, nil) }
      try client.activate(connects: false, memory: nil, keeping: Owner())
      return client
    }

    /// Expects that the next client is opened, and plays, only when the lost one has been closed.
    private func expectLoss(
      of client: JACKClient, _ loss: Loss, beforeOpeningOn server: TestJACKServer
    ) throws {
      #expect(throws: JACKFailure.hangs) {
        // Half of the time is for the answer that the lost client does not get.
        try JACKClient.open(server: server.name, name: "Next", GraphSignals(), within: 20)
      }
      #expect(loss.isReported.withLock { $0 })
      client.close(within: 20)
      try expectSound(on: server)
    }

    @Test
    func
      `no client is opened while one of an earlier server is used, which has not noticed its end`()
      throws
    {
      let server = try TestJACKServer()
      let loss = Loss()
      // Its own ports are reported to the callback, too.
      let client = try client(server, loss, sleeping: true)
      #expect(eventually { isAsleep.withLock { $0 } })
      server.end(SIGKILL)
      let second = try TestJACKServer(after: server)
      #expect(!loss.isReported.withLock { $0 })
      try expectLoss(of: client, loss, beforeOpeningOn: second)
    }

    /// Expects that the next client is opened and plays.
    private func expectSound(on server: TestJACKServer) throws {
      let device = try join(server.name)
      defer { device.stop() }
      let ramp = RampRenderer()
      try device.start(ramp.renderer, report: { _ in })
      #expect(eventually { ramp.count > 3 })
    }

    @Test
    func `after a server has refused a client, the others are opened again if they cannot be used`()
      throws
    {
      let server = try TestJACKServer(waiting: 1000)
      let loss = Loss()
      let client = try client(server, loss, sleeping: false)
      let metronome = Process()
      metronome.executableURL = URL(filePath: "/usr/bin/jack_metro")
      metronome.arguments = ["--name", "Stopped", "--bpm", "120"]
      metronome.environment = ["JACK_DEFAULT_SERVER": server.name]
      metronome.standardOutput = FileHandle.nullDevice
      metronome.standardError = FileHandle.nullDevice
      try metronome.run()
      defer {
        kill(metronome.processIdentifier, SIGKILL)
        metronome.waitUntilExit()
      }
      // JACK connects ports of active clients only.
      let isActive = eventually {
        client.perform(within: 20) {
          client.jack.connect(client.handle, "Stopped:120_bpm", "system:playback_1") == 0
        } == true
      }
      #expect(isActive)
      // The server, which waits for it, accepts no client for 5 s.
      kill(metronome.processIdentifier, SIGSTOP)
      let isWaiting = eventually {
        let count = cycles.load(ordering: .acquiring)
        usleep(200_000)
        return count > 0 && count == cycles.load(ordering: .acquiring)
      }
      #expect(isWaiting)
      #expect(throws: JACKFailure.refused(status: 33)) {
        // On a busy machine, the server takes more than 10 s.
        try JACKClient.open(server: server.name, name: "Refused", GraphSignals(), within: 60)
      }
      kill(metronome.processIdentifier, SIGCONT)
      // JACK's thread for the refused client sees that its socket is closed, and believes that the server has ended, unless
      // it is ended before.
      if client.perform(within: 20, { client.isKnown }) == true {
        try expectSound(on: server)
        #expect(!loss.isReported.withLock { $0 })
        client.close(within: 20)
      } else {
        try expectLoss(of: client, loss, beforeOpeningOn: server)
      }
    }
  }
}

private let isAsleep = Mutex(false)
private let cycles = Atomic(0)

private func countCycle(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> CInt {
  cycles.wrappingAdd(1, ordering: .releasing)
  return 0
}

private func sleepLong(
  _ port: jack_port_id_t, _ isNew: CInt, _ context: UnsafeMutableRawPointer?
) {
  isAsleep.withLock { $0 = true }
  sleep(30)
}
