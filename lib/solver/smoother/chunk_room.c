/* Room for the data of chunks. In: what they need. Out: their arrays, laid out in a room that all
 * chunks of a set-up share, or in one of their own. */
#include "solver/smoother/smoother.h"

enum { LINE = 64 }; /* bytes of a line of the cache */

/* Room for an array at the next line from `at` on; room null: bytes are counted alone. */
static void *place_array(char *room, size_t *at, int32_t count, size_t size)
{
    void *array = room ? room + *at : NULL;
    *at += ((size_t)count * size + LINE - 1) / LINE * LINE;
    return array;
}

/* Returns the bytes. room: at a line, or null. */
static size_t lay_out(ew_chunk *chunk, const ew_chunk_need *need, char *room)
{
    const int32_t n_aggregate = need->n_aggregate + need->n_aggregate / 4 + 4;
    const int32_t n_row = need->n_row + need->n_row / 8 + 8;
    const int32_t n_block = need->n_block + need->n_block / 16 + 16;
    const size_t block = 9 * (need->single ? sizeof *chunk->block : sizeof *chunk->block_double);
    size_t at = 0;
    chunk->aggregate_capacity = n_aggregate;
    chunk->row_capacity = n_row;
    chunk->block_capacity = n_block;
    chunk->aggregate = place_array(room, &at, n_aggregate, sizeof *chunk->aggregate);
    chunk->first = place_array(room, &at, n_aggregate + 1, sizeof *chunk->first);
    chunk->row = place_array(room, &at, n_row + 1, sizeof *chunk->row);
    chunk->place = place_array(room, &at, n_row, 3 * sizeof *chunk->place);
    chunk->other = place_array(room, &at, n_block, sizeof *chunk->other);
    void *blocks =
        place_array(room, &at, n_block + 1, block); /* one more is wider than the padding */
    chunk->block = need->single ? blocks : NULL;
    chunk->block_double = need->single ? NULL : blocks;
    chunk->row_double =
        need->single ? NULL : place_array(room, &at, n_row, sizeof *chunk->row_double);
    chunk->normal = need->oblique ? place_array(room, &at, n_row, 6 * sizeof *chunk->normal) : NULL;
    return at;
}

size_t ew_chunk_room_bytes(const ew_chunk_need *need)
{
    ew_chunk none;
    return lay_out(&none, need, NULL) + LINE;
}

void ew_chunk_take_room(ew_chunk *chunk, const ew_chunk_need *need, void *room)
{
    char *const from = room;
    lay_out(chunk, need, from + (LINE - (uintptr_t)room % LINE) % LINE);
}

ew_status ew_chunk_reserve(ew_chunk *chunk, const ew_chunk_need *need)
{
    if (chunk->row && need->n_aggregate <= chunk->aggregate_capacity &&
        need->n_row <= chunk->row_capacity && need->n_block <= chunk->block_capacity &&
        need->single == (chunk->block != NULL) && (!need->oblique || chunk->normal)) {
        return EW_OK;
    }
    ew_chunk_free(chunk);
    EW_TRY(ew_new(&chunk->room, ew_chunk_room_bytes(need), 1));
    ew_chunk_take_room(chunk, need, chunk->room);
    return EW_OK;
}

void ew_chunk_free(ew_chunk *chunk)
{
    ew_release(chunk->room);
    *chunk = (ew_chunk){0};
}

size_t ew_chunk_bytes(const ew_chunk *chunk)
{
    const size_t block = 9 * (chunk->block ? sizeof(float) : sizeof(double)) + sizeof(int32_t);
    return (size_t)chunk->block_capacity * block +
           (size_t)chunk->row_capacity *
               (sizeof *chunk->row + (chunk->normal ? 9 : 3) * sizeof *chunk->place +
                (chunk->row_double ? sizeof *chunk->row_double : 0)) +
           (size_t)chunk->aggregate_capacity * 2 * sizeof(int32_t);
}
