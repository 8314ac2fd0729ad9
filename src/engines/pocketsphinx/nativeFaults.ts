import { RxscribeError } from '../../base/errors.ts';
import type { Pointer } from './library.ts';

/** A pointer that is one: with NULL the next call would end the process. */
export function required(name: string, pointer: Pointer): bigint {
  if (pointer) return pointer;
  throw new RxscribeError('engine-failed', `open PocketSphinx decoder: ${name} gave nothing`);
}

/** Throws where a native call says that it failed. */
export function check(name: string, code: number): void {
  if (code < 0)
    throw new RxscribeError('engine-failed', `decode with PocketSphinx: ${name} failed (${code})`);
}
