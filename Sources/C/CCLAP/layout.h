/// Asserts the layout of each structure: its size, and the offset and size of each field. 64-bit platforms only.
#pragma once
#include <stddef.h>
#include "extensions.h"
#include "factories.h"

#define CCLAP_SIZE(type, bytes) _Static_assert(sizeof(type) == bytes, #type)
#define CCLAP_FIELD(type, field, offset, bytes)                                             \
  _Static_assert(offsetof(type, field) == offset && sizeof(((type *)0)->field) == bytes, #type "." #field)

CCLAP_SIZE(clap_audio_buffer_t, 32);
CCLAP_FIELD(clap_audio_buffer_t, data32, 0, 8);
CCLAP_FIELD(clap_audio_buffer_t, data64, 8, 8);
CCLAP_FIELD(clap_audio_buffer_t, channel_count, 16, 4);
CCLAP_FIELD(clap_audio_buffer_t, latency, 20, 4);
CCLAP_FIELD(clap_audio_buffer_t, constant_mask, 24, 8);

CCLAP_SIZE(clap_color_t, 4);
CCLAP_FIELD(clap_color_t, alpha, 0, 1);
CCLAP_FIELD(clap_color_t, red, 1, 1);
CCLAP_FIELD(clap_color_t, green, 2, 1);
CCLAP_FIELD(clap_color_t, blue, 3, 1);

CCLAP_SIZE(clap_window_t, 16);
CCLAP_FIELD(clap_window_t, api, 0, 8);
CCLAP_FIELD(clap_window_t, handle, 8, 8);

CCLAP_SIZE(clap_gui_resize_hints_t, 12);
CCLAP_FIELD(clap_gui_resize_hints_t, can_resize_horizontally, 0, 1);
CCLAP_FIELD(clap_gui_resize_hints_t, can_resize_vertically, 1, 1);
CCLAP_FIELD(clap_gui_resize_hints_t, preserve_aspect_ratio, 2, 1);
CCLAP_FIELD(clap_gui_resize_hints_t, aspect_ratio_width, 4, 4);
CCLAP_FIELD(clap_gui_resize_hints_t, aspect_ratio_height, 8, 4);

CCLAP_SIZE(clap_plugin_gui_t, 120);
CCLAP_FIELD(clap_plugin_gui_t, is_api_supported, 0, 8);
CCLAP_FIELD(clap_plugin_gui_t, get_preferred_api, 8, 8);
CCLAP_FIELD(clap_plugin_gui_t, create, 16, 8);
CCLAP_FIELD(clap_plugin_gui_t, destroy, 24, 8);
CCLAP_FIELD(clap_plugin_gui_t, set_scale, 32, 8);
CCLAP_FIELD(clap_plugin_gui_t, get_size, 40, 8);
CCLAP_FIELD(clap_plugin_gui_t, can_resize, 48, 8);
CCLAP_FIELD(clap_plugin_gui_t, get_resize_hints, 56, 8);
CCLAP_FIELD(clap_plugin_gui_t, adjust_size, 64, 8);
CCLAP_FIELD(clap_plugin_gui_t, set_size, 72, 8);
CCLAP_FIELD(clap_plugin_gui_t, set_parent, 80, 8);
CCLAP_FIELD(clap_plugin_gui_t, set_transient, 88, 8);
CCLAP_FIELD(clap_plugin_gui_t, suggest_title, 96, 8);
CCLAP_FIELD(clap_plugin_gui_t, show, 104, 8);
CCLAP_FIELD(clap_plugin_gui_t, hide, 112, 8);

CCLAP_SIZE(clap_plugin_entry_t, 40);
CCLAP_FIELD(clap_plugin_entry_t, clap_version, 0, 12);
CCLAP_FIELD(clap_plugin_entry_t, init, 16, 8);
CCLAP_FIELD(clap_plugin_entry_t, deinit, 24, 8);
CCLAP_FIELD(clap_plugin_entry_t, get_factory, 32, 8);

CCLAP_SIZE(clap_event_header_t, 16);
CCLAP_FIELD(clap_event_header_t, size, 0, 4);
CCLAP_FIELD(clap_event_header_t, time, 4, 4);
CCLAP_FIELD(clap_event_header_t, space_id, 8, 2);
CCLAP_FIELD(clap_event_header_t, type, 10, 2);
CCLAP_FIELD(clap_event_header_t, flags, 12, 4);

CCLAP_SIZE(clap_event_note_t, 40);
CCLAP_FIELD(clap_event_note_t, header, 0, 16);
CCLAP_FIELD(clap_event_note_t, note_id, 16, 4);
CCLAP_FIELD(clap_event_note_t, port_index, 20, 2);
CCLAP_FIELD(clap_event_note_t, channel, 22, 2);
CCLAP_FIELD(clap_event_note_t, key, 24, 2);
CCLAP_FIELD(clap_event_note_t, velocity, 32, 8);

CCLAP_SIZE(clap_event_note_expression_t, 40);
CCLAP_FIELD(clap_event_note_expression_t, header, 0, 16);
CCLAP_FIELD(clap_event_note_expression_t, expression_id, 16, 4);
CCLAP_FIELD(clap_event_note_expression_t, note_id, 20, 4);
CCLAP_FIELD(clap_event_note_expression_t, port_index, 24, 2);
CCLAP_FIELD(clap_event_note_expression_t, channel, 26, 2);
CCLAP_FIELD(clap_event_note_expression_t, key, 28, 2);
CCLAP_FIELD(clap_event_note_expression_t, value, 32, 8);

CCLAP_SIZE(clap_event_param_value_t, 56);
CCLAP_FIELD(clap_event_param_value_t, header, 0, 16);
CCLAP_FIELD(clap_event_param_value_t, param_id, 16, 4);
CCLAP_FIELD(clap_event_param_value_t, cookie, 24, 8);
CCLAP_FIELD(clap_event_param_value_t, note_id, 32, 4);
CCLAP_FIELD(clap_event_param_value_t, port_index, 36, 2);
CCLAP_FIELD(clap_event_param_value_t, channel, 38, 2);
CCLAP_FIELD(clap_event_param_value_t, key, 40, 2);
CCLAP_FIELD(clap_event_param_value_t, value, 48, 8);

CCLAP_SIZE(clap_event_param_mod_t, 56);
CCLAP_FIELD(clap_event_param_mod_t, header, 0, 16);
CCLAP_FIELD(clap_event_param_mod_t, param_id, 16, 4);
CCLAP_FIELD(clap_event_param_mod_t, cookie, 24, 8);
CCLAP_FIELD(clap_event_param_mod_t, note_id, 32, 4);
CCLAP_FIELD(clap_event_param_mod_t, port_index, 36, 2);
CCLAP_FIELD(clap_event_param_mod_t, channel, 38, 2);
CCLAP_FIELD(clap_event_param_mod_t, key, 40, 2);
CCLAP_FIELD(clap_event_param_mod_t, amount, 48, 8);

CCLAP_SIZE(clap_event_param_gesture_t, 20);
CCLAP_FIELD(clap_event_param_gesture_t, header, 0, 16);
CCLAP_FIELD(clap_event_param_gesture_t, param_id, 16, 4);

CCLAP_SIZE(clap_event_transport_t, 104);
CCLAP_FIELD(clap_event_transport_t, header, 0, 16);
CCLAP_FIELD(clap_event_transport_t, flags, 16, 4);
CCLAP_FIELD(clap_event_transport_t, song_pos_beats, 24, 8);
CCLAP_FIELD(clap_event_transport_t, song_pos_seconds, 32, 8);
CCLAP_FIELD(clap_event_transport_t, tempo, 40, 8);
CCLAP_FIELD(clap_event_transport_t, tempo_inc, 48, 8);
CCLAP_FIELD(clap_event_transport_t, loop_start_beats, 56, 8);
CCLAP_FIELD(clap_event_transport_t, loop_end_beats, 64, 8);
CCLAP_FIELD(clap_event_transport_t, loop_start_seconds, 72, 8);
CCLAP_FIELD(clap_event_transport_t, loop_end_seconds, 80, 8);
CCLAP_FIELD(clap_event_transport_t, bar_start, 88, 8);
CCLAP_FIELD(clap_event_transport_t, bar_number, 96, 4);
CCLAP_FIELD(clap_event_transport_t, tsig_num, 100, 2);
CCLAP_FIELD(clap_event_transport_t, tsig_denom, 102, 2);

CCLAP_SIZE(clap_event_midi_t, 24);
CCLAP_FIELD(clap_event_midi_t, header, 0, 16);
CCLAP_FIELD(clap_event_midi_t, port_index, 16, 2);
CCLAP_FIELD(clap_event_midi_t, data, 18, 3);

CCLAP_SIZE(clap_event_midi_sysex_t, 40);
CCLAP_FIELD(clap_event_midi_sysex_t, header, 0, 16);
CCLAP_FIELD(clap_event_midi_sysex_t, port_index, 16, 2);
CCLAP_FIELD(clap_event_midi_sysex_t, buffer, 24, 8);
CCLAP_FIELD(clap_event_midi_sysex_t, size, 32, 4);

CCLAP_SIZE(clap_event_midi2_t, 36);
CCLAP_FIELD(clap_event_midi2_t, header, 0, 16);
CCLAP_FIELD(clap_event_midi2_t, port_index, 16, 2);
CCLAP_FIELD(clap_event_midi2_t, data, 20, 16);

CCLAP_SIZE(clap_input_events_t, 24);
CCLAP_FIELD(clap_input_events_t, ctx, 0, 8);
CCLAP_FIELD(clap_input_events_t, size, 8, 8);
CCLAP_FIELD(clap_input_events_t, get, 16, 8);

CCLAP_SIZE(clap_output_events_t, 16);
CCLAP_FIELD(clap_output_events_t, ctx, 0, 8);
CCLAP_FIELD(clap_output_events_t, try_push, 8, 8);

CCLAP_SIZE(clap_audio_port_info_t, 288);
CCLAP_FIELD(clap_audio_port_info_t, id, 0, 4);
CCLAP_FIELD(clap_audio_port_info_t, name, 4, 256);
CCLAP_FIELD(clap_audio_port_info_t, flags, 260, 4);
CCLAP_FIELD(clap_audio_port_info_t, channel_count, 264, 4);
CCLAP_FIELD(clap_audio_port_info_t, port_type, 272, 8);
CCLAP_FIELD(clap_audio_port_info_t, in_place_pair, 280, 4);

CCLAP_SIZE(clap_plugin_audio_ports_t, 16);
CCLAP_FIELD(clap_plugin_audio_ports_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_audio_ports_t, get, 8, 8);

CCLAP_SIZE(clap_host_audio_ports_t, 16);
CCLAP_FIELD(clap_host_audio_ports_t, is_rescan_flag_supported, 0, 8);
CCLAP_FIELD(clap_host_audio_ports_t, rescan, 8, 8);

CCLAP_SIZE(clap_plugin_latency_t, 8);
CCLAP_FIELD(clap_plugin_latency_t, get, 0, 8);

CCLAP_SIZE(clap_host_latency_t, 8);
CCLAP_FIELD(clap_host_latency_t, changed, 0, 8);

CCLAP_SIZE(clap_host_log_t, 8);
CCLAP_FIELD(clap_host_log_t, log, 0, 8);

CCLAP_SIZE(clap_note_name_t, 262);
CCLAP_FIELD(clap_note_name_t, name, 0, 256);
CCLAP_FIELD(clap_note_name_t, port, 256, 2);
CCLAP_FIELD(clap_note_name_t, key, 258, 2);
CCLAP_FIELD(clap_note_name_t, channel, 260, 2);

CCLAP_SIZE(clap_plugin_note_name_t, 16);
CCLAP_FIELD(clap_plugin_note_name_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_note_name_t, get, 8, 8);

CCLAP_SIZE(clap_host_note_name_t, 8);
CCLAP_FIELD(clap_host_note_name_t, changed, 0, 8);

CCLAP_SIZE(clap_note_port_info_t, 268);
CCLAP_FIELD(clap_note_port_info_t, id, 0, 4);
CCLAP_FIELD(clap_note_port_info_t, supported_dialects, 4, 4);
CCLAP_FIELD(clap_note_port_info_t, preferred_dialect, 8, 4);
CCLAP_FIELD(clap_note_port_info_t, name, 12, 256);

CCLAP_SIZE(clap_plugin_note_ports_t, 16);
CCLAP_FIELD(clap_plugin_note_ports_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_note_ports_t, get, 8, 8);

CCLAP_SIZE(clap_host_note_ports_t, 16);
CCLAP_FIELD(clap_host_note_ports_t, supported_dialects, 0, 8);
CCLAP_FIELD(clap_host_note_ports_t, rescan, 8, 8);

CCLAP_SIZE(clap_plugin_param_indication_t, 16);
CCLAP_FIELD(clap_plugin_param_indication_t, set_mapping, 0, 8);
CCLAP_FIELD(clap_plugin_param_indication_t, set_automation, 8, 8);

CCLAP_SIZE(clap_param_info_t, 1320);
CCLAP_FIELD(clap_param_info_t, id, 0, 4);
CCLAP_FIELD(clap_param_info_t, flags, 4, 4);
CCLAP_FIELD(clap_param_info_t, cookie, 8, 8);
CCLAP_FIELD(clap_param_info_t, name, 16, 256);
CCLAP_FIELD(clap_param_info_t, module, 272, 1024);
CCLAP_FIELD(clap_param_info_t, min_value, 1296, 8);
CCLAP_FIELD(clap_param_info_t, max_value, 1304, 8);
CCLAP_FIELD(clap_param_info_t, default_value, 1312, 8);

CCLAP_SIZE(clap_plugin_params_t, 48);
CCLAP_FIELD(clap_plugin_params_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_params_t, get_info, 8, 8);
CCLAP_FIELD(clap_plugin_params_t, get_value, 16, 8);
CCLAP_FIELD(clap_plugin_params_t, value_to_text, 24, 8);
CCLAP_FIELD(clap_plugin_params_t, text_to_value, 32, 8);
CCLAP_FIELD(clap_plugin_params_t, flush, 40, 8);

CCLAP_SIZE(clap_host_params_t, 24);
CCLAP_FIELD(clap_host_params_t, rescan, 0, 8);
CCLAP_FIELD(clap_host_params_t, clear, 8, 8);
CCLAP_FIELD(clap_host_params_t, request_flush, 16, 8);

CCLAP_SIZE(clap_plugin_preset_load_t, 8);
CCLAP_FIELD(clap_plugin_preset_load_t, from_location, 0, 8);

CCLAP_SIZE(clap_host_preset_load_t, 16);
CCLAP_FIELD(clap_host_preset_load_t, on_error, 0, 8);
CCLAP_FIELD(clap_host_preset_load_t, loaded, 8, 8);

CCLAP_SIZE(clap_remote_controls_page_t, 552);
CCLAP_FIELD(clap_remote_controls_page_t, section_name, 0, 256);
CCLAP_FIELD(clap_remote_controls_page_t, page_id, 256, 4);
CCLAP_FIELD(clap_remote_controls_page_t, page_name, 260, 256);
CCLAP_FIELD(clap_remote_controls_page_t, param_ids, 516, 32);
CCLAP_FIELD(clap_remote_controls_page_t, is_for_preset, 548, 1);

CCLAP_SIZE(clap_plugin_remote_controls_t, 16);
CCLAP_FIELD(clap_plugin_remote_controls_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_remote_controls_t, get, 8, 8);

CCLAP_SIZE(clap_host_remote_controls_t, 16);
CCLAP_FIELD(clap_host_remote_controls_t, changed, 0, 8);
CCLAP_FIELD(clap_host_remote_controls_t, suggest_page, 8, 8);

CCLAP_SIZE(clap_plugin_render_t, 16);
CCLAP_FIELD(clap_plugin_render_t, has_hard_realtime_requirement, 0, 8);
CCLAP_FIELD(clap_plugin_render_t, set, 8, 8);

CCLAP_SIZE(clap_plugin_state_context_t, 16);
CCLAP_FIELD(clap_plugin_state_context_t, save, 0, 8);
CCLAP_FIELD(clap_plugin_state_context_t, load, 8, 8);

CCLAP_SIZE(clap_plugin_state_t, 16);
CCLAP_FIELD(clap_plugin_state_t, save, 0, 8);
CCLAP_FIELD(clap_plugin_state_t, load, 8, 8);

CCLAP_SIZE(clap_host_state_t, 8);
CCLAP_FIELD(clap_host_state_t, mark_dirty, 0, 8);

CCLAP_SIZE(clap_plugin_tail_t, 8);
CCLAP_FIELD(clap_plugin_tail_t, get, 0, 8);

CCLAP_SIZE(clap_host_tail_t, 8);
CCLAP_FIELD(clap_host_tail_t, changed, 0, 8);

CCLAP_SIZE(clap_host_thread_check_t, 16);
CCLAP_FIELD(clap_host_thread_check_t, is_main_thread, 0, 8);
CCLAP_FIELD(clap_host_thread_check_t, is_audio_thread, 8, 8);

CCLAP_SIZE(clap_voice_info_t, 16);
CCLAP_FIELD(clap_voice_info_t, voice_count, 0, 4);
CCLAP_FIELD(clap_voice_info_t, voice_capacity, 4, 4);
CCLAP_FIELD(clap_voice_info_t, flags, 8, 8);

CCLAP_SIZE(clap_plugin_voice_info_t, 8);
CCLAP_FIELD(clap_plugin_voice_info_t, get, 0, 8);

CCLAP_SIZE(clap_host_voice_info_t, 8);
CCLAP_FIELD(clap_host_voice_info_t, changed, 0, 8);

CCLAP_SIZE(clap_plugin_invalidation_source_t, 24);
CCLAP_FIELD(clap_plugin_invalidation_source_t, directory, 0, 8);
CCLAP_FIELD(clap_plugin_invalidation_source_t, filename_glob, 8, 8);
CCLAP_FIELD(clap_plugin_invalidation_source_t, recursive_scan, 16, 1);

CCLAP_SIZE(clap_plugin_invalidation_factory_t, 24);
CCLAP_FIELD(clap_plugin_invalidation_factory_t, count, 0, 8);
CCLAP_FIELD(clap_plugin_invalidation_factory_t, get, 8, 8);
CCLAP_FIELD(clap_plugin_invalidation_factory_t, refresh, 16, 8);

CCLAP_SIZE(clap_plugin_factory_t, 24);
CCLAP_FIELD(clap_plugin_factory_t, get_plugin_count, 0, 8);
CCLAP_FIELD(clap_plugin_factory_t, get_plugin_descriptor, 8, 8);
CCLAP_FIELD(clap_plugin_factory_t, create_plugin, 16, 8);

CCLAP_SIZE(clap_preset_discovery_metadata_receiver_t, 88);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, receiver_data, 0, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, on_error, 8, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, begin_preset, 16, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, add_plugin_id, 24, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, set_soundpack_id, 32, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, set_flags, 40, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, add_creator, 48, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, set_description, 56, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, set_timestamps, 64, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, add_feature, 72, 8);
CCLAP_FIELD(clap_preset_discovery_metadata_receiver_t, add_extra_info, 80, 8);

CCLAP_SIZE(clap_preset_discovery_filetype_t, 24);
CCLAP_FIELD(clap_preset_discovery_filetype_t, name, 0, 8);
CCLAP_FIELD(clap_preset_discovery_filetype_t, description, 8, 8);
CCLAP_FIELD(clap_preset_discovery_filetype_t, file_extension, 16, 8);

CCLAP_SIZE(clap_preset_discovery_location_t, 32);
CCLAP_FIELD(clap_preset_discovery_location_t, flags, 0, 4);
CCLAP_FIELD(clap_preset_discovery_location_t, name, 8, 8);
CCLAP_FIELD(clap_preset_discovery_location_t, kind, 16, 4);
CCLAP_FIELD(clap_preset_discovery_location_t, location, 24, 8);

CCLAP_SIZE(clap_preset_discovery_soundpack_t, 64);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, flags, 0, 4);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, id, 8, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, name, 16, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, description, 24, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, homepage_url, 32, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, vendor, 40, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, image_path, 48, 8);
CCLAP_FIELD(clap_preset_discovery_soundpack_t, release_timestamp, 56, 8);

CCLAP_SIZE(clap_preset_discovery_provider_descriptor_t, 40);
CCLAP_FIELD(clap_preset_discovery_provider_descriptor_t, clap_version, 0, 12);
CCLAP_FIELD(clap_preset_discovery_provider_descriptor_t, id, 16, 8);
CCLAP_FIELD(clap_preset_discovery_provider_descriptor_t, name, 24, 8);
CCLAP_FIELD(clap_preset_discovery_provider_descriptor_t, vendor, 32, 8);

CCLAP_SIZE(clap_preset_discovery_provider_t, 48);
CCLAP_FIELD(clap_preset_discovery_provider_t, desc, 0, 8);
CCLAP_FIELD(clap_preset_discovery_provider_t, provider_data, 8, 8);
CCLAP_FIELD(clap_preset_discovery_provider_t, init, 16, 8);
CCLAP_FIELD(clap_preset_discovery_provider_t, destroy, 24, 8);
CCLAP_FIELD(clap_preset_discovery_provider_t, get_metadata, 32, 8);
CCLAP_FIELD(clap_preset_discovery_provider_t, get_extension, 40, 8);

CCLAP_SIZE(clap_preset_discovery_indexer_t, 88);
CCLAP_FIELD(clap_preset_discovery_indexer_t, clap_version, 0, 12);
CCLAP_FIELD(clap_preset_discovery_indexer_t, name, 16, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, vendor, 24, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, url, 32, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, version, 40, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, indexer_data, 48, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, declare_filetype, 56, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, declare_location, 64, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, declare_soundpack, 72, 8);
CCLAP_FIELD(clap_preset_discovery_indexer_t, get_extension, 80, 8);

CCLAP_SIZE(clap_preset_discovery_factory_t, 24);
CCLAP_FIELD(clap_preset_discovery_factory_t, count, 0, 8);
CCLAP_FIELD(clap_preset_discovery_factory_t, get_descriptor, 8, 8);
CCLAP_FIELD(clap_preset_discovery_factory_t, create, 16, 8);

CCLAP_SIZE(clap_host_t, 88);
CCLAP_FIELD(clap_host_t, clap_version, 0, 12);
CCLAP_FIELD(clap_host_t, host_data, 16, 8);
CCLAP_FIELD(clap_host_t, name, 24, 8);
CCLAP_FIELD(clap_host_t, vendor, 32, 8);
CCLAP_FIELD(clap_host_t, url, 40, 8);
CCLAP_FIELD(clap_host_t, version, 48, 8);
CCLAP_FIELD(clap_host_t, get_extension, 56, 8);
CCLAP_FIELD(clap_host_t, request_restart, 64, 8);
CCLAP_FIELD(clap_host_t, request_process, 72, 8);
CCLAP_FIELD(clap_host_t, request_callback, 80, 8);

CCLAP_SIZE(clap_plugin_descriptor_t, 88);
CCLAP_FIELD(clap_plugin_descriptor_t, clap_version, 0, 12);
CCLAP_FIELD(clap_plugin_descriptor_t, id, 16, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, name, 24, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, vendor, 32, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, url, 40, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, manual_url, 48, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, support_url, 56, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, version, 64, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, description, 72, 8);
CCLAP_FIELD(clap_plugin_descriptor_t, features, 80, 8);

CCLAP_SIZE(clap_plugin_t, 96);
CCLAP_FIELD(clap_plugin_t, desc, 0, 8);
CCLAP_FIELD(clap_plugin_t, plugin_data, 8, 8);
CCLAP_FIELD(clap_plugin_t, init, 16, 8);
CCLAP_FIELD(clap_plugin_t, destroy, 24, 8);
CCLAP_FIELD(clap_plugin_t, activate, 32, 8);
CCLAP_FIELD(clap_plugin_t, deactivate, 40, 8);
CCLAP_FIELD(clap_plugin_t, start_processing, 48, 8);
CCLAP_FIELD(clap_plugin_t, stop_processing, 56, 8);
CCLAP_FIELD(clap_plugin_t, reset, 64, 8);
CCLAP_FIELD(clap_plugin_t, process, 72, 8);
CCLAP_FIELD(clap_plugin_t, get_extension, 80, 8);
CCLAP_FIELD(clap_plugin_t, on_main_thread, 88, 8);

CCLAP_SIZE(clap_process_t, 64);
CCLAP_FIELD(clap_process_t, steady_time, 0, 8);
CCLAP_FIELD(clap_process_t, frames_count, 8, 4);
CCLAP_FIELD(clap_process_t, transport, 16, 8);
CCLAP_FIELD(clap_process_t, audio_inputs, 24, 8);
CCLAP_FIELD(clap_process_t, audio_outputs, 32, 8);
CCLAP_FIELD(clap_process_t, audio_inputs_count, 40, 4);
CCLAP_FIELD(clap_process_t, audio_outputs_count, 44, 4);
CCLAP_FIELD(clap_process_t, in_events, 48, 8);
CCLAP_FIELD(clap_process_t, out_events, 56, 8);

CCLAP_SIZE(clap_istream_t, 16);
CCLAP_FIELD(clap_istream_t, ctx, 0, 8);
CCLAP_FIELD(clap_istream_t, read, 8, 8);

CCLAP_SIZE(clap_ostream_t, 16);
CCLAP_FIELD(clap_ostream_t, ctx, 0, 8);
CCLAP_FIELD(clap_ostream_t, write, 8, 8);

CCLAP_SIZE(clap_universal_plugin_id_t, 16);
CCLAP_FIELD(clap_universal_plugin_id_t, abi, 0, 8);
CCLAP_FIELD(clap_universal_plugin_id_t, id, 8, 8);

CCLAP_SIZE(clap_version_t, 12);
CCLAP_FIELD(clap_version_t, major, 0, 4);
CCLAP_FIELD(clap_version_t, minor, 4, 4);
CCLAP_FIELD(clap_version_t, revision, 8, 4);

#undef CCLAP_SIZE
#undef CCLAP_FIELD
