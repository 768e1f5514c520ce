/** Why the folder of cold storage cannot be written, and what that means, in one line for the operator. */
export class ColdStorageError extends Error {
  override name = 'ColdStorageError'
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EACCES: 'this account may not write there',
  // A file gets its name by a hard link, which some shares do not have.
  EPERM: 'this account may not write there, or the file system has no hard links',
  ENOTSUP: 'the file system has no hard links',
  EROFS: 'the disk is read-only',
  ENOENT: 'the folder is not there',
  ENOTDIR: 'it is not a folder',
}

/** The error with its reason, where the file system gave one, and what has not happened. */
export function explainFolder(error: unknown, folder: string, consequence: string): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException
  const reason = reasons[code]
  // The same codes come where the database cannot be reached.
  if (!reason || syscall === 'connect') return error
  return new ColdStorageError(`AUDIT_COLD_DIR (${folder}): ${reason}. ${consequence}`, { cause: error })
}
