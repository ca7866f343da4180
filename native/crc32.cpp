#include "crc32.h"

#include <immintrin.h>

#include <array>

// Folding as in Intel's paper "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction": a
// block of bits times x^D modulo the polynomial may stand D bits further on. What is left at the end goes
// through a table.
namespace torch4j {
namespace {

constexpr uint32_t kPolynomial = 0xEDB88320;  // reflected, without x^32

constexpr std::array<uint32_t, 256> makeTable() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < table.size(); i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) {
      value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
    }
    table[i] = value;
  }
  return table;
}
constexpr auto kTable = makeTable();

uint32_t byTable(uint32_t state, const uint8_t* data, size_t size) {
  for (size_t i = 0; i < size; i++) {
    state = (state >> 8) ^ kTable[(state ^ data[i]) & 0xff];
  }
  return state;
}

/// x^n modulo the polynomial, reflected; one bit to the left, since a product of reflected numbers comes out
/// so.
constexpr uint64_t power(int n) {
  uint32_t value = 0x80000000;  // x^0
  for (int i = 0; i < n; i++) {
    value = (value >> 1) ^ ((value & 1) != 0 ? kPolynomial : 0);
  }
  return uint64_t{value} << 1;
}
static_assert(power(512 + 32) == 0x154442bd4 && power(512 - 32) == 0x1c6e41596);  // k1 and k2 of the paper

#define TORCH4J_WIDE __attribute__((target("avx512f,vpclmulqdq,pclmul")))
#define TORCH4J_NARROW __attribute__((target("sse4.1,pclmul")))

constexpr size_t kWide = 4 * sizeof(__m512i);
constexpr size_t kNarrow = 4 * sizeof(__m128i);

TORCH4J_WIDE __m512i folded(__m512i value, __m512i by, __m512i next) {
  __m512i low = _mm512_clmulepi64_epi128(value, by, 0x00);
  __m512i high = _mm512_clmulepi64_epi128(value, by, 0x11);
  return _mm512_ternarylogic_epi64(low, high, next, 0x96);  // xor of the three
}

TORCH4J_WIDE __m512i lanes(uint64_t low, uint64_t high) {
  auto l = static_cast<long long>(low);
  auto h = static_cast<long long>(high);
  return _mm512_set_epi64(h, l, h, l, h, l, h, l);  // broadcast_i32x4 warns in the headers of GCC 12
}

/// All whole blocks of kWide bytes; at least one.
TORCH4J_WIDE uint32_t wide(uint32_t state, const uint8_t* data, size_t blocks) {
  const auto* from = reinterpret_cast<const __m512i*>(data);
  __m512i sums[4];
  for (int i = 0; i < 4; i++) {
    sums[i] = _mm512_loadu_si512(from + i);
  }
  sums[0] = _mm512_xor_si512(sums[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(state))));
  const __m512i by = lanes(power(8 * kWide + 32), power(8 * kWide - 32));
  for (size_t block = 1; block < blocks; block++) {
    from += 4;
    for (int i = 0; i < 4; i++) {
      sums[i] = folded(sums[i], by, _mm512_loadu_si512(from + i));
    }
  }
  const __m512i one = lanes(power(512 + 32), power(512 - 32));
  __m512i sum = folded(folded(folded(sums[0], one, sums[1]), one, sums[2]), one, sums[3]);
  alignas(64) uint8_t rest[sizeof(sum)];
  _mm512_store_si512(rest, sum);
  return byTable(0, rest, sizeof(rest));
}

TORCH4J_NARROW __m128i folded(__m128i value, __m128i by, __m128i next) {
  __m128i low = _mm_clmulepi64_si128(value, by, 0x00);
  __m128i high = _mm_clmulepi64_si128(value, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

/// All whole blocks of kNarrow bytes; at least one.
TORCH4J_NARROW uint32_t narrow(uint32_t state, const uint8_t* data, size_t blocks) {
  const auto* from = reinterpret_cast<const __m128i*>(data);
  __m128i sums[4];
  for (int i = 0; i < 4; i++) {
    sums[i] = _mm_loadu_si128(from + i);
  }
  sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128(static_cast<int>(state)));
  const __m128i by = _mm_set_epi64x(static_cast<long long>(power(8 * kNarrow - 32)),
                                    static_cast<long long>(power(8 * kNarrow + 32)));
  for (size_t block = 1; block < blocks; block++) {
    from += 4;
    for (int i = 0; i < 4; i++) {
      sums[i] = folded(sums[i], by, _mm_loadu_si128(from + i));
    }
  }
  return byTable(0, reinterpret_cast<const uint8_t*>(sums), sizeof(sums));
}

bool hasWide() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq");
  return has;
}

bool hasNarrow() {
  static const bool has = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return has;
}

}  // namespace

bool hasFastCrc32() { return hasNarrow(); }

uint32_t crc32(uint32_t crc, const void* data, size_t size) {
  uint32_t state = ~crc;
  const auto* bytes = static_cast<const uint8_t*>(data);
  size_t step = hasWide() ? kWide : kNarrow;
  if (hasNarrow() && size >= step) {
    size_t blocks = size / step;
    state = hasWide() ? wide(state, bytes, blocks) : narrow(state, bytes, blocks);
    bytes += blocks * step;
    size -= blocks * step;
  }
  return ~byTable(state, bytes, size);
}

}  // namespace torch4j
