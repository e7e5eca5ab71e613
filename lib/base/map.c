/* Hash tables from three ids to one. In: keys and values one by one. Out: the value of a key.
 * Entries lie in the order in which they came; a table of their places, at most half full, is
 * searched by linear probing. Emptying costs as much as the last use of the map, not as much as
 * its largest one. */
#include "base/parts/base.h"

#include <string.h>

enum { MIN_ROOM = 64 };

static int32_t first_place(const ew_map *map, int32_t a, int32_t b, int32_t c)
{
    uint64_t hash = (uint32_t)a * UINT64_C(0x9e3779b97f4a7c15);
    hash = (hash ^ hash >> 29 ^ (uint32_t)b) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 29 ^ (uint32_t)c) * UINT64_C(0x94d049bb133111eb);
    return (int32_t)(hash >> 33) & (map->room - 1);
}

/* The place of the key, or the free place where it would be. */
static int32_t *find_place(const ew_map *map, int32_t a, int32_t b, int32_t c)
{
    for (int32_t i = first_place(map, a, b, c);; i = (i + 1) & (map->room - 1)) {
        int32_t *place = map->place + i;
        const int32_t *entry = map->entry + 4 * ((size_t)*place - (*place > 0));
        if (*place == 0 || (entry[0] == a && entry[1] == b && entry[2] == c)) {
            return place;
        }
    }
}

static ew_status make_room(ew_map *map)
{
    int64_t room = map->room ? 2 * (int64_t)map->room : MIN_ROOM;
    if (map->room && map->n < map->room / 2) {
        return EW_OK;
    }
    EW_TRY(ew_grow(&map->place, &map->place_capacity, room, sizeof *map->place));
    map->room = (int32_t)room;
    memset(map->place, 0, (size_t)room * sizeof *map->place);
    for (int32_t i = 0; i < map->n; i++) {
        const int32_t *entry = map->entry + 4 * (size_t)i;
        *find_place(map, entry[0], entry[1], entry[2]) = i + 1;
    }
    return EW_OK;
}

ew_status ew_map_enter(ew_map *map, int32_t a, int32_t b, int32_t c, int32_t value, int32_t *old)
{
    EW_TRY(make_room(map));
    EW_TRY(ew_grow(&map->entry, &map->capacity, (int64_t)map->n + 1, 4 * sizeof *map->entry));
    int32_t *place = find_place(map, a, b, c);
    *old = *place ? map->entry[4 * ((size_t)*place - 1) + 3] : -1;
    if (!*place) {
        memcpy(map->entry + 4 * (size_t)map->n, (int32_t[4]){a, b, c, value}, 4 * sizeof value);
        *place = ++map->n;
    }
    return EW_OK;
}

int32_t ew_map_find(const ew_map *map, int32_t a, int32_t b, int32_t c)
{
    if (map->n == 0) {
        return -1;
    }
    int32_t place = *find_place(map, a, b, c);
    return place ? map->entry[4 * ((size_t)place - 1) + 3] : -1;
}

void ew_map_clear(ew_map *map)
{
    map->n = 0;
    map->room = map->room > MIN_ROOM ? MIN_ROOM : map->room;
    if (map->room) {
        memset(map->place, 0, (size_t)map->room * sizeof *map->place);
    }
}

void ew_map_free(ew_map *map)
{
    ew_release(map->entry);
    ew_release(map->place);
    *map = (ew_map){0};
}

uint64_t ew_hash(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(1099511628211);
    }
    return hash;
}
