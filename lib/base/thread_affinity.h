/* base, private: keeps the threads of a team on processors of their own, where the operating system
 * would let them share one. */
#ifndef EW_BASE_THREAD_AFFINITY_H
#define EW_BASE_THREAD_AFFINITY_H

/* Between begin and end, the other threads of the caller's teams of n threads stay on their
 * processors. Calls nest, and the outermost pair decides. There is no effect within a team, with
 * more threads than processors, or where the user has bound the threads (OMP_PROC_BIND). */
void ew_affinity_begin(int n);
void ew_affinity_end(void);
/* Called now and then by the first thread of a team: moves it off a processor that another thread
 * of the team is bound to. */
void ew_affinity_check(void);

#endif
