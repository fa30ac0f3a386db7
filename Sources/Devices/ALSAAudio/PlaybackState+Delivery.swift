import CALSA
import Glibc
import Threads

extension PlaybackState {
  /// Writes frames to the device, which must have room for them.
  ///
  /// - Parameter frames: The number of frames from the start of ``channels``, one period at most.
  mutating func deliver(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    if let transfer {
      convert(to: transfer, at: 0, from: 0, frames, isSilent: isSilent)
      try write(frames, from: transfer)
    } else {
      try fill(frames, isSilent: isSilent)
    }
  }

  /// Writes into the device's memory-mapped buffer, which may wrap around.
  private func fill(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    var done = 0
    while done < frames {
      var areas: UnsafePointer<snd_pcm_channel_area_t>?
      var offset: snd_pcm_uframes_t = 0
      var count = snd_pcm_uframes_t(frames - done)
      try check(snd_pcm_mmap_begin(pcm, &areas, &offset, &count))
      guard let areas, count > 0 else { throw .failed(code: EPIPE) }
      convert(to: areas, at: Int(offset), from: done, Int(count), isSilent: isSilent)
      // Fewer frames are committed if the device has just stopped.
      guard try check(snd_pcm_mmap_commit(pcm, offset, count)) == snd_pcm_sframes_t(count) else {
        throw .failed(code: EPIPE)
      }
      done += Int(count)
    }
  }

  private func write(
    _ frames: Int, from areas: UnsafeMutablePointer<snd_pcm_channel_area_t>
  ) throws(PCMFailure) {
    let frameSize = settings.channels * settings.encoding.size
    var done = 0
    while done < frames {
      let written = snd_pcm_writei(
        pcm, areas.pointee.addr + done * frameSize, snd_pcm_uframes_t(frames - done))
      if written == -snd_pcm_sframes_t(EAGAIN) {
        if !rest(milliseconds: 1) { return }
      } else {
        done += Int(try check(written))
      }
    }
  }

  /// Converts samples to the device's encoding.
  ///
  /// - Parameters:
  ///   - offset: The index of the first frame in the areas.
  ///   - first: The index of the first frame in ``channels``.
  @_noLocks private func convert(
    to areas: UnsafePointer<snd_pcm_channel_area_t>, at offset: Int, from first: Int, _ count: Int,
    isSilent: Bool
  ) {
    RealtimeSection.begin()
    for channel in 0..<settings.channels {
      let area = areas[channel]
      let step = Int(area.step) / 8
      settings.encoding.write(
        channels[isSilent ? 2 : min(channel, 2)] + first, count: count,
        to: area.addr + Int(area.first) / 8 + offset * step, step: step)
    }
    RealtimeSection.end()
  }

  /// Replaces the left channel by the mean of both.
  @_noLocks func mixToMono() {
    for frame in 0..<settings.period {
      channels[0][frame] = (channels[0][frame] + channels[1][frame]) / 2
    }
  }
}
