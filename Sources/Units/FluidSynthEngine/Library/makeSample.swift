import CFluidSynth
import RenderCore

/// Creates a sample with the root key 60, which `memory` deletes. Realtime: no.
///
/// - Parameters:
///   - samples: 16-bit samples, which must outlive the sample and may change.
///   - lowBytes: The lowest 8 bits of 24-bit samples; `nil` for 16-bit samples.
func makeSample(
  _ samples: UnsafeMutablePointer<Int16>, lowBytes: UnsafeMutablePointer<UInt8>? = nil, frames: Int,
  rate: Int, in memory: RenderMemory
) throws(InstrumentError) -> OpaquePointer {
  guard let sample = new_fluid_sample() else { throw .outOfMemory }
  memory.onRelease { delete_fluid_sample(sample) }
  let low = UnsafeMutableRawPointer(lowBytes)?.assumingMemoryBound(to: CChar.self)
  guard
    fluid_sample_set_sound_data(sample, samples, low, UInt32(frames), UInt32(rate), 0) == FLUID_OK,
    fluid_sample_set_pitch(sample, 60, 0) == FLUID_OK
  else { throw .outOfMemory }
  return sample
}
