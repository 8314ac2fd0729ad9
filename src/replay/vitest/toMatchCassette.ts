import { InvalidArgumentError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import type { Cassette } from '../cassette/cassette.ts';
import { cassetteDifferences } from '../cassette/cassetteDifferences.ts';
import { mismatchLines } from '../play/mismatchLines.ts';
import type { CassetteServer } from '../play/playServer.ts';
import { kindOf } from './heard.ts';
import { type Verdict, verdict } from './verdict.ts';

/**
 * Whether a service that plays a cassette was sent what was recorded, of which nothing is missing; or whether a recording
 * has the session of another cassette, whenever it was.
 */
export function toMatchCassette(received: unknown, cassette?: Cassette): Verdict {
  const differences = differencesOf(received, cassette);
  const { length } = differences;
  return verdict({
    pass: length === 0,
    subject: 'the session',
    claim: 'match the cassette',
    found: `there ${length === 1 ? 'is' : 'are'} ${counted(length, 'difference')}`,
    details: () => differences.join('\n'),
  });
}

function differencesOf(received: unknown, cassette: Cassette | undefined): readonly string[] {
  if (isServer(received)) return mismatchLines(received);
  if (isCassette(received) && isCassette(cassette)) return cassetteDifferences(cassette, received);
  throw new InvalidArgumentError(
    `toMatchCassette: wanted a service that plays a cassette, or two cassettes, found ${kindOf(received)}` +
      (isCassette(received) ? ` and ${kindOf(cassette)}` : ''),
  );
}

function isServer(value: unknown): value is Pick<CassetteServer, 'check'> {
  return typeof value === 'object' && value !== null && 'mismatches' in value && 'check' in value;
}

function isCassette(value: unknown): value is Cassette {
  return typeof value === 'object' && value !== null && 'header' in value && 'lines' in value;
}
