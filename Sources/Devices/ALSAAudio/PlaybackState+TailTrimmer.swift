import CALSA
import Glibc
import Threads

extension PlaybackState {
  /// Hands frames to the device, which has room for them.
  ///
  /// - Parameter frames: A period at most, from the beginning of the channels.
  mutating func deliver(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    if let transfer {
      convert(to: transfer, at: 0, from: 0, frames, isSilent: isSilent)
      try write(frames, from: transfer)
    } else {
      try fill(frames, isSilent: isSilent)
    }
  }

  /// Writes into the device's own buffer, which may go round in between.
  private func fill(_ frames: Int, isSilent: Bool) throws(PCMFailure) {
    var done = 0
    while done < frames {
      var areas: UnsafePointer<snd_pcm_channel_area_t>?
      var offset: snd_pcm_uframes_t = 0
      var count = snd_pcm_uframes_t(frames - done)
      try check(snd_pcm_mmap_begin(pcm, &areas, &offset, &count))
      guard let areas, count > 0 else { throw .failed(code: EPIPE) }
      convert(to: areas, at: Int(offset), from: done, Int(count), isSilent: isSilent)
      // Less is committed where the device has just stopped.
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

  /// Turns samples into the device's.
  ///
  /// - Parameters:
  ///   - offset: The first frame's place in the areas.
  ///   - first: The first frame of the channels.
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

  /// The mean of both.
  @_noLocks func mixToMono() {
    for frame in 0..<settings.period {
      channels[0][frame] = (channels[0][frame] + channels[1][frame]) / 2
    }
  }
}
