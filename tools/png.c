/* Pixels in, a PNG out: filtered rows, deflated with a fixed code. References: PNG specification
 * (ISO/IEC 15948), zlib format (RFC 1950), deflate (RFC 1951), the numbers of whose sections are
 * given below. */
#include "picture.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 32768, N_HASH = 1 << 15, MIN_MATCH = 3, MAX_MATCH = 258 };

typedef struct writer {
    ew_text *out;
    int32_t capacity;
    uint32_t bits;
    int n_bit;
    ew_status status;
} writer;

static void put_byte(writer *to, unsigned byte)
{
    if (!to->status) {
        to->status = ew_grow(&to->out->data, &to->capacity, (int64_t)to->out->size + 1, 1);
    }
    if (!to->status) {
        to->out->data[to->out->size++] = (char)byte;
    }
}

static void put_big(writer *to, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        put_byte(to, value >> shift & 255);
    }
}

/* ---- deflate (3.2.6: the fixed code) ---------------------------------------------- */

/* The lowest bit first. */
static void put_bits(writer *to, uint32_t value, int n)
{
    to->bits |= value << to->n_bit;
    to->n_bit += n;
    while (to->n_bit >= 8) {
        put_byte(to, to->bits & 255);
        to->bits >>= 8;
        to->n_bit -= 8;
    }
}

/* Codes go with the highest bit first. */
static void put_code(writer *to, uint32_t code, int n)
{
    uint32_t turned = 0;
    for (int i = 0; i < n; i++) {
        turned |= (code >> i & 1) << (n - 1 - i);
    }
    put_bits(to, turned, n);
}

static void put_symbol(writer *to, uint32_t symbol)
{
    if (symbol < 144) {
        put_code(to, 0x30 + symbol, 8);
    } else if (symbol < 256) {
        put_code(to, 0x190 + symbol - 144, 9);
    } else if (symbol < 280) {
        put_code(to, symbol - 256, 7);
    } else {
        put_code(to, 0xc0 + symbol - 280, 8);
    }
}

/* 3.2.5: lengths and distances double their range every four and every two codes. */
static void put_match(writer *to, int32_t length, int32_t distance)
{
    int32_t base = MIN_MATCH, code = 257, extra = 0;
    if (length == MAX_MATCH) {
        put_symbol(to, 285);
    } else {
        while (length >= base + (1 << extra)) {
            base += 1 << extra;
            code++;
            extra = code < 265 ? 0 : (code - 261) / 4;
        }
        put_symbol(to, (uint32_t)code);
        put_bits(to, (uint32_t)(length - base), extra);
    }
    base = 1;
    code = extra = 0;
    while (distance >= base + (1 << extra)) {
        base += 1 << extra;
        code++;
        extra = code < 4 ? 0 : code / 2 - 1;
    }
    put_code(to, (uint32_t)code, 5);
    put_bits(to, (uint32_t)(distance - base), extra);
}

static int32_t match_length(const unsigned char *a, const unsigned char *b, int32_t max)
{
    int32_t n = 0;
    while (n < max && a[n] == b[n]) {
        n++;
    }
    return n;
}

/* The last place with the same three bytes is all that is looked at. */
static void deflate_all(writer *to, const unsigned char *data, int32_t n, int32_t *last)
{
    put_bits(to, 3, 3); /* the only block, fixed code */
    for (int32_t i = 0; i < n;) {
        int32_t length = 0, at = -1;
        if (i + MIN_MATCH <= n) {
            const uint32_t key = data[i] | (uint32_t)data[i + 1] << 8 | (uint32_t)data[i + 2] << 16;
            int32_t *slot = &last[(key * UINT32_C(2654435761)) >> 17];
            at = *slot;
            *slot = i;
            if (at >= 0 && i - at <= WINDOW) {
                const int32_t max = n - i < MAX_MATCH ? n - i : MAX_MATCH;
                length = match_length(data + at, data + i, max);
            }
        }
        if (length >= MIN_MATCH) {
            put_match(to, length, i - at);
            i += length;
        } else {
            put_symbol(to, data[i++]);
        }
    }
    put_symbol(to, 256);
    put_bits(to, 0, 7); /* the rest of the last byte */
}

static uint32_t adler(const unsigned char *data, int32_t n)
{
    uint32_t a = 1, b = 0;
    for (int32_t i = 0; i < n; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

/* ---- PNG ---------------------------------------------------------------------------- */

static uint32_t crc(const char *data, size_t n)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        sum ^= (unsigned char)data[i];
        for (int k = 0; k < 8; k++) {
            sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
        }
    }
    return ~sum;
}

static size_t begin_chunk(writer *to, const char *name)
{
    put_big(to, 0);
    const size_t begin = to->out->size;
    for (int k = 0; k < 4; k++) {
        put_byte(to, (unsigned char)name[k]);
    }
    return begin;
}

static void end_chunk(writer *to, size_t begin)
{
    if (to->status) {
        return;
    }
    const size_t n = to->out->size - begin;
    for (int k = 0; k < 4; k++) {
        to->out->data[begin - 4 + (size_t)k] = (char)((n - 4) >> (24 - 8 * k) & 255);
    }
    put_big(to, crc(to->out->data + begin, n));
}

/* Each row after the differences from the row above ("up"): of flat colors zeros are left. */
static void filter(const unsigned char *rgb, int32_t width, int32_t height, unsigned char *out)
{
    const size_t row = 3 * (size_t)width;
    for (int32_t y = 0; y < height; y++) {
        const unsigned char *from = rgb + row * (size_t)y;
        *out++ = 2;
        for (size_t i = 0; i < row; i++) {
            *out++ = (unsigned char)(from[i] - (y ? from[i - row] : 0));
        }
    }
}

static void put_image(writer *to, const unsigned char *filtered, int32_t n, int32_t *last)
{
    const size_t begin = begin_chunk(to, "IDAT");
    put_byte(to, 0x78);
    put_byte(to, 0x01);
    deflate_all(to, filtered, n, last);
    put_big(to, adler(filtered, n));
    end_chunk(to, begin);
}

ew_status png_write(const unsigned char *rgb, int32_t width, int32_t height, ew_text *png)
{
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const int32_t n = (3 * width + 1) * height;
    unsigned char *filtered = NULL;
    int32_t *last = NULL;
    ew_text out = {0};
    writer to = {.out = &out};
    to.status = ew_new(&filtered, (size_t)n, 1);
    if (!to.status) {
        to.status = ew_new(&last, N_HASH, sizeof *last);
    }
    if (!to.status) {
        memset(last, -1, N_HASH * sizeof *last);
        filter(rgb, width, height, filtered);
        for (int k = 0; k < 8; k++) {
            put_byte(&to, magic[k]);
        }
        size_t begin = begin_chunk(&to, "IHDR");
        put_big(&to, (uint32_t)width);
        put_big(&to, (uint32_t)height);
        put_big(&to, 0x08020000); /* 8 bits, RGB, deflate, filters by row */
        put_byte(&to, 0);
        end_chunk(&to, begin);
        put_image(&to, filtered, n, last);
        begin = begin_chunk(&to, "IEND");
        end_chunk(&to, begin);
    }
    ew_release(filtered);
    ew_release(last);
    if (to.status) {
        ew_text_free(&out);
        return to.status;
    }
    *png = out;
    return EW_OK;
}
