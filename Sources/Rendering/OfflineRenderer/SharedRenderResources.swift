import FluidSynthEngine
import Glibc

/// What songs share that are rendered one after the other, or side by side: memory for notes that come
/// again, lanes, and places to work in.
///
/// A song takes a place when its first frame is to be rendered, and leaves it when its last one is; it
/// is then brought to the disk while the next is at work. So a few more songs may be begun than
/// there are places. Nothing that a song leaves behind is heard in another.
///
/// Realtime: no. Threads: any.
///
/// `@unchecked Sendable`: the semaphore is made for it, and all else is `Sendable`.
public final class SharedRenderResources: @unchecked Sendable {
  let recordings: RecordingMemory?
  let lanes: LanePool
  private let places = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// - Parameters:
  ///   - places: How many songs are rendered at once, at most: 1 or more.
  ///   - cacheBytes: Memory for notes that come again, that of all songs together; 0 is none.
  ///   - holdsLanes: Whether lanes have their memory of this, too. They have what they need, recordings
  ///     what is left.
  public init(places: Int, cacheBytes: Int, holdsLanes: Bool = false) {
    recordings = cacheBytes > 0 ? RecordingMemory(bytes: cacheBytes) : nil
    lanes = LanePool(capacity: 16 * places, memory: holdsLanes ? recordings : nil)
    sem_init(self.places, 0, UInt32(places))
  }

  deinit {
    sem_destroy(places)
    places.deallocate()
  }

  func enter() {
    while sem_wait(places) != 0 {}
  }

  func leave() { sem_post(places) }
}
