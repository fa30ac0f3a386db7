import AudioFile
import OfflineRenderer
import Synchronization
import Testing

@testable import portative

private func jobs(_ count: Int) -> [RenderPlan.Job] {
  (0..<count).map { .init(input: "\($0)", destination: .file("\($0).wav")) }
}

private func song(_ job: RenderPlan.Job) -> RenderedSong {
  RenderedSong(
    entry: .init(input: job.input, output: "", SongReport(), warnings: []), elapsed: 1)
}

@Test(arguments: [1, 2, 7, 100])
func `renders every song once and tells in order`(threads: Int) {
  let rendered = Mutex<[String: Int]>([:])
  let told = Mutex<[String]>([])
  let session = RenderSession(jobs(40)) { job throws(Failure) in
    rendered.withLock { $0[job.input, default: 0] += 1 }
    return song(job)
  } tell: { job, _ in
    told.withLock { $0.append(job.input) }
  }
  let outcomes = session.run(threads: threads)
  #expect(outcomes.count == 40)
  #expect(rendered.withLock { $0.count == 40 && $0.values.allSatisfy { $0 == 1 } })
  #expect(told.withLock(\.self) == (0..<40).map(String.init))
  #expect(RenderSession.exitCode(of: outcomes) == .done)
}

@Test func `one bad song does not stop the others`() {
  let session = RenderSession(jobs(5)) { job throws(Failure) in
    if job.input == "2" { throw Failure(.inputUnusable, "broken") }
    return song(job)
  } tell: { _, _ in
  }
  let outcomes = session.run(threads: 2)
  #expect(outcomes.count == 5)
  #expect(RenderSession.exitCode(of: outcomes) == .inputUnusable)
}

@Test func `an interruption stops those that have not begun`() {
  let session = RenderSession(jobs(1000)) { job throws(Failure) in
    if job.input == "3" { throw .interrupted(by: 2) }
    return song(job)
  } tell: { _, _ in
  }
  #expect(session.run(threads: 1).count == 4)
}

@Test func `a SoundFont of no use stops those that have not begun`() {
  let session = RenderSession(jobs(1000)) { _ throws(Failure) in
    throw Failure(.soundFontUnusable, "no SoundFont")
  } tell: { _, _ in
  }
  let outcomes = session.run(threads: 1)
  #expect(outcomes.count == 1)
  #expect(RenderSession.exitCode(of: outcomes) == .soundFontUnusable)
}

@Test func `failures of several kinds are a failure`() {
  #expect(
    RenderSession.exitCode(of: [
      .failure(Failure(.inputUnusable, "")), .failure(Failure(.outputNotWritten, "")),
    ]) == .failed)
  #expect(RenderSession.exitCode(of: []) == .done)
}
