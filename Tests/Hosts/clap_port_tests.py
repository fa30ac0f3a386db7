"""All checks of claphost with the CLAP plugins of all ports, which takes minutes."""

from clap_plugin_tests import INSTRUMENT, Host
from support import Tests

tests = Tests()

METRONOME = "urn:portative:generator:metr:Ptvo"

# Checks that need sound without notes, input or transport.
SOUND = set("""
the_factory_makes_several_instances any_values_sound sound_comes_within_30_s_in_real_time sound_comes_without_a_deadline
cycles_may_have_any_length cycles_of_no_frames_do_no_harm rates_may_be_any a_plugin_is_activated_many_times
start_and_stop_lose_nothing reset_ends_sound_and_keeps_values hosts_may_have_no_transport_and_no_time
sixty_four_instances_sound the_audio_thread_may_change the_mode_of_rendering_changes
""".split())


@tests(limit=900)
def every_check_passes_with_the_other_CLAP_plugins(workspace):
    host = Host(workspace)
    others = [plugin["id"] for plugin in host.list() if plugin["id"] != INSTRUMENT]
    assert len(others) >= 6, others
    # The metronome is silent while nothing plays.
    checks = set(workspace.run(host.program, "--list").split()) - SOUND
    results = [(plugin, host.run("--plugin", plugin, *(checks if plugin == METRONOME else ()))) for plugin in others]
    return "\n".join(f"{plugin}: {output.splitlines()[-1]}" for plugin, output in results)
