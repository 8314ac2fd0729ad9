/** No room on the disk, of a quota, of what the process may write to one file, or of PostgreSQL (SQLSTATE 53100). */
const OUT_OF_ROOM = /^(ENOSPC|EDQUOT|EFBIG|53100)$/;

/** Returns whether a write failed for want of room: it can be tried again when somebody has made some. */
export function isOutOfRoom(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return OUT_OF_ROOM.test(code ?? '') || (cause instanceof Error && isOutOfRoom(cause));
}
