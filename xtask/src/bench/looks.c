// What a look at every tracked file costs at least: a C program that does nothing else, on two threads. It reads their
// names, one on a line, from standard input; with the word `folders` it lists the folders they lie in instead.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 200000

static char *names[MOST];
static int count, folders;

struct part {
    int from, to;
};

static void list(int folder) {
    DIR *open = fdopendir(folder);
    if (open == NULL) exit(1);
    while (readdir(open) != NULL) {
    }
    closedir(open);
}

static void *look(void *given) {
    struct part *part = given;
    char last[4096] = "/";
    int folder = -1;
    for (int at = part->from; at < part->to; at++) {
        char *slash = strrchr(names[at], '/');
        size_t length = slash ? (size_t)(slash - names[at]) : 0;
        if (length >= sizeof last) exit(1);
        if (strncmp(last, names[at], length) != 0 || last[length] != '\0') {
            memcpy(last, names[at], length);
            last[length] = '\0';
            if (folder >= 0 && !folders) close(folder);
            folder = open(length ? last : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (folder < 0) exit(1);
            if (folders) list(folder);
        }
        struct stat seen;
        if (!folders) fstatat(folder, slash ? slash + 1 : names[at], &seen, AT_SYMLINK_NOFOLLOW);
    }
    return NULL;
}

int main(int words, char **word) {
    folders = words > 1 && strcmp(word[1], "folders") == 0;
    char *line = NULL;
    size_t room = 0;
    while (count < MOST && getline(&line, &room, stdin) > 0) {
        line[strcspn(line, "\n")] = '\0';
        names[count++] = strdup(line);
    }
    struct part mine = {0, count / 2}, theirs = {count / 2, count};
    pthread_t other;
    if (pthread_create(&other, NULL, look, &theirs) != 0) return 1;
    look(&mine);
    return pthread_join(other, NULL);
}
