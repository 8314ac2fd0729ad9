import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import type { MediaSource } from '../../client/jobs/mediaSource.ts';

/** True for an http or https address; other arguments name files, and `-` standard input. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/** Returns the media of an argument as the client takes it. */
export function mediaSource(argument: string, stdin: Readable): MediaSource {
  if (isAddress(argument)) return { url: argument };
  return argument === '-' ? { data: stdin, name: 'stdin' } : { path: argument };
}

/** Returns the name of media for messages: an address without its query, which may hold a secret. */
export function mediaName(argument: string): string {
  if (argument === '-') return 'standard input';
  return basename(isAddress(argument) ? (URL.parse(argument)?.pathname ?? '') : argument);
}
