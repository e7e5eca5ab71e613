/* base, private: how many threads of a team the processors serve. A team waits in every loop for
 * its slowest thread, so one thread that shares a processor with another program makes a loop take
 * longer than one thread alone would. */
#ifndef EW_BASE_THREAD_SHARE_H
#define EW_BASE_THREAD_SHARE_H

/* The history of one first thread; zeroed at the start. Times in seconds. */
typedef struct ew_thread_share {
    double seconds,
        processor;       /* at the last look: of the clock, and of a processor to this thread */
    double until, pause; /* with fewer threads until then; how long that was chosen to last */
    int n_fewer;         /* threads that the team does without */
    int n_poor;          /* looks in a row that found this thread without a processor */
    int is_trial;        /* one more thread since the last look */
} ew_thread_share;

/* Of n threads those that the processors serve, at least 1. seconds, processor: the time now, and
 * the time that the calling thread has had a processor. */
int ew_thread_share_of(ew_thread_share *share, int n, double seconds, double processor);
/* The same for the calling thread, by the system's clocks. */
int ew_threads_served(int n);

#endif
