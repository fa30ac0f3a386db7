import CLinux
import CSegment
import Glibc
import LocalSystem
import RenderCore
import Testing

@testable import NodeProtocol

@Suite(.timeLimit(.minutes(5))) struct SegmentTests {
  private let format = Format(maximumFrames: 100)
  private var size: Int { SegmentLayout(format).size }

  @Test func `each side reads what the other writes`() throws {
    let shared = try SharedSegment(format)
    for channel in 0..<2 {
      shared.node.output(channel: channel)[99] = Float(channel) + 0.5
      #expect(shared.host.output(channel: channel)[99] == Float(channel) + 0.5)
    }
    shared.host.cycle.frames = 64
    shared.host.cycle.position = -5
    shared.host.cycle.hostTime = 77
    shared.host.cycle.processor = 3
    shared.host.cycle.posted.store(9)
    let cycle = shared.node.cycle
    #expect(cycle.posted.value == 9)
    #expect(cycle.frames == 64)
    #expect(cycle.position == -5)
    #expect(cycle.hostTime == 77)
    #expect(cycle.processor == 3)
    #expect(shared.host.cycle.answered.value == 0)
    withExtendedLifetime(shared) {}
  }

  @Test func `neither side can resize it or remove the seals`() throws {
    let made = try Segment.make(format)
    defer { close(made.descriptor) }
    #expect(ftruncate(made.descriptor, 0) == -1)
    #expect(ftruncate(made.descriptor, off_t(size * 2)) == -1)
    #expect(shared_memory_sealed_size(made.descriptor) == size)
  }

  @Test func `a pipe is refused`() {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    for end in ends { #expect(refusal(end) == .notSealed(size: size)) }
  }

  @Test func `a file of the right size is refused`() throws {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    #expect(ftruncate(fileno(file), off_t(size)) == 0)
    #expect(refusal(fileno(file)) == .notSealed(size: size))
  }

  @Test func `memory without seals is refused`() {
    let name = "/portative-test-\(getpid())"
    let descriptor = shm_open(name, O_RDWR | O_CREAT, 0o600)
    shm_unlink(name)
    defer { close(descriptor) }
    #expect(ftruncate(descriptor, off_t(size)) == 0)
    #expect(refusal(descriptor) == .notSealed(size: size))
  }

  @Test(arguments: [-4096, -1, 1, 4096])
  func `memory of another size is refused`(surplus: Int) {
    let descriptor = shared_memory_create("other", size + surplus)
    defer { close(descriptor) }
    #expect(refusal(descriptor) == .notSealed(size: size))
  }

  @Test func `read-only memory is refused`() throws {
    let made = try Segment.make(format)
    defer { close(made.descriptor) }
    let readable = open("/proc/self/fd/\(made.descriptor)", O_RDONLY)
    defer { close(readable) }
    #expect(refusal(readable) == .system(SystemError(code: EACCES, call: "mmap")))
  }

  @Test func `an invalid descriptor is refused`() {
    #expect(refusal(-1) == .notSealed(size: size))
    #expect(refusal(1_000_000) == .notSealed(size: size))
  }

  @Test func `memory without the mark is refused`() {
    let descriptor = shared_memory_create("empty", size)
    defer { close(descriptor) }
    #expect(refusal(descriptor) == .foreign)
  }

  @Test func `memory of another version is refused with both versions`() throws {
    let made = try Segment.make(format)
    defer { close(made.descriptor) }
    header(made.segment).pointee.version = 7
    #expect(refusal(made.descriptor) == .version(found: 7, expected: 4))
  }

  @Test(arguments: [2, 3])
  func `another version is reported even if its size differs`(version: UInt32) throws {
    let descriptor = shared_memory_create("other", size / 2)
    defer { close(descriptor) }
    var header = segment_header()
    header.magic = UInt64(SEGMENT_MAGIC)
    header.version = version
    #expect(pwrite(descriptor, &header, 12, 0) == 12)
    #expect(refusal(descriptor) == .version(found: version, expected: 4))
    #expect(
      refusal(descriptor)?.description.contains("use the same version of Portative") == true)
  }

  @Test func `a header that contradicts the format is refused`() throws {
    let fields: [WritableKeyPath<segment_header, UInt32>] = [
      \.size, \.maximum_frames, \.output_channels, \.input_channels,
    ]
    for field in fields {
      let made = try Segment.make(format)
      defer { close(made.descriptor) }
      header(made.segment).pointee[keyPath: field] += 1
      #expect(refusal(made.descriptor) == .contradiction)
    }
  }

  @Test func `making and opening leaves neither descriptor nor memory behind`() throws {
    let descriptors = openDescriptors()
    let mappings = try mappingCount()
    for _ in 0..<500 { _ = try SharedSegment(format) }
    // Other tests have some at the same time.
    #expect(openDescriptors() < descriptors + 250)
    #expect(try mappingCount() < mappings + 250)
  }

  private func refusal(_ descriptor: CInt) -> SegmentError? {
    do throws(SegmentError) {
      _ = try Segment(opening: descriptor, format)
      return nil
    } catch {
      return error
    }
  }

  private func header(_ segment: Segment) -> UnsafeMutablePointer<segment_header> {
    segment.base.assumingMemoryBound(to: segment_header.self)
  }

  private func mappingCount() throws -> Int {
    let maps = try String(atPath: "/proc/self/maps")
    return maps.split(separator: "\n").filter { $0.contains("memfd:portative") }.count
  }
}
