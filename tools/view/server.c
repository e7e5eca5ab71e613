/* HTTP and WebSocket by civetweb. In: commands of clients that have the token. Out: the page, and
 * to each client replies and pictures: at most two that it has not acknowledged, after that the
 * newest alone. Each client has a thread that sends, so that a slow line delays nobody else. */
#define _GNU_SOURCE
#include "server.h"
#include "page_files.h"

#include <civetweb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { MAX_TEXT = 64, MAX_UNACKNOWLEDGED = 2, TOKEN = 32 };
static const char socket_path[] = "/socket";

typedef struct client {
    bool is_taken, is_closing;
    int32_t number; /* no other client has or had it */
    struct mg_connection *connection;
    pthread_t sender;
    int32_t n_text, n_sent, n_refused, surface; /* n_sent: pictures without acknowledgement */
    view_bytes *text[MAX_TEXT];                 /* owned share: replies that wait */
    view_bytes *state;                          /* owned share: the newest panels, not yet sent */
    bool wants_picture;                         /* there is one that it has not got */
    view_server *server;
} client;

struct view_server {
    struct mg_context *context;
    view_session *session;
    char address[256], token[TOKEN + 1], listen[64];
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t change;
    bool has_quit, had_client;
    int32_t n_client, n_number;
    double left; /* when the last client left */
    client client[VIEW_MAX_CLIENT];
    view_bytes *whole, *part; /* owned share: the newest picture */
};

/* ---- from the session ------------------------------------------------------------------------ */

static void replace(view_bytes **own, view_bytes *by)
{
    view_bytes_release(*own);
    *own = view_bytes_hold(by);
}

static void on_picture(void *user, view_bytes *whole, view_bytes *part)
{
    view_server *server = user;
    pthread_mutex_lock(&server->lock);
    replace(&server->whole, whole);
    replace(&server->part, part);
    for (int i = 0; i < VIEW_MAX_CLIENT; i++) {
        server->client[i].wants_picture = true;
    }
    pthread_cond_broadcast(&server->change);
    pthread_mutex_unlock(&server->lock);
}

static void on_state(void *user, view_bytes *state)
{
    view_server *server = user;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < VIEW_MAX_CLIENT; i++) {
        if (server->client[i].is_taken) {
            replace(&server->client[i].state, state);
        }
    }
    pthread_cond_broadcast(&server->change);
    pthread_mutex_unlock(&server->lock);
}

/* A client that reads no replies gets no more of them. */
static void on_reply(void *user, int32_t number, view_bytes *reply)
{
    view_server *server = user;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < VIEW_MAX_CLIENT; i++) {
        client *to = &server->client[i];
        if (to->is_taken && to->number == number && to->n_text < MAX_TEXT) {
            to->text[to->n_text++] = view_bytes_hold(reply);
            pthread_cond_broadcast(&server->change);
        }
    }
    pthread_mutex_unlock(&server->lock);
}

static void on_end(void *user)
{
    view_server *server = user;
    pthread_mutex_lock(&server->lock);
    server->has_quit = true;
    pthread_mutex_unlock(&server->lock);
}

/* ---- to a client
 * --------------------------------------------------------------------------------- */

/* The next message, to be released, in the order replies, panels, picture; null: none yet. Locked.
 */
static view_bytes *take_next(client *to)
{
    view_server *server = to->server;
    view_bytes *next = NULL;
    if (to->n_text) {
        next = to->text[0];
        to->n_text--;
        memmove(to->text, to->text + 1, (size_t)to->n_text * sizeof *to->text);
    } else if (to->state) {
        next = to->state;
        to->state = NULL;
    } else if (to->wants_picture && to->n_sent < MAX_UNACKNOWLEDGED && server->whole) {
        const bool has_surface = to->surface == server->part->surface;
        next = view_bytes_hold(has_surface ? server->part : server->whole);
        to->surface = next->surface;
        to->wants_picture = false;
        to->n_sent++;
    }
    return next;
}

static void *run_sender(void *user)
{
    client *to = user;
    view_server *server = to->server;
    bool goes_on = true;
    while (goes_on) {
        pthread_mutex_lock(&server->lock);
        view_bytes *next = NULL;
        while (!to->is_closing && !(next = take_next(to))) {
            pthread_cond_wait(&server->change, &server->lock);
        }
        pthread_mutex_unlock(&server->lock);
        goes_on = next && mg_websocket_write(
                              to->connection,
                              next->is_text ? MG_WEBSOCKET_OPCODE_TEXT : MG_WEBSOCKET_OPCODE_BINARY,
                              (const char *)next->data, next->size) == (int)next->size;
        view_bytes_release(next);
    }
    /* A client that took only a part of a message in time cannot read what would follow. */
    mg_close_connection(to->connection);
    return NULL;
}

/* ---- from a client
 * ---------------------------------------------------------------------------------- */

static bool is_same_token(const char *a, const char *b)
{
    unsigned char difference = strlen(a) != TOKEN;
    for (int i = 0; i < TOKEN && !difference; i++) {
        difference |= (unsigned char)(a[i] ^ b[i]);
    }
    return !difference;
}

/* Another name for this machine is not taken: a page elsewhere may have its name lead here. */
static bool is_own_host(const view_server *server, const char *host)
{
    const char *const names[] = {"127.0.0.1", "localhost", "[::1]", server->listen};
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        const size_t n = strlen(names[i]);
        if (n && !strncmp(host, names[i], n) && (host[n] == ':' || !host[n])) {
            return true;
        }
    }
    return false;
}

/* Whether a page of this server asks, also by another port, as by ssh -L. No Origin: no browser. */
static bool may_connect(const view_server *server, const struct mg_connection *connection)
{
    char token[TOKEN + 2] = "";
    const char *origin = mg_get_header(connection, "Origin"),
               *host = mg_get_header(connection, "Host"),
               *query = mg_get_request_info(connection)->query_string;
    const bool is_same =
        !origin || (host && !strncmp(origin, "http://", 7) && !strcmp(origin + 7, host));
    if (query) {
        (void)mg_get_var(query, strlen(query), "token", token, sizeof token);
    }
    return is_same && is_same_token(token, server->token);
}

/* Returns the status. mg_send_http_error leaves out the head where a WebSocket was asked for. */
static int send_refusal(struct mg_connection *connection, int status, const char *reason,
                        const char *line)
{
    mg_printf(connection,
              "HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n"
              "Cache-Control: no-store\r\nConnection: close\r\n\r\n%s\n",
              status, reason, strlen(line) + 1, line);
    return status;
}

/* Before a page is sent or a connection is made; 0: it may be. */
static int on_begin(struct mg_connection *connection)
{
    view_server *server = mg_get_user_data(mg_get_context(connection));
    if (!is_own_host(server, mg_get_header(connection, "Host"))) {
        return send_refusal(connection, 403, "Forbidden", "This name is not that of the server.");
    }
    if (strcmp(mg_get_request_info(connection)->local_uri, socket_path)) {
        return 0;
    }
    if (!may_connect(server, connection)) {
        return send_refusal(connection, 403, "Forbidden",
                            "The token or the origin is not that of this server's page.");
    }
    pthread_mutex_lock(&server->lock);
    const bool is_full = server->n_client == VIEW_MAX_CLIENT;
    pthread_mutex_unlock(&server->lock);
    return is_full ? send_refusal(connection, 503, "Service Unavailable",
                                  "As many pages are open as may be; close one.")
                   : 0;
}

static void on_ready(struct mg_connection *connection, void *user)
{
    view_server *server = user;
    client *own = NULL;
    pthread_mutex_lock(&server->lock);
    for (int i = 0; i < VIEW_MAX_CLIENT && !own; i++) {
        own = server->client[i].is_taken ? NULL : &server->client[i];
    }
    if (own) {
        *own = (client){.is_taken = true,
                        .number = server->n_number++,
                        .connection = connection,
                        .server = server,
                        .surface = -1,
                        .wants_picture = true};
        own->is_taken = !pthread_create(&own->sender, NULL, run_sender, own);
    }
    if (own && own->is_taken) {
        mg_set_user_connection_data(connection, own);
        server->n_client++;
        server->had_client = true;
    }
    pthread_mutex_unlock(&server->lock);
    view_session_greet(server->session);
}

static void refuse(client *from, double id)
{
    cJSON *message = cJSON_CreateObject();
    (void)cJSON_AddNumberToObject(message, "id", id);
    (void)cJSON_AddStringToObject(message, "error", ew_message());
    view_bytes *bytes = view_bytes_of_json(message);
    if (bytes) {
        on_reply(from->server, from->number, bytes);
    }
    view_bytes_release(bytes);
}

/* {"do": "ack"}: one more picture may come. */
static bool take_acknowledgement(client *from, const char *data, size_t size)
{
    cJSON *message = size < 256 ? view_parse_json(data, size) : NULL;
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(message, "do");
    const bool is_one = cJSON_IsString(name) && !strcmp(name->valuestring, "ack");
    if (is_one) {
        pthread_mutex_lock(&from->server->lock);
        from->n_sent -= from->n_sent > 0;
        pthread_cond_broadcast(&from->server->change);
        pthread_mutex_unlock(&from->server->lock);
    }
    cJSON_Delete(message);
    return is_one;
}

/* 1: goes on, 0: closes. */
static int on_data(struct mg_connection *connection, int bits, char *data, size_t size, void *user)
{
    view_server *server = user;
    client *from = mg_get_user_connection_data(connection);
    const int opcode = bits & 0xf;
    double id = -1;
    if (!from || opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE || size > VIEW_MAX_MESSAGE) {
        return 0;
    }
    if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) {
        return 1;
    }
    if (take_acknowledgement(from, data, size)) {
        return 1;
    }
    if (view_session_post(server->session, from->number, data, size, &id)) {
        refuse(from, id);
        from->n_refused += id < 0;
    }
    return from->n_refused <= VIEW_MAX_REFUSED;
}

static void on_close(const struct mg_connection *connection, void *user)
{
    view_server *server = user;
    client *own = mg_get_user_connection_data(connection);
    if (!own) {
        return;
    }
    pthread_mutex_lock(&server->lock);
    own->is_closing = true;
    pthread_cond_broadcast(&server->change);
    pthread_mutex_unlock(&server->lock);
    pthread_join(own->sender, NULL);
    pthread_mutex_lock(&server->lock);
    for (int32_t i = 0; i < own->n_text; i++) {
        view_bytes_release(own->text[i]);
    }
    view_bytes_release(own->state);
    *own = (client){0};
    server->n_client--;
    server->left = ew_seconds();
    pthread_mutex_unlock(&server->lock);
}

/* ---- the page
 * ------------------------------------------------------------------------------------------ */

static int on_request(struct mg_connection *connection, void *user)
{
    (void)user;
    const struct mg_request_info *info = mg_get_request_info(connection);
    const view_page_file *file = NULL;
    for (int i = 0; i < view_n_page_file && !file; i++) {
        file = strcmp(info->local_uri, view_page_files[i].path) ? NULL : &view_page_files[i];
    }
    if (!file || strcmp(info->request_method, "GET")) {
        return send_refusal(connection, 404, "Not Found", "There is no such file.");
    }
    mg_printf(connection,
              "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
              "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
              "Referrer-Policy: no-referrer\r\n"
              "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; "
              "connect-src 'self'; img-src 'self' data:\r\nConnection: close\r\n\r\n",
              file->type, file->size);
    mg_write(connection, file->data, file->size);
    return 200;
}

/* ---- public
 * ---------------------------------------------------------------------------------------------- */

static ew_status make_token(char token[TOKEN + 1])
{
    unsigned char random[TOKEN / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random) {
        return ew_fail(EW_IO, "view: the system gives no random numbers for the token");
    }
    for (size_t i = 0; i < sizeof random; i++) {
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    }
    return EW_OK;
}

static ew_status listen_at(view_server *server, const view_server_def *def)
{
    char ports[96];
    const struct mg_callbacks callbacks = {.begin_request = on_begin};
    struct mg_server_port port = {0};
    const bool is_six = strchr(def->listen, ':') && def->listen[0] != '[';
    snprintf(server->listen, sizeof server->listen, is_six ? "[%s]" : "%s", def->listen);
    snprintf(ports, sizeof ports, "%s:%d", server->listen, (int)def->port);
    const char *options[] = {"listening_ports",
                             ports,
                             "num_threads",
                             "24",
                             "request_timeout_ms",
                             "10000",
                             "websocket_timeout_ms",
                             "20000",
                             "tcp_nodelay",
                             "1",
                             "enable_websocket_ping_pong",
                             "yes",
                             "enable_directory_listing",
                             "no",
                             NULL};
    server->context = mg_start(&callbacks, server, options);
    if (!server->context || mg_get_server_ports(server->context, 1, &port) < 1) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "view: cannot listen at %s; the port is in use or the address is not this "
                       "machine's: choose another by --port or --listen",
                       ports);
    }
    mg_set_request_handler(server->context, "/", on_request, server);
    mg_set_websocket_handler(server->context, socket_path, NULL, on_ready, on_data, on_close,
                             server);
    snprintf(server->address, sizeof server->address, "http://%s:%d/?token=%s", server->listen,
             port.port, server->token);
    return EW_OK;
}

ew_status view_server_create(view_server **server, const view_server_def *def)
{
    view_server *made = NULL;
    EW_TRY(ew_new_zero(&made, 1, sizeof *made));
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->change, NULL);
    const view_session_def session = {.subject = def->subject,
                                      .user = made,
                                      .on_picture = on_picture,
                                      .on_state = on_state,
                                      .on_reply = on_reply,
                                      .on_end = on_end};
    ew_status status = make_token(made->token);
    status = status ? status : view_session_create(&made->session, &session);
    status = status ? status : listen_at(made, def);
    if (status) {
        view_server_free(made);
        return status;
    }
    *server = made;
    return EW_OK;
}

const char *view_server_address(const view_server *server)
{
    return server->address;
}

bool view_server_has_ended(view_server *server, double grace)
{
    pthread_mutex_lock(&server->lock);
    const bool is_alone = server->had_client && !server->n_client;
    const bool ended = server->has_quit || (is_alone && ew_seconds() - server->left > grace);
    pthread_mutex_unlock(&server->lock);
    return ended;
}

void view_server_free(view_server *server)
{
    if (!server) {
        return;
    }
    if (server->context) {
        mg_stop(server->context);
    }
    view_session_free(server->session);
    view_bytes_release(server->whole);
    view_bytes_release(server->part);
    pthread_cond_destroy(&server->change);
    pthread_mutex_destroy(&server->lock);
    ew_release(server);
}
