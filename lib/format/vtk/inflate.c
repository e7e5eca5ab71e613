/* Deflated data (RFC 1951) in the zlib format (RFC 1950). In: bytes. Out: as many bytes as are
 * asked for. Codes are decoded bit by bit over the counts of each length, as canonical Huffman
 * codes allow (RFC 1951, 3.2.2). */
#include "format/vtk/inflate.h"

#include <string.h>

enum { MAX_BITS = 15, MAX_LITERALS = 288, MAX_DISTANCES = 32 };

typedef struct stream {
    const unsigned char *at, *end;
    uint32_t bits;
    int n_bit;
    unsigned char *out;
    size_t n, size;
    bool failed; /* the data end, or are none */
} stream;

typedef struct code {
    uint16_t count[MAX_BITS + 1], symbol[MAX_LITERALS];
} code;

static uint32_t read_bits(stream *s, int n)
{
    while (s->n_bit < n) {
        if (s->at == s->end) {
            s->failed = true;
            return 0;
        }
        s->bits |= (uint32_t)*s->at++ << s->n_bit;
        s->n_bit += 8;
    }
    const uint32_t value = s->bits & ((1u << n) - 1u);
    s->bits >>= n;
    s->n_bit -= n;
    return value;
}

/* False where the lengths promise more codes than there are. */
static bool make_code(code *c, const uint8_t *length, int n)
{
    uint16_t place[MAX_BITS + 2] = {0};
    int left = 1;
    memset(c->count, 0, sizeof c->count);
    for (int i = 0; i < n; i++) {
        c->count[length[i]]++;
    }
    c->count[0] = 0;
    for (int k = 1; k <= MAX_BITS; k++) {
        left = 2 * left - c->count[k];
        if (left < 0) {
            return false;
        }
        place[k + 1] = (uint16_t)(place[k] + c->count[k]);
    }
    for (int i = 0; i < n; i++) {
        if (length[i]) {
            c->symbol[place[length[i]]++] = (uint16_t)i;
        }
    }
    return true;
}

static int decode(stream *s, const code *c)
{
    int value = 0, first = 0, index = 0;
    for (int k = 1; k <= MAX_BITS && !s->failed; k++) {
        value |= (int)read_bits(s, 1);
        const int count = c->count[k];
        if (value - count < first) {
            return c->symbol[index + (value - first)];
        }
        index += count;
        first = (first + count) << 1;
        value <<= 1;
    }
    s->failed = true;
    return 0;
}

static void write_byte(stream *s, unsigned char byte)
{
    if (s->n < s->size) {
        s->out[s->n++] = byte;
    } else {
        s->failed = true;
    }
}

static void copy_back(stream *s, int length_symbol, const code *distances)
{
    static const uint16_t base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                      2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const uint16_t far[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    if (length_symbol >= 29) {
        s->failed = true;
        return;
    }
    const size_t length = base[length_symbol] + read_bits(s, extra[length_symbol]);
    const int symbol = decode(s, distances);
    if (symbol >= 30) {
        s->failed = true;
        return;
    }
    const size_t distance = far[symbol] + read_bits(s, symbol < 4 ? 0 : symbol / 2 - 1);
    if (distance > s->n) {
        s->failed = true;
    }
    for (size_t i = 0; i < length && !s->failed; i++) {
        write_byte(s, s->out[s->n - distance]);
    }
}

static void read_codes(stream *s, const code *literals, const code *distances)
{
    while (!s->failed) {
        const int symbol = decode(s, literals);
        if (s->failed || symbol == 256) {
            return;
        }
        if (symbol < 256) {
            write_byte(s, (unsigned char)symbol);
        } else {
            copy_back(s, symbol - 257, distances);
        }
    }
}

static void read_stored(stream *s)
{
    s->bits = 0;
    s->n_bit = 0;
    if (s->end - s->at < 4) {
        s->failed = true;
        return;
    }
    const size_t n = s->at[0] | (size_t)s->at[1] << 8;
    s->at += 4;
    if ((size_t)(s->end - s->at) < n || s->size - s->n < n) {
        s->failed = true;
        return;
    }
    memcpy(s->out + s->n, s->at, n);
    s->at += n;
    s->n += n;
}

static void read_fixed(stream *s)
{
    uint8_t length[MAX_LITERALS];
    code literals, distances;
    for (int i = 0; i < MAX_LITERALS; i++) {
        length[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
    }
    make_code(&literals, length, MAX_LITERALS);
    memset(length, 5, 30);
    make_code(&distances, length, 30);
    read_codes(s, &literals, &distances);
}

/* Lengths of the codes of a block, themselves coded. */
static void read_lengths(stream *s, const code *lengths, uint8_t *length, int n)
{
    for (int i = 0; i < n && !s->failed;) {
        const int symbol = decode(s, lengths);
        if (symbol < 16) {
            length[i++] = (uint8_t)symbol;
            continue;
        }
        const uint8_t value = symbol == 16 && i ? length[i - 1] : 0;
        int times = symbol == 16   ? 3 + (int)read_bits(s, 2)
                    : symbol == 17 ? 3 + (int)read_bits(s, 3)
                                   : 11 + (int)read_bits(s, 7);
        s->failed = s->failed || (symbol == 16 && !i) || i + times > n;
        for (; times && !s->failed; times--) {
            length[i++] = value;
        }
    }
}

static void read_dynamic(stream *s)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t length[MAX_LITERALS + MAX_DISTANCES] = {0}, own[19] = {0};
    code lengths, literals, distances;
    const int n_literal = (int)read_bits(s, 5) + 257, n_distance = (int)read_bits(s, 5) + 1;
    const int n_own = (int)read_bits(s, 4) + 4;
    for (int i = 0; i < n_own; i++) {
        own[order[i]] = (uint8_t)read_bits(s, 3);
    }
    if (n_literal > 286 || s->failed || !make_code(&lengths, own, 19)) {
        s->failed = true;
        return;
    }
    read_lengths(s, &lengths, length, n_literal + n_distance);
    if (s->failed || !make_code(&literals, length, n_literal) ||
        !make_code(&distances, length + n_literal, n_distance)) {
        s->failed = true;
        return;
    }
    read_codes(s, &literals, &distances);
}

static uint32_t adler(const unsigned char *data, size_t n)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < n; i++) {
        a = (a + data[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

ew_status ew_inflate(const unsigned char *data, size_t n, unsigned char *out, size_t size)
{
    stream s = {.at = data + 2, .end = data + n, .out = out, .size = size};
    if (n < 6 || (data[0] & 15) != 8 || (data[0] * 256 + data[1]) % 31 || data[1] & 32) {
        return ew_fail(EW_BAD_INPUT, "the compressed data are not zlib's");
    }
    for (bool last = false; !last && !s.failed;) {
        last = read_bits(&s, 1);
        const uint32_t kind = read_bits(&s, 2);
        s.failed = s.failed || kind == 3;
        if (!s.failed && kind == 0) {
            read_stored(&s);
        } else if (!s.failed && kind == 1) {
            read_fixed(&s);
        } else if (!s.failed) {
            read_dynamic(&s);
        }
    }
    const unsigned char *sum = s.at;
    const bool whole = !s.failed && s.n == size && s.end - sum >= 4;
    const uint32_t given =
        whole ? (uint32_t)sum[0] << 24 | (uint32_t)sum[1] << 16 | (uint32_t)sum[2] << 8 | sum[3]
              : 0;
    return whole && given == adler(out, size)
               ? EW_OK
               : ew_fail(EW_BAD_INPUT, "the compressed data are damaged or cut off");
}
