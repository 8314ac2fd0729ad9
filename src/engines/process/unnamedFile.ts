import { openSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createId } from '../../base/ids.ts';

/** Opens a new file for reading and writing that is gone when it is closed, however the process ends. */
export function openUnnamedFile(): number {
  const path = join(tmpdir(), `rxscribe-${createId()}`);
  const descriptor = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return descriptor;
}
