#pragma once
#include <libwebsockets.h>

// The functions of libwebsockets, which `web_load` finds.

#define FUNCTIONS(FUNCTION)                                                                        \
  FUNCTION(add_http_common_headers)                                                                \
  FUNCTION(add_http_header_by_name)                                                                \
  FUNCTION(adopt_descriptor_vhost)                                                                 \
  FUNCTION(adopt_socket_vhost)                                                                     \
  FUNCTION(callback_on_writable)                                                                   \
  FUNCTION(cancel_service)                                                                         \
  FUNCTION(close_reason)                                                                           \
  FUNCTION(context_destroy)                                                                        \
  FUNCTION(context_user)                                                                           \
  FUNCTION(create_context)                                                                         \
  FUNCTION(create_vhost)                                                                           \
  FUNCTION(finalize_write_http_header)                                                             \
  FUNCTION(frame_is_binary)                                                                        \
  FUNCTION(get_context)                                                                            \
  FUNCTION(get_library_version)                                                                    \
  FUNCTION(get_parent)                                                                             \
  FUNCTION(get_socket_fd)                                                                          \
  FUNCTION(get_vhost)                                                                              \
  FUNCTION(hdr_copy)                                                                               \
  FUNCTION(hdr_total_length)                                                                       \
  FUNCTION(http_transaction_completed)                                                             \
  FUNCTION(is_final_fragment)                                                                      \
  FUNCTION(is_first_fragment)                                                                      \
  FUNCTION(remaining_packet_payload)                                                               \
  FUNCTION(rx_flow_control)                                                                        \
  FUNCTION(service)                                                                                \
  FUNCTION(set_log_level)                                                                          \
  FUNCTION(set_timeout)                                                                            \
  FUNCTION(set_timer_usecs)                                                                        \
  FUNCTION(write)                                                                                  \
  FUNCTION(wsi_user)

extern struct web_functions {
#define FIELD(name) __typeof__(lws_##name) *name;
  FUNCTIONS(FIELD)
#undef FIELD
} web_lws;
