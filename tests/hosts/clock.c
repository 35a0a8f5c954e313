/* Preloaded into the programs of a host: its clock differs from the machine's by CLOCK_OFFSET
 * seconds. The monotonic clock, by which programs measure how long they wait, stays as it is:
 * libfaketime 0.9.10 breaks time.sleep of Python even where it is told to leave that clock alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long offset;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void start(void)
{
    const char *given = getenv("CLOCK_OFFSET");
    offset = given ? atol(given) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += offset;
    return status;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec found;
    (void)zone;
    int status = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return status;
}

time_t time(time_t *now)
{
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now)
        *now = found.tv_sec;
    return found.tv_sec;
}
