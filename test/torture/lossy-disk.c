/*
 * A disk that loses what was not synced when the power fails, as LazyFS does.
 *
 *   lossy-disk STATE MOUNT [-f] [-o allow_other,default_permissions]
 *
 * Everything happens in STATE/live. STATE/durable is what survives. The power fails when this process gets SIGKILL (or any
 * other signal that ends it); when it starts again, STATE/live is thrown away and made anew from STATE/durable.
 *
 * The model:
 * - What is written to a file, its length, owner and mode become durable by fsync or fdatasync of that file, or by each
 *   write where it was opened with O_SYNC or O_DSYNC. Nothing else does: no time passes after which the disk writes by itself.
 * - A name (creation, rename, removal, hard link) becomes durable by fsync of its folder. A file's own fsync also makes its present
 *   name durable, as on ext4, XFS and btrfs, but does not take an older name away.
 * - A name that became durable without an fsync of its file belongs to an empty file.
 * - A folder's creation becomes durable with its parent's fsync, or with the fsync of a file in it. Its rename is durable at once.
 *
 * Its limits: what is not durable is lost as a whole, never by a random part, so it makes no torn pages. One thread serves
 * all. No symbolic links, no extended attributes; sockets never survive.
 */
#define FUSE_USE_VERSION 31
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <fuse.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHECK(call) do { if ((call) == -1) return -errno; } while (0)
#define MUST(call) do { if ((call) == -1) { perror(#call); exit(1); } } while (0)

/* What of a file that was opened is not durable yet, by the number of its inode in STATE/live. */
struct file {
  ino_t ino;
  char *path; /* its present name, if it has one */
  off_t kept; /* the shortest length since the last sync: nothing of the durable content behind it counts */
  struct range { off_t from, to; } *ranges;
  size_t count, room;
  struct file *next;
};

struct handle {
  int fd;
  bool syncs;
  struct file *file;
};

static char live[PATH_MAX], durable[PATH_MAX], store[PATH_MAX];
static struct file *files[4096];

typedef char Path[PATH_MAX + NAME_MAX + 2];

static const char *join(Path to, const char *folder, const char *path) {
  snprintf(to, sizeof(Path), "%s%s%s", folder, *path == '/' ? "" : "/", path);
  return to;
}

/* The durable content of an inode; its durable names are hard links to it. */
static const char *content_of(Path to, ino_t ino) {
  snprintf(to, sizeof(Path), "%s/%lu", store, (unsigned long)ino);
  return to;
}

static struct file *file_of(int fd) {
  struct stat st;
  MUST(fstat(fd, &st));
  struct file **at = &files[st.st_ino % 4096];
  for (; *at; at = &(*at)->next)
    if ((*at)->ino == st.st_ino) return *at;
  *at = calloc(1, sizeof **at);
  (*at)->ino = st.st_ino;
  (*at)->kept = LLONG_MAX;
  return *at;
}

static void rename_file(struct file *file, const char *path) {
  char *old = file->path;
  file->path = path ? strdup(path) : NULL;
  free(old);
}

/* Of every opened file with this name, or below it. A new name of NULL: it is gone. */
static void rename_files(const char *from, const char *to) {
  size_t length = strlen(from);
  for (size_t slot = 0; slot < sizeof files / sizeof *files; slot++)
    for (struct file *file = files[slot]; file; file = file->next) {
      if (!file->path || strncmp(file->path, from, length) || (file->path[length] && file->path[length] != '/')) continue;
      Path path;
      if (to) snprintf(path, sizeof path, "%s%s", to, file->path + length);
      rename_file(file, to ? path : NULL);
    }
}

static void mark(struct file *file, off_t from, off_t to) {
  struct range *last = file->count ? &file->ranges[file->count - 1] : NULL;
  if (last && from <= last->to && to >= last->from) {
    if (from < last->from) last->from = from;
    if (to > last->to) last->to = to;
    return;
  }
  if (file->count == file->room) {
    file->room = file->room ? file->room * 2 : 8;
    file->ranges = realloc(file->ranges, file->room * sizeof *file->ranges);
  }
  file->ranges[file->count++] = (struct range){from, to};
}

static void mark_cut(struct file *file, off_t length) {
  if (length < file->kept) file->kept = length;
}

static void copy(int from, int to, off_t at, off_t end) {
  static char block[1 << 20];
  while (at < end) {
    ssize_t got = pread(from, block, end - at < (off_t)sizeof block ? end - at : (off_t)sizeof block, at);
    MUST(got);
    if (got == 0) return;
    MUST(pwrite(to, block, got, at));
    at += got;
  }
}

static void make_durable(int fd, struct file *file) {
  Path path;
  struct stat st, old;
  int to = open(content_of(path, file->ino), O_RDWR | O_CREAT, 0600);
  MUST(to);
  MUST(fstat(fd, &st));
  MUST(fstat(to, &old));
  if (file->kept < old.st_size) MUST(ftruncate(to, file->kept));
  for (size_t index = 0; index < file->count; index++) copy(fd, to, file->ranges[index].from, file->ranges[index].to);
  MUST(ftruncate(to, st.st_size));
  MUST(fchown(to, st.st_uid, st.st_gid));
  MUST(fchmod(to, st.st_mode & 07777));
  close(to);
  file->count = 0;
  file->kept = LLONG_MAX;
}

static void make_folder_durable(const char *path) {
  Path from, to;
  struct stat st;
  if (lstat(join(from, live, path), &st) == -1) return;
  join(to, durable, path);
  if (mkdir(to, 0700) == -1 && errno == ENOENT) {
    Path parent;
    snprintf(parent, sizeof parent, "%s", path);
    *strrchr(parent, '/') = 0;
    make_folder_durable(*parent ? parent : "/");
    MUST(mkdir(to, 0700));
  }
  MUST(chown(to, st.st_uid, st.st_gid));
  MUST(chmod(to, st.st_mode & 07777));
}

static void make_name_durable(const char *path, const struct stat *file) {
  Path from, to, parent;
  struct stat st, content;
  join(to, durable, path);
  if (stat(content_of(from, file->st_ino), &content) == -1) {
    int made = open(from, O_CREAT | O_EXCL | O_WRONLY, 0600);
    MUST(made);
    MUST(fchown(made, file->st_uid, file->st_gid));
    MUST(fchmod(made, file->st_mode & 07777));
    MUST(fstat(made, &content));
    close(made);
  }
  if (lstat(to, &st) == 0) {
    if (st.st_ino == content.st_ino) return;
    MUST(remove(to));
  }
  snprintf(parent, sizeof parent, "%s", path);
  *strrchr(parent, '/') = 0;
  make_folder_durable(*parent ? parent : "/");
  MUST(link(from, to));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st, (void)type, (void)ftw;
  return remove(path);
}

static void remove_all(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

static void make_entries_durable(const char *path) {
  Path folder, one, other;
  make_folder_durable(path);
  DIR *opened = opendir(join(folder, durable, path));
  for (struct dirent *entry; opened && (entry = readdir(opened));) {
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    join(other, path, entry->d_name);
    if (lstat(join(one, live, other), &st) == -1) remove_all(join(one, durable, other));
  }
  if (opened) closedir(opened);
  opened = opendir(join(folder, live, path));
  for (struct dirent *entry; opened && (entry = readdir(opened));) {
    struct stat st;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    join(other, path, entry->d_name);
    if (lstat(join(one, live, other), &st) == -1) continue;
    if (S_ISDIR(st.st_mode)) make_folder_durable(other);
    if (!S_ISREG(st.st_mode)) continue;
    make_name_durable(other, &st);
  }
  if (opened) closedir(opened);
}

static struct handle *handle_of(struct fuse_file_info *fi) { return (struct handle *)(uintptr_t)fi->fh; }

static int open_file(const char *path, struct fuse_file_info *fi, int extra, mode_t mode) {
  Path real;
  /* To copy what was written it must be read, and where it is appended is in each write. */
  int flags = (fi->flags & ~(O_ACCMODE | O_APPEND | O_SYNC | O_DSYNC | O_DIRECT)) | O_RDWR;
  int fd = open(join(real, live, path), flags | extra, mode);
  CHECK(fd);
  struct handle *handle = malloc(sizeof *handle);
  *handle = (struct handle){fd, (fi->flags & (O_SYNC | O_DSYNC)) != 0, file_of(fd)};
  rename_file(handle->file, path);
  if (fi->flags & O_TRUNC) {
    handle->file->count = 0;
    mark_cut(handle->file, 0);
  }
  fi->fh = (uintptr_t)handle;
  return 0;
}

static int own(const char *real) {
  struct fuse_context *context = fuse_get_context();
  return lchown(real, context->uid, context->gid);
}

static int op_open(const char *path, struct fuse_file_info *fi) { return open_file(path, fi, 0, 0); }

static int op_create(const char *path, mode_t mode, struct fuse_file_info *fi) {
  Path real;
  int failure = open_file(path, fi, O_CREAT, mode);
  if (failure) return failure;
  struct file *file = handle_of(fi)->file;
  /* Another file may have had this number. */
  unlink(content_of(real, file->ino));
  file->count = 0;
  file->kept = LLONG_MAX;
  CHECK(own(join(real, live, path)));
  return 0;
}

static int op_release(const char *path, struct fuse_file_info *fi) {
  (void)path;
  close(handle_of(fi)->fd);
  free(handle_of(fi));
  return 0;
}

static int op_read(const char *path, char *to, size_t size, off_t at, struct fuse_file_info *fi) {
  (void)path;
  ssize_t got = pread(handle_of(fi)->fd, to, size, at);
  CHECK(got);
  return (int)got;
}

static int op_fsync(const char *path, int data, struct fuse_file_info *fi) {
  (void)path, (void)data;
  struct handle *handle = handle_of(fi);
  struct stat st;
  make_durable(handle->fd, handle->file);
  CHECK(fstat(handle->fd, &st));
  if (handle->file->path) make_name_durable(handle->file->path, &st);
  return 0;
}

static int op_write(const char *path, const char *from, size_t size, off_t at, struct fuse_file_info *fi) {
  struct handle *handle = handle_of(fi);
  ssize_t put = pwrite(handle->fd, from, size, at);
  CHECK(put);
  mark(handle->file, at, at + put);
  if (handle->syncs) op_fsync(path, 1, fi);
  return (int)put;
}

static int op_truncate(const char *path, off_t length, struct fuse_file_info *fi) {
  Path real;
  int fd = fi ? handle_of(fi)->fd : open(join(real, live, path), O_RDWR);
  CHECK(fd);
  int result = ftruncate(fd, length) == -1 ? -errno : 0;
  if (!result) mark_cut(file_of(fd), length);
  if (!fi) close(fd);
  return result;
}

static int op_fallocate(const char *path, int mode, off_t at, off_t length, struct fuse_file_info *fi) {
  (void)path;
  if (mode) return -EOPNOTSUPP;
  return -posix_fallocate(handle_of(fi)->fd, at, length);
}

static int op_getattr(const char *path, struct stat *st, struct fuse_file_info *fi) {
  Path real;
  CHECK(fi ? fstat(handle_of(fi)->fd, st) : lstat(join(real, live, path), st));
  return 0;
}

static int op_mknod(const char *path, mode_t mode, dev_t device) {
  Path real;
  CHECK(mknod(join(real, live, path), mode, device));
  CHECK(own(real));
  return 0;
}

static int op_mkdir(const char *path, mode_t mode) {
  Path real;
  CHECK(mkdir(join(real, live, path), mode));
  CHECK(own(real));
  return 0;
}

static int op_unlink(const char *path) {
  Path real;
  CHECK(unlink(join(real, live, path)));
  rename_files(path, NULL);
  return 0;
}

static int op_rmdir(const char *path) {
  Path real;
  CHECK(rmdir(join(real, live, path)));
  return 0;
}

static int op_rename(const char *path, const char *target, unsigned flags) {
  Path from, to;
  struct stat st;
  if (flags & RENAME_EXCHANGE) return -EINVAL;
  CHECK(renameat2(AT_FDCWD, join(from, live, path), AT_FDCWD, join(to, live, target), flags));
  rename_files(target, NULL);
  rename_files(path, target);
  if (lstat(to, &st) == 0 && S_ISDIR(st.st_mode)) {
    remove_all(join(to, durable, target));
    if (rename(join(from, durable, path), to) == -1 && errno != ENOENT) return -errno;
  }
  return 0;
}

static int op_link(const char *path, const char *target) {
  Path from, to;
  CHECK(link(join(from, live, path), join(to, live, target)));
  return 0;
}

static int op_chmod(const char *path, mode_t mode, struct fuse_file_info *fi) {
  Path real;
  CHECK(fi ? fchmod(handle_of(fi)->fd, mode) : chmod(join(real, live, path), mode));
  return 0;
}

static int op_chown(const char *path, uid_t uid, gid_t gid, struct fuse_file_info *fi) {
  Path real;
  CHECK(fi ? fchown(handle_of(fi)->fd, uid, gid) : lchown(join(real, live, path), uid, gid));
  return 0;
}

static int op_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *fi) {
  Path real;
  CHECK(fi ? futimens(handle_of(fi)->fd, times) : utimensat(AT_FDCWD, join(real, live, path), times, AT_SYMLINK_NOFOLLOW));
  return 0;
}

/* Where a file may be open without a name, FUSE gives no path with what is done to something open: an open folder is its path. */
static int op_opendir(const char *path, struct fuse_file_info *fi) {
  fi->fh = (uintptr_t)strdup(path);
  return 0;
}

static int op_releasedir(const char *path, struct fuse_file_info *fi) {
  (void)path;
  free((char *)(uintptr_t)fi->fh);
  return 0;
}

static int op_readdir(const char *path, void *buffer, fuse_fill_dir_t fill, off_t at, struct fuse_file_info *fi,
                      enum fuse_readdir_flags flags) {
  (void)path, (void)at, (void)flags;
  Path real;
  DIR *opened = opendir(join(real, live, (char *)(uintptr_t)fi->fh));
  if (!opened) return -errno;
  for (struct dirent *entry; (entry = readdir(opened));) fill(buffer, entry->d_name, NULL, 0, 0);
  closedir(opened);
  return 0;
}

static int op_fsyncdir(const char *path, int data, struct fuse_file_info *fi) {
  (void)path, (void)data;
  make_entries_durable((char *)(uintptr_t)fi->fh);
  return 0;
}

static int op_statfs(const char *path, struct statvfs *st) {
  (void)path;
  CHECK(statvfs(live, st));
  return 0;
}

static void *op_init(struct fuse_conn_info *connection, struct fuse_config *config) {
  (void)connection;
  config->hard_remove = 1;
  config->nullpath_ok = 1;
  return NULL;
}

static const struct fuse_operations operations = {
    .init = op_init, .open = op_open, .create = op_create, .release = op_release, .read = op_read, .write = op_write,
    .fsync = op_fsync, .truncate = op_truncate, .fallocate = op_fallocate, .getattr = op_getattr, .mknod = op_mknod,
    .mkdir = op_mkdir, .unlink = op_unlink, .rmdir = op_rmdir, .rename = op_rename, .link = op_link, .chmod = op_chmod,
    .chown = op_chown, .utimens = op_utimens, .opendir = op_opendir,
    .releasedir = op_releasedir, .readdir = op_readdir, .fsyncdir = op_fsyncdir, .statfs = op_statfs,
};

/* Brings one durable folder or file back to life. */
static int restore(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)ftw;
  Path real, content;
  const char *name = path + strlen(durable);
  join(real, live, *name ? name : "/");
  if (type == FTW_D) {
    if (mkdir(real, 0700) == -1 && errno != EEXIST) return -1;
  } else {
    struct stat made;
    int from = open(path, O_RDONLY), to = open(real, O_WRONLY | O_CREAT | O_EXCL, 0600);
    MUST(from);
    MUST(to);
    copy(from, to, 0, st->st_size);
    MUST(ftruncate(to, st->st_size));
    MUST(fstat(to, &made));
    content_of(content, made.st_ino);
    if (st->st_nlink == 1) {
      MUST(link(path, content));
    } else {
      /* Two durable names of one file: from here on they are two files. */
      int own = open(content, O_WRONLY | O_CREAT | O_EXCL, 0600);
      MUST(own);
      copy(from, own, 0, st->st_size);
      MUST(fchown(own, st->st_uid, st->st_gid));
      MUST(fchmod(own, st->st_mode & 07777));
      close(own);
      MUST(unlink(path));
      MUST(link(content, path));
    }
    close(from);
    close(to);
  }
  MUST(chown(real, st->st_uid, st->st_gid));
  MUST(chmod(real, st->st_mode & 07777));
  return 0;
}

int main(int count, char **given) {
  if (count < 3 || !realpath(given[1], live)) {
    fprintf(stderr, "usage: lossy-disk STATE MOUNT [FUSE OPTIONS]\n");
    return 2;
  }
  umask(0);
  snprintf(durable, sizeof durable, "%.*s/durable", PATH_MAX - 16, live);
  snprintf(store, sizeof store, "%.*s/store", PATH_MAX - 16, live);
  strncat(live, "/live", sizeof live - strlen(live) - 1);
  remove_all(live);
  remove_all(store);
  MUST(mkdir(store, 0700));
  if (mkdir(durable, 0755) == -1 && errno != EEXIST) return 1;
  MUST(nftw(durable, restore, 16, FTW_PHYS));
  given[1] = given[0];
  return fuse_main(count - 1, given + 1, &operations, NULL);
}
