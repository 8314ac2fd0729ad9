import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import '../../../src/vitest.ts';
import { transcriptOfText } from '../../../src/replay/vitest/matcherInput.ts';
import { emptyLiveTranscript } from '../../../src/transcript/merge/merge.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { scriptedRun } from './scriptedRun.ts';

const SAID = 'The family of Dashwood had long been settled in Sussex';
const HEARD = 'the family of ashwood had been settled down in sussex';

describe('words can be compared for', () => {
  test('a run of a real service', async () => {
    const run = await scriptedRun([4, 7, 0, 0, 0, 9]);
    // "w4" is two words by the English rules.
    expect(run).toMatchTranscript('w4 w7 w9');
    expect(run).not.toMatchTranscript('w4 w8 w9');
    expect(run).toMatchTranscript('w4 w8 w9', { maxWer: 0.17 });
    expect(run).toHaveWerBelow(0.17, 'w4 w8 w9');
    expect(run).not.toHaveWerBelow(0.16, 'w4 w8 w9');
    expect(run).toHaveCerBelow(0.2, 'w4 w8 w9');
    expect(run).not.toHaveCerBelow(0, 'w4 w7 w9');
  });

  test('texts, transcripts, merged states and references', () => {
    expect('the family').toMatchTranscript('The family.');
    expect(transcriptOfText('the family')).toMatchTranscript(transcriptOfText('The Family!'));
    expect(emptyLiveTranscript).toMatchTranscript('');
    expect('one two').toMatchTranscript({ kind: 'text', segments: [{ text: 'one' }, { text: 'two' }] });
    expect({ said: 'the family' }).not.toEqual({ said: expect.toMatchTranscript('a family') });
    expect({ said: 'the family' }).toEqual({ said: expect.toMatchTranscript('the family') });
  });

  test('a reference in a file', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'said.txt');
    await writeFile(path, 'w4 w7.\nw9\n');
    await expect('w4 w7 w9').toMatchTranscript({ path });
    await expect('w4 w7 w9').toHaveWerBelow(0.01, { path });
    await expect('w4 w7 w9').not.toHaveCerBelow(0, { path });
    await expect(expect('w4 w7').toMatchTranscript({ path })).rejects.toThrow(/2 deletions .* in 6 words/);
    const missing = join(directory, 'nothing.txt');
    await expect(expect('w4').toMatchTranscript({ path: missing })).rejects.toMatchObject({
      code: 'unreadable-input',
    });
  });

  test('by the requested rules', () => {
    expect('I am 21').toMatchTranscript("I'm twenty one");
    expect('I am 21').not.toMatchTranscript("I'm twenty one", { rules: 'plain-1' });
    expect('Straße').not.toMatchTranscript('Gasse', { language: 'de' });
    expect(() => expect('a').toMatchTranscript('a', { rules: 'none-7' })).toThrow(/none-7/);
  });
});

test.each([
  [
    'the counts, and where the words differ',
    () => expect(HEARD).toMatchTranscript(SAID),
    'expected the words to be those of the reference, but the word error rate is 0.3: 1 substitution, ' +
      '1 deletion and 1 insertion in 10 words by english-1\n\n' +
      'REF  family of DASHWOOD had LONG been settled *    in Sussex\n' +
      'HYP  family of ASHWOOD  had *    been settled DOWN in sussex',
  ],
  [
    'how many may differ',
    () => expect(HEARD).toMatchTranscript(SAID, { maxWer: 0.25 }),
    'to be those of the reference with a word error rate of at most 0.25, but the word error rate is 0.3',
  ],
  [
    'that they are the same',
    () => expect(SAID).not.toMatchTranscript(SAID),
    'expected the words not to be those of the reference, but the word error rate is 0: 0 substitutions',
  ],
  [
    'a limit of words',
    () => expect(HEARD).toHaveWerBelow(0.3, SAID),
    'expected the word error rate to be below 0.3, but it is 0.3: 1 substitution',
  ],
  [
    'that a limit is kept',
    () => expect(HEARD).not.toHaveWerBelow(0.31, SAID),
    'expected the word error rate not to be below 0.31, but it is 0.3',
  ],
  [
    'a limit of characters',
    () => expect('the cat').toHaveCerBelow(0.1, 'the hat'),
    /^expected the character error rate to be below 0\.1, but it is 0\.1429: 1 error in 7 characters by english-1/,
  ],
  [
    'what is no limit',
    () => expect(HEARD).toHaveCerBelow(Number.NaN, SAID),
    'The limit of toHaveCerBelow() must be a number, not NaN.',
  ],
  [
    'what has no words',
    () => expect({ text: SAID }).toMatchTranscript(SAID),
    'toMatchTranscript() requires a text, a transcript or a run, not an object with text.',
  ],
  [
    'what is no reference',
    // @ts-expect-error a number has no words
    () => expect(SAID).toHaveWerBelow(0.1, 12),
    'toHaveWerBelow() requires a reference (a text, a transcript, a reference or { path }), not a number.',
  ],
])('a message says %s', (_, assertion, message) => {
  expect(assertion).toThrow(message);
});
