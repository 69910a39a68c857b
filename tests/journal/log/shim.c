/* Says "struck" on stderr when it did: make the k-th call of one system call on a file of the journal fail, once. FAULT=name:k:errno|short */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int due(const char *name, int *code) {
    static int calls;
    const char *plan = getenv("FAULT");
    char wanted[32];
    int at;
    if (!plan || sscanf(plan, "%31[^:]:%d:%d", wanted, &at, code) != 3 || strcmp(wanted, name))
        return 0;
    if (++calls != at)
        return 0;
    dprintf(2, "struck\n");
    return 1;
}

static int ours(int fd) {
    char link[64], path[4096];
    const char *home = getenv("FAULT_HOME");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    return home && size > 0 && !strncmp(path, home, strlen(home));
}

#define REAL(name, type) __typeof__(type) *real = (__typeof__(type) *)dlsym(RTLD_NEXT, name)
#define FAIL(name) do { int code; if (due(name, &code)) { errno = code; return -1; } } while (0)

int open(const char *path, int flags, ...) {
    REAL("open", int(const char *, int, ...));
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    const char *home = getenv("FAULT_HOME");
    if (home && !strncmp(path, home, strlen(home))) FAIL("open");
    return real(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    REAL("open64", int(const char *, int, ...));
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    const char *home = getenv("FAULT_HOME");
    if (home && !strncmp(path, home, strlen(home))) FAIL("open");
    return real(path, flags, mode);
}

int flock(int fd, int how) {
    REAL("flock", int(int, int));
    FAIL("flock");
    return real(fd, how);
}

ssize_t write(int fd, const void *data, size_t size) {
    REAL("write", ssize_t(int, const void *, size_t));
    int code;
    if (ours(fd) && due("write", &code)) {
        if (code == 0) return real(fd, data, size / 2);
        errno = code;
        return -1;
    }
    return real(fd, data, size);
}

#define READ(name, offset)                                                        \
    ssize_t name(int fd, void *data, size_t size, offset at) {                    \
        REAL(#name, ssize_t(int, void *, size_t, offset));                    \
        if (ours(fd)) FAIL("pread");                                              \
        return real(fd, data, size, at);                                          \
    }
READ(pread, off_t)
READ(pread64, off64_t)

#define ON_FD(name, label)                                                        \
    int name(int fd) {                                                            \
        REAL(#name, int(int));                                                \
        if (ours(fd)) FAIL(label);                                                \
        return real(fd);                                                          \
    }
ON_FD(fdatasync, "fdatasync")
ON_FD(fsync, "fsync")

int ftruncate(int fd, off_t size) {
    REAL("ftruncate", int(int, off_t));
    FAIL("ftruncate");
    return real(fd, size);
}

int ftruncate64(int fd, off64_t size) {
    REAL("ftruncate64", int(int, off64_t));
    FAIL("ftruncate");
    return real(fd, size);
}

int rename(const char *from, const char *to) {
    REAL("rename", int(const char *, const char *));
    FAIL("rename");
    return real(from, to);
}

int unlink(const char *path) {
    REAL("unlink", int(const char *));
    FAIL("unlink");
    return real(path);
}
