/* base, private: functions that the compiler makes for several processors, chosen when the program
 * starts; the bits are the same, for contraction is off. What chooses runs before ThreadSanitizer
 * is ready and would crash in its code, so that such builds have the portable function alone. */
#ifndef EW_BASE_CLONES_H
#define EW_BASE_CLONES_H

#if defined(__SANITIZE_THREAD__)
#define EW_HAS_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EW_HAS_THREAD_SANITIZER 1
#endif
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(EW_PORTABLE) &&                           \
    !defined(EW_HAS_THREAD_SANITIZER)
#define EW_CLONES_AVX2   __attribute__((target_clones("avx2", "default")))
#define EW_CLONES_AVX512 __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EW_CLONES_AVX2
#define EW_CLONES_AVX512
#endif

#endif
