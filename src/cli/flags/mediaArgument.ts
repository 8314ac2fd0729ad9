import { accessSync, constants } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { addressName, isLiveAddress } from '../../audio/source/liveAddress.ts';
import { InvalidArgumentError, unreadable } from '../../base/errors.ts';
import { fileReason } from '../../base/text.ts';
import type { MediaSource } from '../../client/jobs/mediaSource.ts';

/** True for an http or https address; other arguments name files, and `-` standard input. */
export function isAddress(argument: string): boolean {
  return /^https?:\/\//i.test(argument);
}

/**
 * Returns the media of an argument as the client takes it.
 *
 * @throws InvalidArgumentError for an address of live audio, which has no end; RxscribeError `unreadable-input` for a file
 */
export function mediaSource(argument: string, stdin: Readable): MediaSource {
  if (isAddress(argument)) return { url: argument };
  if (isLiveAddress(argument)) {
    const remedy = 'Caption it with `rxscribe caption`, or record it with `rxscribe record`.';
    throw new InvalidArgumentError(`The address ${addressName(argument)} gives live audio. ${remedy}`);
  }
  if (argument === '-') return { data: stdin, name: 'stdin' };
  try {
    accessSync(argument, constants.R_OK);
  } catch (cause) {
    throw unreadable(`'${argument}'`, fileReason(cause), cause);
  }
  return { path: argument };
}

/** Returns the name of media for messages: an address without its query, which may hold a secret. */
export function mediaName(argument: string): string {
  if (argument === '-') return 'standard input';
  if (isLiveAddress(argument)) return addressName(argument).slice(1, -1);
  return basename(isAddress(argument) ? (URL.parse(argument)?.pathname ?? '') : argument);
}
