/* The server of `edgewise view`: a page, and a socket that carries commands and pictures. */
#ifndef EW_VIEW_SERVER_H
#define EW_VIEW_SERVER_H

#include "view.h"

typedef struct view_server view_server;
typedef struct view_server_def {
    view_subject subject;
    const char *listen; /* address; loopback: 127.0.0.1 */
    int32_t port;       /* 0: a free one */
} view_server_def;
enum { VIEW_MAX_CLIENT = 16, VIEW_MAX_MESSAGE = 1 << 20, VIEW_MAX_REFUSED = 100 };
/* Opens the body and listens. */
ew_status view_server_create(view_server **server, const view_server_def *def);
const char *view_server_address(const view_server *server); /* with the token */
/* Whether a page was there and none has been for so many seconds, or the page said quit. */
bool view_server_has_ended(view_server *server, double grace);
void view_server_free(view_server *server); /* safe on null */

#endif
