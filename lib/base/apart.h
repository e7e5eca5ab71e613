/* base, private: threads of a team on processors of their own, where the system would not see to
 * that. */
#ifndef EW_BASE_APART_H
#define EW_BASE_APART_H

/* Between both, on the thread that calls, the others of its teams of n threads stay where they are;
 * they nest, and the outermost decides. No effect in a team, where threads are more than
 * processors, and where the user has bound them. */
void ew_apart_begin(int n);
void ew_apart_end(void);
/* Now and then, by the first thread of a team: it leaves a processor that another is kept on. */
void ew_apart_check(void);

#endif
