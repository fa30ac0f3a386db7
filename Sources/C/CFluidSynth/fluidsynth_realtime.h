#pragma once
#include <fluidsynth.h>

// The functions that the render thread calls, declared again with the promise that they neither
// lock nor allocate.
//
// The Swift compiler trusts these promises, so each group states its reason. All of them require
// `synth.threadsafe-api` = 0 (no mutex), `synth.dynamic-sample-loading` = 0 (no file is read), and
// that only one thread at a time uses a synth. RealtimeSanitizer checks them.
#define RENDER_THREAD __attribute__((swift_attr("@_noLocks")))

// Rendering. libfluidsynth uses an OpenMP region for its effects, for which libgomp allocates;
// CFluidSynthOverrides redirects that to a plain call. `fluid_synth_process` reads the clock,
// which needs no system call on Linux.
int fluid_synth_process(fluid_synth_t *synth, int len, int nfx, float *fx[], int nout,
                        float *out[]) RENDER_THREAD;
int fluid_synth_write_float(fluid_synth_t *synth, int len, void *lout, int loff, int lincr,
                            void *rout, int roff, int rincr) RENDER_THREAD;
int fluid_synth_get_active_voice_count(fluid_synth_t *synth) RENDER_THREAD;
void fluid_synth_get_voicelist(fluid_synth_t *synth, fluid_voice_t *buf[], int bufsize,
                               int ID) RENDER_THREAD;
float fluid_voice_gen_get(fluid_voice_t *voice, int gen) RENDER_THREAD;
int fluid_voice_get_channel(const fluid_voice_t *voice) RENDER_THREAD;
int fluid_voice_get_key(const fluid_voice_t *voice) RENDER_THREAD;
unsigned int fluid_voice_get_id(const fluid_voice_t *voice) RENDER_THREAD;

// Channel messages: table look-ups and writes to existing voices.
int fluid_synth_noteon(fluid_synth_t *synth, int chan, int key, int vel) RENDER_THREAD;
int fluid_synth_noteoff(fluid_synth_t *synth, int chan, int key) RENDER_THREAD;
int fluid_synth_all_notes_off(fluid_synth_t *synth, int chan) RENDER_THREAD;
int fluid_synth_set_channel_type(fluid_synth_t *synth, int chan, int type) RENDER_THREAD;
int fluid_voice_is_on(const fluid_voice_t *voice) RENDER_THREAD;
int fluid_synth_all_sounds_off(fluid_synth_t *synth, int chan) RENDER_THREAD;
int fluid_synth_cc(fluid_synth_t *synth, int chan, int ctrl, int val) RENDER_THREAD;
int fluid_synth_get_cc(fluid_synth_t *synth, int chan, int ctrl, int *pval) RENDER_THREAD;
int fluid_synth_program_change(fluid_synth_t *synth, int chan, int program) RENDER_THREAD;
int fluid_synth_program_select(fluid_synth_t *synth, int chan, int sfont_id, int bank_num,
                               int preset_num) RENDER_THREAD;
int fluid_synth_bank_select(fluid_synth_t *synth, int chan, int bank) RENDER_THREAD;
int fluid_synth_set_channel_type(fluid_synth_t *synth, int chan, int type) RENDER_THREAD;
int fluid_synth_unset_program(fluid_synth_t *synth, int chan) RENDER_THREAD;
int fluid_synth_channel_pressure(fluid_synth_t *synth, int chan, int val) RENDER_THREAD;
int fluid_synth_key_pressure(fluid_synth_t *synth, int chan, int key, int val) RENDER_THREAD;
int fluid_synth_pitch_bend(fluid_synth_t *synth, int chan, int val) RENDER_THREAD;
int fluid_synth_get_pitch_bend(fluid_synth_t *synth, int chan, int *ppitch_bend) RENDER_THREAD;
int fluid_synth_pitch_wheel_sens(fluid_synth_t *synth, int chan, int val) RENDER_THREAD;
int fluid_synth_get_pitch_wheel_sens(fluid_synth_t *synth, int chan, int *pval) RENDER_THREAD;
int fluid_synth_set_gen(fluid_synth_t *synth, int chan, int param, float value) RENDER_THREAD;
float fluid_synth_get_gen(fluid_synth_t *synth, int chan, int param) RENDER_THREAD;
int fluid_synth_get_basic_channel(fluid_synth_t *synth, int chan, int *basic_chan_out,
                                  int *mode_out, int *val_out) RENDER_THREAD;
fluid_preset_t *fluid_synth_get_channel_preset(fluid_synth_t *synth, int chan) RENDER_THREAD;
int fluid_preset_get_banknum(fluid_preset_t *preset) RENDER_THREAD;
int fluid_preset_get_num(fluid_preset_t *preset) RENDER_THREAD;
int fluid_synth_get_program(fluid_synth_t *synth, int chan, int *sfont_id, int *bank_num,
                            int *preset_num) RENDER_THREAD;
int fluid_synth_system_reset(fluid_synth_t *synth) RENDER_THREAD;
int fluid_synth_set_legato_mode(fluid_synth_t *synth, int chan, int legatomode) RENDER_THREAD;
int fluid_synth_set_portamento_mode(fluid_synth_t *synth, int chan,
                                    int portamentomode) RENDER_THREAD;

int fluid_synth_set_basic_channel(fluid_synth_t *synth, int chan, int mode, int val) RENDER_THREAD;
int fluid_synth_reset_basic_channel(fluid_synth_t *synth, int chan) RENDER_THREAD;

// Effects: these functions put values into a list that the next block reads. The setters of single values, such as
// `fluid_synth_set_reverb_group_level`, look up the range in the settings under a lock. The deprecated setters of all
// values do not; they require values in range.
int fluid_synth_reverb_on(fluid_synth_t *synth, int fx_group, int on) RENDER_THREAD;
int fluid_synth_chorus_on(fluid_synth_t *synth, int fx_group, int on) RENDER_THREAD;
int set_reverb(fluid_synth_t *synth, double roomsize, double damping, double width,
               double level) __asm__("fluid_synth_set_reverb") RENDER_THREAD;
int set_chorus(fluid_synth_t *synth, int nr, double level, double speed, double depth_ms,
               int type) __asm__("fluid_synth_set_chorus") RENDER_THREAD;

// The SoundFont from which a synth gets its presets: access to fields and lists that do not change.
void *fluid_sfont_get_data(fluid_sfont_t *sfont) RENDER_THREAD;
int fluid_sfont_set_data(fluid_sfont_t *sfont, void *data) RENDER_THREAD;
int fluid_sfont_get_id(fluid_sfont_t *sfont) RENDER_THREAD;
void *fluid_preset_get_data(fluid_preset_t *preset) RENDER_THREAD;
fluid_preset_t *fluid_sfont_get_preset(fluid_sfont_t *sfont, int bank, int prenum) RENDER_THREAD;

// The program's own voices, and the parameters of all voices.
fluid_voice_t *fluid_synth_alloc_voice(fluid_synth_t *synth, fluid_sample_t *sample, int channum,
                                       int key, int vel) RENDER_THREAD;
void fluid_synth_start_voice(fluid_synth_t *synth, fluid_voice_t *voice) RENDER_THREAD;
void fluid_voice_gen_set(fluid_voice_t *voice, int gen, float val) RENDER_THREAD;
void fluid_voice_update_param(fluid_voice_t *voice, int gen) RENDER_THREAD;
int fluid_synth_set_interp_method(fluid_synth_t *synth, int chan, int interp_method) RENDER_THREAD;

// Not realtime-safe, but called from the render thread: MIDI tuning messages allocate a new tuning table. The library has
// no alternative. Such messages are rare in music. (Since FluidSynth 2.6 `fluid_synth_system_reset`, above, allocates one
// too, but gets the memory of the one that it frees; see `rendering_begin` in CFluidSynthOverrides.)
int fluid_synth_sysex(fluid_synth_t *synth, const char *data, int len, char *response,
                      int *response_len, int *handled, int dryrun) RENDER_THREAD;
int fluid_synth_activate_key_tuning(fluid_synth_t *synth, int bank, int prog, const char *name,
                                    const double *pitch, int apply) RENDER_THREAD;
int fluid_synth_activate_octave_tuning(fluid_synth_t *synth, int bank, int prog, const char *name,
                                       const double *pitch, int apply) RENDER_THREAD;
int fluid_synth_activate_tuning(fluid_synth_t *synth, int chan, int bank, int prog,
                                int apply) RENDER_THREAD;
int fluid_synth_deactivate_tuning(fluid_synth_t *synth, int chan, int apply) RENDER_THREAD;
int fluid_synth_tuning_dump(fluid_synth_t *synth, int bank, int prog, char *name, int len,
                            double *pitch) RENDER_THREAD;

// `fluid_synth_set_reverb_on` and `fluid_synth_set_chorus_on` by other names, because these are
// deprecated. The exact engine needs their additional effect besides switching the effect on.
void set_mixer_reverb(fluid_synth_t *synth, int on) __asm__("fluid_synth_set_reverb_on");
void set_mixer_chorus(fluid_synth_t *synth, int on) __asm__("fluid_synth_set_chorus_on");
