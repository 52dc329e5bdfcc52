// What the files of the library share is called by short names in the code, and by long ones in the object files: a
// static library must not take names from the program that it is linked with.
#ifndef APART_IO_NAMES_H
#define APART_IO_NAMES_H

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
#define note_odd apart_io_note_odd
#define off_magic apart_io_off_magic
#define ply_read_header apart_io_ply_read_header
#define points_names_row apart_io_points_names_row
#define read_count apart_io_read_count
#define read_number apart_io_read_number
#define read_obj apart_io_read_obj
#define read_off apart_io_read_off
#define read_ply apart_io_read_ply
#define read_point apart_io_read_point
#define read_points apart_io_read_points
#define read_stl_ascii apart_io_read_stl_ascii
#define read_stl_binary apart_io_read_stl_binary
#define reader_tell_now apart_io_reader_tell_now
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
