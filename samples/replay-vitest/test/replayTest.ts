import { fileURLToPath } from 'node:url';
import { replayFixtures } from 'rxscribe/vitest';
import { test } from 'vitest';

/** `test` of Vitest, with services that play recordings. */
export const replayTest = test.extend(replayFixtures);

/** A recorded session: the requests to a service, and its answers. */
export const RECORDING = fileURLToPath(
  new URL('../recordings/not-ill-disposed.cassette.jsonl', import.meta.url),
);

/** The text that is spoken in it. */
export const SAID = 'He was not an ill-disposed young man.';
