import Dispatch
import FluidSynthEngine

/// The resources shared by songs that are rendered in sequence or in parallel: the memory for recurring notes, lanes,
/// and a limit on concurrent renderings.
///
/// A song acquires a slot before its first frame is rendered and releases it after the last one. It is then written to
/// the disk while the next song is rendered, so slightly more songs than the limit may be in progress. A song never
/// affects the output of another.
///
/// Realtime: no. Threads: any.
public final class SharedRenderResources: Sendable {
  let recordings: RecordingMemory?
  let lanes: LanePool
  private let slots: DispatchSemaphore

  /// Creates the resources.
  ///
  /// - Parameters:
  ///   - concurrencyLimit: The greatest number of songs rendered at the same time, 1 or more.
  ///   - cacheBytes: The memory for recurring notes of all songs together, in bytes; 0 disables the cache.
  ///   - holdsLanes: Whether this limit also includes the memory of lanes. Lanes get what they need, recordings
  ///     the rest.
  public init(concurrencyLimit: Int, cacheBytes: Int, holdsLanes: Bool = false) {
    recordings = cacheBytes > 0 ? RecordingMemory(bytes: cacheBytes) : nil
    lanes = LanePool(capacity: 16 * concurrencyLimit, memory: holdsLanes ? recordings : nil)
    slots = DispatchSemaphore(value: concurrencyLimit)
  }

  func acquireSlot() { slots.wait() }

  func releaseSlot() { slots.signal() }
}
