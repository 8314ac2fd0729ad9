import { basename } from 'node:path';
import type { MediaSource } from '../../client/jobs/mediaSource.ts';

/** Whether an argument is an address; others name files, and `-` standard input. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/** The media that an argument names, as the client takes it. */
export function mediaSource(argument: string): MediaSource {
  if (isAddress(argument)) return { url: argument };
  return argument === '-' ? { data: process.stdin, name: 'stdin' } : { path: argument };
}

/** What media is called while it is worked on: of an address not the query, which may be a secret. */
export function mediaName(argument: string): string {
  if (argument === '-') return 'standard input';
  return basename(isAddress(argument) ? (URL.parse(argument)?.pathname ?? '') : argument);
}
