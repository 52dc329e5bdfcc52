// What the files of the library share is called by short names in the code, and by long ones in the object files: a
// static library must not take names from the program that it is linked with.
#ifndef APART_IO_NAMES_H
#define APART_IO_NAMES_H

#define digest_bytes apart_io_digest_bytes
#define document_parse apart_io_document_parse
#define expect_line_end apart_io_expect_line_end
#define fail_file apart_io_fail_file
#define fail_here apart_io_fail_here
#define fail_word apart_io_fail_word
#define fan_add apart_io_fan_add
#define fan_end apart_io_fan_end
#define file_read apart_io_file_read
#define format_choose apart_io_format_choose
#define format_may_begin apart_io_format_may_begin
#define format_pass_mark apart_io_format_pass_mark
#define mesh_add_triangle apart_io_mesh_add_triangle
#define mesh_add_vertex apart_io_mesh_add_vertex
#define node_array apart_io_node_array
#define node_bool apart_io_node_bool
#define node_fail apart_io_node_fail
#define node_fail_type apart_io_node_fail_type
#define node_fail_unknown apart_io_node_fail_unknown
#define node_fail_unknown_in apart_io_node_fail_unknown_in
#define node_item apart_io_node_item
#define node_keys apart_io_node_keys
#define node_member apart_io_node_member
#define node_number apart_io_node_number
#define node_numbers apart_io_node_numbers
#define node_root apart_io_node_root
#define node_text apart_io_node_text
#define note_odd apart_io_note_odd
#define objects_mark apart_io_objects_mark
#define objects_take_apart apart_io_objects_take_apart
#define off_magic apart_io_off_magic
#define ply_read_header apart_io_ply_read_header
#define points_names_row apart_io_points_names_row
#define pose_from_matrix apart_io_pose_from_matrix
#define read_count apart_io_read_count
#define read_motion apart_io_read_motion
#define read_number apart_io_read_number
#define read_obj apart_io_read_obj
#define read_off apart_io_read_off
#define read_ply apart_io_read_ply
#define read_point apart_io_read_point
#define read_points apart_io_read_points
#define read_pose apart_io_read_pose
#define read_stl_ascii apart_io_read_stl_ascii
#define read_stl_binary apart_io_read_stl_binary
#define read_vector apart_io_read_vector
#define reader_tell_now apart_io_reader_tell_now
#define rotation_from_angles apart_io_rotation_from_angles
#define shape_table_free apart_io_shape_table_free
#define shape_table_get apart_io_shape_table_get
#define shape_table_name apart_io_shape_table_name
#define stl_is_binary apart_io_stl_is_binary
#define stl_may_begin apart_io_stl_may_begin
#define text_is_integers apart_io_text_is_integers
#define text_next_line apart_io_text_next_line
#define text_seek apart_io_text_seek
#define text_to_integer apart_io_text_to_integer
#define text_to_number apart_io_text_to_number
#define text_word apart_io_text_word
#define weld_find apart_io_weld_find
#define weld_free apart_io_weld_free
#define weld_hash apart_io_weld_hash
#define weld_reserve apart_io_weld_reserve
#define word_excerpt apart_io_word_excerpt
#define word_is apart_io_word_is

#endif
