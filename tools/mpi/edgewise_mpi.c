/* edgewise-mpi: `edgewise run` by several processes (mpirun). Each has the whole body and runs the
 * same steps; they share the work of systems, and the first one writes. */
#define _GNU_SOURCE
#include "distributed/peers.h"
#include "study.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char help[] =
    "edgewise-mpi: a case solved by several processes together.\n"
    "\n"
    "usage: mpirun -n N edgewise-mpi run CASE.yaml [--group M] [options]\n"
    "\n"
    "The case, the options and the results are those of edgewise run, with the same bits for any\n"
    "number of processes. Each process has the whole body; rows of systems, their assembly,\n"
    "products and preconditioner are dealt. Modes each finds by itself; what else is not shared is\n"
    "refused: run it with edgewise.\n"
    "With --group M combinations of a sweep are dealt to groups of M processes; one table.\n"
    "Exit status: 0 done, 1 the computation failed, 2 bad usage or input.";

/* ---- what is not shared -------------------------------------------------------------- */

static ew_status refuse(const ew_case_step *step, const char *what)
{
    return ew_fail(EW_UNSUPPORTED,
                   "step '%.60s': %s is not shared by processes; run it with "
                   "edgewise",
                   step->name, what);
}

/* What of a step is not, or null. */
static const char *not_shared(const tool_study *study, const ew_case_step *step)
{
    const ew_preconditioner_kind asked = (ew_preconditioner_kind)study->options.preconditioner;
    const ew_pcg_def *of_motion = step->dynamic ? &step->dynamic->def.solver : NULL;
    const bool own = asked != EW_PRECONDITIONER_COUNT;
    const bool direct = own ? asked == EW_CHOLESKY
                            : (step->has_static && step->preconditioner == EW_CHOLESKY) ||
                                  (of_motion && of_motion->preconditioner == EW_CHOLESKY);
    const bool from_tets =
        study->options.operator_kind < 0
            ? (step->has_static || step->dynamic) && step->operator_kind == EW_MATRIX_FREE
            : study->options.operator_kind == EW_MATRIX_FREE;
    const ew_scheme_kind scheme = step->dynamic ? step->dynamic->def.scheme : EW_SCHEME_COUNT;
    const bool is_explicit = scheme == EW_EXPLICIT_EULER || scheme == EW_CENTRAL_DIFFERENCE;
    return step->response      ? "a response to vibration"
           : step->is_buckling ? "'buckling'"
           : is_explicit       ? "an explicit scheme"
           : direct            ? "'solver: cholesky'"
           : from_tets         ? "'operator: matrix-free'"
                               : NULL;
}

static ew_status check(const tool_study *study)
{
    const ew_case *input = &study->input;
    if (study->together->groups && !input->sweep) {
        return ew_fail(EW_BAD_ARGUMENT,
                       "%s: --group deals combinations of a sweep, and the case "
                       "has no sweep",
                       study->case_path);
    }
    if (study->options.n_job > 1) {
        return ew_fail(EW_UNSUPPORTED, "%s: --jobs is for one process; leave it out",
                       study->case_path);
    }
    if (study->options.device && strcmp(study->options.device, "host") != 0) {
        return ew_fail(EW_UNSUPPORTED,
                       "--device %s: processes compute on the host; run it with "
                       "edgewise",
                       study->options.device);
    }
    if (input->mixed) {
        return ew_fail(EW_UNSUPPORTED,
                       "%s: 'elements: mixed' is not shared by processes; run it "
                       "with edgewise",
                       study->case_path);
    }
    for (int32_t s = 0; s < input->n_step; s++) {
        const char *what = not_shared(study, &input->step[s]);
        EW_TRY(what ? refuse(&input->step[s], what) : EW_OK);
    }
    return EW_OK;
}

/* ---- processes, threads, placement ------------------------------------------------------ */

/* As many threads as this process has of its machine's processors, unless there are fewer. */
static ew_status choose_threads(int32_t *n_here)
{
    MPI_Comm here;
    int n;
    EW_TRY(ew_check_mpi(
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here)));
    EW_TRY(ew_check_mpi(MPI_Comm_size(here, &n)));
    EW_TRY(ew_check_mpi(MPI_Comm_free(&here)));
    const int share = (int)(sysconf(_SC_NPROCESSORS_ONLN) / n);
    if (ew_threads() > share) {
        ew_use_threads(share > 1 ? share : 1);
    }
    *n_here = n;
    return EW_OK;
}

/* "4 processes on 2 machines (node1: 2, node2: 2), 2 threads each". */
static ew_status tell_placement(const ew_mpi_peers *peers, int32_t n_here)
{
    enum { NAME = MPI_MAX_PROCESSOR_NAME };
    char own[NAME] = "", *all = NULL, last[NAME] = "";
    int length, n_machine = 0, n_own = 0;
    int32_t n = 0;
    EW_TRY(ew_check_mpi(MPI_Get_processor_name(own, &length)));
    const ew_team every = {peers->notes, peers->rank, peers->n};
    EW_TRY(ew_team_gather(&every, NAME, 1, own, &n, &all));
    for (int32_t p = 0; p < n; p++) {
        n_machine += strcmp(all + (size_t)NAME * (size_t)p, p ? last : "") != 0;
        snprintf(last, sizeof last, "%s", all + (size_t)NAME * (size_t)p);
        n_own += strcmp(last, own) == 0;
    }
    if (peers->rank == 0) {
        char groups[64] = "";
        if (peers->groups.n > 1) {
            snprintf(groups, sizeof groups, " in %d groups", (int)peers->groups.n);
        }
        printf("%d process%s%s on %d machine%s (%d on %s), up to %d thread%s each%s\n", (int)n,
               n > 1 ? "es" : "", groups, n_machine, n_machine > 1 ? "s" : "", n_own, own,
               (int)peers->as.n_thread, peers->as.n_thread > 1 ? "s" : "",
               n_here > sysconf(_SC_NPROCESSORS_ONLN) ? ", more processes than processors" : "");
    }
    ew_release(all);
    return EW_OK;
}

/* ---- the program ------------------------------------------------------------------------ */

/* Those that write nothing say nothing. The stream of errors as it was, or null. */
static FILE *be_silent(void)
{
    const int descriptor = dup(STDERR_FILENO);
    FILE *errors = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
        return errors; /* then what they say is seen */
    }
    return errors;
}

/* Another build of the same version may round otherwise, and then the bits differ. */
static ew_status compare_builds(ew_mpi_peers *peers)
{
    ew_text program = {0};
    char sum[32];
    EW_TRY(ew_file_read("/proc/self/exe", &program));
    snprintf(sum, sizeof sum, "%016llx",
             (unsigned long long)ew_hash(EW_HASH_START, program.data, program.size));
    ew_text_free(&program);
    return ew_mpi_peers_compare(&peers->as, "build of the program", sum);
}

static ew_status begin(ew_mpi_peers *peers, int32_t group_size)
{
    int32_t n_here = 1;
    EW_TRY(choose_threads(&n_here));
    EW_TRY(ew_mpi_peers_init(peers, MPI_COMM_WORLD, group_size, ew_threads()));
    EW_TRY(compare_builds(peers));
    return tell_placement(peers, n_here);
}

/* The largest numbers of a process. */
static void tell_traffic(const ew_mpi_peers *peers)
{
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    const double own[5] = {(double)peers->n_message, (double)peers->n_byte, (double)peers->n_join,
                           (double)used.ru_maxrss / 1024.0, seconds - peers->waited};
    double most[5] = {0.0};
    MPI_Reduce(own, most, 5, MPI_DOUBLE, MPI_MAX, 0, peers->notes);
    if (peers->rank == 0) {
        printf("a process: at most %.0f messages, %.0f bytes sent, %.0f sums, %.0f MB of memory, "
               "%.1f s of processor time without waits\n",
               most[0], most[1], most[2], most[3], most[4]);
    }
}

/* Has the failure of another process told by the first one, unless that has done so; by this one
 * where the first did not hear of it in time. errors: null in the first. */
static int end(ew_mpi_peers *peers, FILE *errors, bool is_verbose, int exit_status, ew_status own)
{
    bool met;
    const ew_status status = ew_mpi_peers_end(peers, own, &met);
    if (status && !exit_status && peers->rank == 0) {
        exit_status = tool_report_failure(status, NULL);
    } else if (own && !met && errors && peers->failed == peers->rank) {
        fprintf(errors, "edgewise-mpi: process %d: %s\n", (int)peers->rank, ew_message());
        fflush(errors);
    }
    fflush(stdout);
    if (status || exit_status) { /* messages may be on their way: no MPI_Finalize */
        _exit(exit_status ? exit_status : TOOL_FAILED);
    }
    if (is_verbose) {
        tell_traffic(peers);
    }
    ew_mpi_peers_free(peers);
    MPI_Finalize();
    return exit_status;
}

/* Takes "--group M" away. False after a message. */
static bool take_group(int *argc, char **argv, int32_t *group_size)
{
    *group_size = 0;
    for (int i = 1; i < *argc; i++) {
        if (!strcmp(argv[i], "--group")) {
            char *end = NULL;
            const long n = i + 1 < *argc ? strtol(argv[i + 1], &end, 10) : 0;
            if (n < 1 || n > 100000 || *end) {
                (void)tool_refuse(
                    "run: --group needs the number of processes of a group, 1 or more");
                return false;
            }
            *group_size = (int32_t)n;
            memmove(argv + i, argv + i + 2, (size_t)(*argc - i - 1) * sizeof *argv);
            *argc -= 2;
            return true;
        }
    }
    return true;
}

static int run(int argc, char **argv)
{
    ew_mpi_peers peers = {0};
    int level;
    int32_t group_size;
    if (!take_group(&argc, argv, &group_size)) {
        return TOOL_BAD_INPUT;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const ew_status begun = begin(&peers, group_size);
    if (begun) { /* of all of them alike */
        const int status = peers.rank ? TOOL_BAD_INPUT : tool_report_failure(begun, NULL);
        MPI_Finalize();
        return status;
    }
    FILE *errors = peers.rank ? be_silent() : NULL;
    const study_peers together = {&peers.as, group_size ? &peers.groups : NULL, check,
                                  ew_mpi_peers_compare};
    bool is_verbose = false;
    for (int i = 2; i < argc; i++) {
        is_verbose = is_verbose || !strcmp(argv[i], "--verbose");
    }
    const int status = study_command(argc - 1, argv + 1, &together);
    return end(&peers, errors, is_verbose, status, status ? ew_last_failure()->status : EW_OK);
}

int main(int argc, char **argv)
{
    tool_hold_first();
    tool_choose_environment(argv);
    tool_name_program("edgewise-mpi");
    tool_answer_interrupts();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc == 2 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))) {
        printf("edgewise-mpi %s\n", ew_version(NULL));
        return TOOL_DONE;
    }
    if (argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        puts(help);
        return TOOL_DONE;
    }
    if (argc < 2 || strcmp(argv[1], "run") != 0) {
        return tool_refuse(
            "the command is 'run'; edgewise-mpi --help tells more, and edgewise has all "
            "other commands");
    }
    return run(argc, argv);
}
