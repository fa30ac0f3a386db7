// An instrument that shows what its host passes to it, and on which frame: each MIDI message is an impulse, whose level
// follows from its bytes. What changes no sample did not arrive.

#include "DistrhoPlugin.hpp"

START_NAMESPACE_DISTRHO

class Probe : public Plugin {
public:
    Probe() : Plugin(0, 0, 0) {}

protected:
    const char *getLabel() const override { return "Probe"; }
    const char *getMaker() const override { return "Portative"; }
    const char *getLicense() const override { return "MIT"; }
    uint32_t getVersion() const override { return d_version(1, 0, 0); }
    int64_t getUniqueId() const override { return d_cconst('P', 'r', 'o', 'b'); }

    void run(const float **, float **outputs, uint32_t frames, const MidiEvent *events, uint32_t count) override {
        for (int side = 0; side < 2; side++)
            std::fill(outputs[side], outputs[side] + frames, 0.0f);
        for (uint32_t i = 0; i < count; i++) {
            const uint8_t *data = events[i].size > MidiEvent::kDataSize ? events[i].dataExt : events[i].data;
            uint32_t hash = 0;
            for (uint32_t j = 0; j < events[i].size; j++)
                hash = (hash * 131 + data[j]) & 0xFFFF;
            outputs[0][events[i].frame] += (1 + hash) / 131072.0f;
            if (events[i].size == 3 && (data[0] & 0xF0) == 0x90 && data[2])
                outputs[1][events[i].frame] += data[2] / 128.0f;
        }
    }
};

Plugin *createPlugin() { return new Probe(); }

END_NAMESPACE_DISTRHO
