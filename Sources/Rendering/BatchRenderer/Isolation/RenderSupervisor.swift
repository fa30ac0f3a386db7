import AudioFile
import CLinux
import Glibc
import LocalSystem

/// Renders a run in a child process, so that a crash of FluidSynth does not end the run.
///
/// A damaged SoundFont can crash FluidSynth or make it run forever. The parent waits for the child and ends as it does.
/// If the child dies, songs that were in progress are rendered again, each alone in a process: those that die again are
/// at fault. Another child then continues the run.
struct RenderSupervisor {
  /// The songs that a child process renders.
  enum Assignment: Equatable {
    /// All songs that have not ended, and the report.
    case rest
    case only(RenderPlan.Job)
  }

  let progress: SharedProgress
  /// The processor time in seconds after which a process without progress is ended.
  let stallLimit: Int

  /// Forks, and returns in the child processes only; the calling process ends with the last child.
  ///
  /// If no process can be created, or other threads run, which a fork would stop, it returns in the calling process.
  func fork() -> Assignment {
    if (try? Folder.names(in: "/proc/self/task"))?.count != 1 { return .rest }
    var suspects: [RenderPlan.Job] = []
    var deaths = DeathsWithoutSong()
    while true {
      let suspect = suspects.isEmpty ? nil : suspects.removeFirst()
      let assignment = suspect.map { Assignment.only($0) } ?? .rest
      guard let child = RenderChild(stallLimit: stallLimit) else { return assignment }
      if child.isSelf { return assignment }
      let (status, fault) = child.wait { progress.heartbeat }
      if fault != nil { removePartialFiles(of: child) }
      if suspect == nil, fault == nil || Interruption.signal != nil { Self.end(status) }
      if Interruption.signal != nil {
        // The next child reports the interruption.
        acquit(&suspects) { _ in true }
      } else if let suspect {
        judge(suspect, fault)
        // The next child refuses the SoundFont for the other songs, too.
        if progress[suspect].faultyStage == .loading {
          acquit(&suspects) { $0.playedSoundFont == suspect.playedSoundFont }
        }
      } else {
        suspects = progress.jobs.filter { progress[$0].isInProgress }
        let ended = progress.endedJobs.count
        deaths.add(songsInProgress: suspects.count, endedSongs: ended)
        // The fault is not in a song.
        if deaths.count > 2 || ended == progress.jobs.count { Self.end(status) }
        for job in suspects { progress[job].mayHaveFiles = true }
        // Standard input cannot be read again.
        for job in suspects where progress.jobs.count == 1 || job.input == "-" {
          judge(job, fault)
        }
        suspects = suspects.filter { progress[$0].isInProgress }
      }
    }
  }

  /// Removes the incomplete files of the songs that were in progress when a child died. Only on file systems without
  /// files that have no name, and while an existing file is replaced, do they have one.
  private func removePartialFiles(of child: RenderChild) {
    for job in progress.jobs where progress[job].isInProgress {
      for path in (try? job.work.get().paths()) ?? [] {
        OutputFile.removePartialFiles(at: path, of: child.process)
      }
    }
  }

  /// Leaves suspects to the next child.
  private func acquit(_ suspects: inout [RenderPlan.Job], where isMeant: (RenderPlan.Job) -> Bool) {
    for job in suspects where isMeant(job) { progress[job].stage = .waiting }
    suspects.removeAll(where: isMeant)
  }

  private func judge(_ job: RenderPlan.Job, _ fault: RenderFault?) {
    let isDone = progress[job].hasEnded
    if isDone { return }
    // A SoundFont that another song has played can be loaded.
    let isLoadable = progress.jobs.contains {
      progress[$0].hasPlayed && $0.playedSoundFont == job.playedSoundFont
    }
    let stage = progress[job].stage
    progress[job].faultyStage = stage == .loading && isLoadable ? .playing : stage
    progress[job].fault = fault ?? .exited(0)
    progress[job].stage = .waiting
  }

  /// Ends this process as the child has ended.
  private static func end(_ status: CInt) -> Never {
    if status & 0x7F != 0 { Interruption.end(by: status & 0x7F) }
    _exit(status >> 8 & 0xFF)
  }
}

/// Counts the deaths of rendering processes in a row between which no song was in progress or has ended.
///
/// A run of which songs still end goes on, however often its processes die.
struct DeathsWithoutSong {
  private(set) var count = 0
  private var endedSongs = 0

  /// - Parameters:
  ///   - songsInProgress: the songs in progress when the process died
  ///   - endedSongs: the songs of the run that have ended
  mutating func add(songsInProgress: Int, endedSongs: Int) {
    let isFutile = songsInProgress == 0 && endedSongs == self.endedSongs
    count = isFutile ? count + 1 : 0
    self.endedSongs = endedSongs
  }
}
