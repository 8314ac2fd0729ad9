import { fileURLToPath } from 'node:url';
import { replayFixtures } from 'rxscribe/vitest';
import { test } from 'vitest';

/** `test` of vitest, with services that answer from recordings. */
export const replayTest = test.extend(replayFixtures);

/** A session that was recorded once: what was said to the service, and what it answered. */
export const RECORDING = fileURLToPath(
  new URL('../recordings/not-ill-disposed.cassette.jsonl', import.meta.url),
);

/** What the speaker says in it. */
export const SAID = 'He was not an ill-disposed young man.';
