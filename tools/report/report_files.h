/* Style and script of a report page, inside the program: made of tools/report/ by embed.cmake. */
#ifndef EW_REPORT_FILES_H
#define EW_REPORT_FILES_H

extern const unsigned char report_style[], report_script[]; /* texts that end with 0 */
extern const unsigned char report_script_hash[32];          /* SHA-256 of the script */

#endif
