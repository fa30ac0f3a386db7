"""The host that checks CLAP plugins, judged by a small plugin: all checks pass, and each fault makes one fail."""

import array
import json

from support import ROOT, TESTS, Tests

tests = Tests()

HEADERS = ROOT / "Sources/C/CCLAP"
INSTRUMENT = "org.portative.test.instrument"
EFFECT = "org.portative.test.effect"

# Each fault of the plugin, and the checks that it makes fail. Those of the effect are marked.
FAULTS = {
    "lost_values": "a_state_restores_the_values",
    "tail": "the_tail_is_read_in_both_threads",
    "extension_in_thread": "extensions_are_found_from_any_thread",
    "slow_scan": "the_file_is_scanned_within_100_ms",
    "uncounted_deinit": "calls_of_init_and_deinit_are_counted",
    "any_factory": "an_unknown_factory_is_null",
    "endless_list": "the_list_ends",
    "no_name": "descriptors_have_id_name_and_version",
    "equal_ids": "ids_are_distinct",
    "features": "features_have_a_category_and_no_duplicates",
    "garbage_ids": "unknown_ids_are_refused",
    "any_provider": "providers_are_consistent",
    "locations": "files_of_all_locations_are_read",
    "keys": "files_of_all_locations_are_read",
    "any_file": "files_that_are_no_presets_are_refused",
    "descriptor_of_instance": "an_instance_has_the_listed_descriptor (effect)",
    "calls_in_create": "an_instance_is_destroyed_without_init",
    "any_extension": "unknown_extensions_are_null",
    "audio_ports": "audio_ports_are_consistent",
    "note_ports": "note_ports_are_consistent",
    "parameters": "parameters_are_consistent",
    "unknown_parameters": "an_unknown_parameter_has_no_value",
    "values_at_first": "values_are_the_defaults_at_first",
    "texts": "texts_of_values_are_read_back",
    "long_texts": "texts_fit_into_their_buffers",
    "garbage_texts": "garbage_is_no_value",
    "flush": "flushed_values_are_those_of_an_inactive_plugin flushed_values_are_those_of_an_active_plugin",
    "cookies": "values_need_no_cookie",
    "last_value": "the_last_of_several_values_counts",
    "spaces": "events_of_other_spaces_set_nothing",
    "modulation": "modulation_changes_no_value",
    "unclamped": "values_stay_within_their_ranges",
    "nan": "any_values_sound",
    "no_rescan": "a_loaded_state_rescans_the_values",
    "partial_reads": "streams_may_take_and_give_few_bytes",
    "partial_writes": "streams_may_take_and_give_few_bytes",
    "equal_states": "equal_values_have_equal_states a_state_contains_the_preset",
    "stream_errors": "errors_of_streams_are_reported",
    "contexts": "states_of_all_contexts_are_restored",
    "empty_states": "an_empty_state_is_refused",
    "truncated_states": "truncated_states_are_refused",
    "random_states": "random_states_are_refused",
    "refused_states_change": "damaged_states_do_no_harm",
    "long_cycles": "cycles_may_have_any_length",
    "memory": "cycles_may_have_any_length",
    "constant_mask": "cycles_may_have_any_length",
    "order_of_events": "cycles_may_have_any_length",
    "short_cycles": "the_longest_cycle_may_have_any_length",
    "denormals": "no_output_is_denormal",
    "sleep": "a_plugin_that_sleeps_is_silent",
    "rates": "rates_may_be_any",
    "reset": "reset_ends_sound_and_keeps_values",
    "transport": "hosts_may_have_no_transport_and_no_time",
    "sixty_four": "sixty_four_instances_sound",
    "frames_of_notes": "a_note_begins_on_its_frame",
    "wildcards": "wildcards_end_notes",
    "velocity_0": "a_note_off_of_midi_may_be_a_note_on",
    "midi_is_ignored": "each_dialect_sounds",
    "threads": "values_of_a_cycle_are_those_of_the_plugin",
    "save_in_cycle": "states_are_saved_while_the_plugin_plays",
    "latency": "the_latency_remains_while_active",
    "modes": "the_mode_of_rendering_changes",
    "note_names": "names_of_notes_are_in_range",
    "pages": "pages_show_parameters_that_exist",
    "any_window": "floating_windows_open_in_any_state",
    "no_window": "floating_windows_open_in_any_state",
    "voices": "voices_are_within_the_capacity",
    "indications": "indications_change_no_value",
    "loaded_presets": "listed_presets_are_loaded",
    "idle_presets": "a_loaded_preset_changes_state_and_sound",
    "unknown_presets": "presets_that_do_not_exist_are_refused",
    "cycle_lengths": "the_length_of_cycles_changes_no_bit",
    "shared_memory": "shared_memory_changes_no_bit (effect)",
    "frames_of_values": "values_act_on_their_frames",
    "dialects": "dialects_have_the_same_bits",
    "wide_samples": "samples_may_have_64_bits (effect)",
    "init_again": "the_file_can_be_initialized_again",
    "main_thread": "factories_are_found_from_any_thread",
    "sources": "sources_of_invalidation_are_absolute",
    "versions": "a_host_of_another_version_does_no_harm",
    "destroy": "an_instance_is_destroyed_without_activation",
    "destroy_without_cycles": "an_instance_is_destroyed_without_cycles",
    "null_function": "functions_of_extensions_are_set",
    "category": "ports_fit_the_category",
    "ports_change": "ports_remain_the_same",
    "values_of_notes": "values_of_single_notes_do_no_harm",
    "load_while_active": "a_state_is_loaded_while_the_plugin_plays",
    "more_bytes": "states_with_more_bytes_do_no_harm",
    "silence": "sound_comes_within_30_s_in_real_time the_factory_makes_several_instances",
    "slow_start": "sound_comes_without_a_deadline",
    "no_frames": "cycles_of_no_frames_do_no_harm",
    "one_memory": "input_and_output_may_share_memory (effect)",
    "activations": "a_plugin_is_activated_many_times",
    "stops": "start_and_stop_lose_nothing",
    "transports": "transports_may_change_at_any_frame",
    "sysex": "random_notes_and_messages_do_no_harm",
    "wild_notes": "wildcards_in_notes_do_no_harm",
    "wrong_notes": "wrong_notes_and_messages_do_no_harm",
    "many_events": "thousands_of_events_fit_into_a_cycle",
    "load_in_cycle": "states_are_loaded_while_the_plugin_plays",
    "value_in_cycle": "values_are_read_while_they_are_set",
    "preset_in_cycle": "presets_are_loaded_while_the_plugin_plays",
    "extension_in_cycle": "extensions_are_found_while_the_plugin_plays",
    "create_in_cycle": "instances_are_made_while_others_play",
    "audio_thread": "the_audio_thread_may_change",
    "random": "another_instance_has_the_same_bits a_loaded_state_has_the_same_bits reset_leaves_no_trace",
}


SANITIZERS = "-fsanitize=address,undefined", "-fno-sanitize-recover"


def compile_host(workspace, *options):
    """Compiles the host and returns its path."""
    sources = sorted(TESTS.glob("claphost/*.c"))
    return workspace.compile("claphost", sources[0], *sources[1:], "-O1", "-D_GNU_SOURCE", f"-I{HEADERS}", *options,
                             "-lm", "-lpthread")


def compile_plugin(workspace, *options):
    """Compiles the small plugin and returns its path."""
    sources = sorted(TESTS.glob("claphost/plugin/*.c"))
    return workspace.compile("test.clap", sources[0], *sources[1:], "-O1", "-D_GNU_SOURCE", f"-I{HEADERS}", "-fPIC",
                             "-shared", "-fvisibility=hidden", *options, "-lm")


@tests(300)
def every_check_of_the_host_passes_with_a_correct_plugin(workspace):
    host, plugin = compile_host(workspace, *SANITIZERS), compile_plugin(workspace, *SANITIZERS)
    names = workspace.run(host, "--list", "--strict").split()
    assert len(names) == len(set(names)) > 80
    output = workspace.run(host, plugin, "--strict", ASAN_OPTIONS="detect_leaks=0")
    return output.splitlines()[-1]


@tests(300)
def every_fault_of_a_plugin_makes_a_check_of_the_host_fail(workspace):
    host, plugin = compile_host(workspace), compile_plugin(workspace)
    passed = []
    for fault, checks in FAULTS.items():
        *checks, effect = checks.split() if "(effect)" in checks else (*checks.split(), None)
        for check in checks:
            output = workspace.run(host, plugin, "--plugin", EFFECT if effect else INSTRUMENT, "--wait", "1", check,
                                   status=None, CLAPHOST_FAULT=fault)
            if "FAILED" not in output:
                passed.append(f"{check} with {fault}:\n{output}")
    assert not passed, "these pass in spite of a fault:\n" + "\n".join(passed)
    checked = {check for checks in FAULTS.values() for check in checks.split()}
    others = set(workspace.run(host, "--list", "--strict").split()) - checked
    assert not others, f"these checks have no fault that makes them fail: {' '.join(sorted(others))}"
    return f"{len(FAULTS)} faults"


@tests()
def the_host_renders_events_on_their_frames(workspace):
    host, plugin = compile_host(workspace), compile_plugin(workspace)

    def render(*options):
        output = workspace.folder / "output.f32"
        result = json.loads(workspace.run(host, plugin, "render", "0.5", output, *options))
        assert result["frames"] == 24000 and result["channels"] == 2, result
        return array.array("f", output.read_bytes())

    events = "--event", "1000 90 45 64", "--param", "5000 16 0.25", "--event", "9001 80 45 40"
    expected = render(*events)
    assert len(expected) == 48000
    # A sine begins with 0 on its frame.
    assert not any(expected[:2002]) and expected[2002] > 0
    for block in 1, 64, 1000, 8192:
        assert render(*events, "--block", block) == expected, f"cycles of {block} frames change bits"
    notes = "--note", f"1000 on 69 {100 / 127!r}", "--param", "5000 16 0.25", "--note", "9001 off 69 0"
    assert render(*notes) == expected
    lines = workspace.folder / "events"
    lines.write_text("event 9001 80 45 40\nparam 5000 16 0.25\nevent 1000 90 45 64\n")
    assert render("--events", lines, "--transport", "120", "--offline") == expected
    state = workspace.folder / "state"
    render("--param", "0 16 0.5", "--save", state)
    halved = render("--event", "1000 90 45 64", "--load", state)
    assert [sample * 2 for sample in halved] == list(render("--event", "1000 90 45 64"))


@tests()
def the_host_lists_plugins_as_JSON(workspace):
    host, plugin = compile_host(workspace), compile_plugin(workspace)
    plugins = json.loads(workspace.run(host, plugin, "list"))
    assert [plugin["id"] for plugin in plugins] == [INSTRUMENT, EFFECT]
    assert plugins[0]["params"][0] == {"id": 16, "name": "Level", "module": "", "flags": 1056, "min": 0, "max": 2,
                                       "default": 1, "value": 1, "text": "1.000"}
    assert plugins[0]["audioOutputs"][0]["channels"] == 2 and plugins[1]["audioInputs"][0]["type"] == "stereo"
