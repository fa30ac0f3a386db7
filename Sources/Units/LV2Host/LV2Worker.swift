import CLV2
import CLilv
import RenderCore

/// The work that a plugin asks for while it renders, and its results: LV2's worker extension.
///
/// A plugin that renders offline works at once, within its cycle, so that what it does depends on no other thread.
///
/// `@unchecked Sendable`: the rings are for two threads each.
struct LV2Worker: @unchecked Sendable, BitwiseCopyable {
  private let requests: ByteRing
  private let responses: ByteRing
  /// Memory for a request, and for a response.
  private let request: UnsafeMutableRawPointer
  private let response: UnsafeMutableRawPointer
  private let isOffline: Bool
  /// Set when the plugin exists; `nil` for one without work.
  private var instance: UnsafeMutablePointer<LilvInstance>?
  private var interface: UnsafePointer<LV2_Worker_Interface>?

  private static let capacity = 1 << 16

  init(isOffline: Bool, in memory: RenderMemory) {
    self.isOffline = isOffline
    requests = ByteRing(capacity: Self.capacity, in: memory)
    responses = ByteRing(capacity: Self.capacity, in: memory)
    request = UnsafeMutableRawPointer(memory.make(Self.capacity, of: 0 as UInt8))
    response = UnsafeMutableRawPointer(memory.make(Self.capacity, of: 0 as UInt8))
  }

  mutating func begin(
    _ instance: UnsafeMutablePointer<LilvInstance>,
    _ interface: UnsafePointer<LV2_Worker_Interface>?
  ) {
    self.instance = instance
    self.interface = interface
  }

  /// What a plugin calls, with the worker as the handle.
  static func schedule(_ worker: UnsafeMutablePointer<LV2Worker>) -> LV2_Worker_Schedule {
    let handle = UnsafeMutableRawPointer(worker)
    return worker.pointee.isOffline
      ? LV2_Worker_Schedule(handle: handle, schedule_work: workNow)
      : LV2_Worker_Schedule(handle: handle, schedule_work: requestWork)
  }

  /// Asks for work. Realtime: yes.
  @_noLocks fileprivate func request(_ data: UnsafeRawPointer?, _ size: UInt32) -> Bool {
    requests.put(data, count: Int(size))
  }

  /// Whether there is work to be done. Realtime: yes.
  var hasRequests: Bool { @_noLocks get { !requests.isEmpty } }

  /// Does the work. Threads: one that does not render.
  func perform() {
    while let size = requests.take(request) { _ = work(request, UInt32(size)) }
  }

  fileprivate func work(_ data: UnsafeRawPointer?, _ size: UInt32) -> LV2_Worker_Status {
    guard let instance, let interface, let work = interface.pointee.work else {
      return LV2_WORKER_ERR_UNKNOWN
    }
    var responses = responses
    return withUnsafeMutablePointer(to: &responses) { responses in
      work(
        instance.pointee.lv2_handle,
        { handle, size, data in
          guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
          let responses = handle.assumingMemoryBound(to: ByteRing.self).pointee
          return responses.put(data, count: Int(size))
            ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
        }, UnsafeMutableRawPointer(responses), size, data)
    }
  }

  /// Passes the results to the plugin, after it has rendered. Realtime: yes. Threads: the render thread.
  @_noLocks func respond() {
    guard let instance, let interface else { return }
    while let size = responses.take(response) {
      clilv_respond(interface, instance, UInt32(size), response)
    }
    clilv_end_run(interface, instance)
  }
}

@_noLocks private func requestWork(
  _ worker: UnsafeMutableRawPointer?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  guard let worker else { return LV2_WORKER_ERR_UNKNOWN }
  let isAccepted = worker.assumingMemoryBound(to: LV2Worker.self).pointee.request(data, size)
  return isAccepted ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
}

private func workNow(
  _ worker: UnsafeMutableRawPointer?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  guard let worker else { return LV2_WORKER_ERR_UNKNOWN }
  return worker.assumingMemoryBound(to: LV2Worker.self).pointee.work(data, size)
}
