import { describe, expect, it } from 'vitest';
import { plainSentence } from '../../../src/engines/text/plainSentences.ts';
import { createPunctuator } from '../../../src/engines/text/punctuator.ts';
import { scoreMarks, writtenBy } from '../../helpers/markScores.ts';
import { heldOutText, SPEAKERS, spokenWords } from '../../helpers/pausedText.ts';
import { punctuatorContract } from '../punctuatorContract.ts';

punctuatorContract('the embedded engine', { create: createPunctuator });

/** As it is written when a second passes at each `_`. */
async function write(said: string, goesOn = false): Promise<string> {
  let now = 0;
  const words = said.split(' ').map(word => {
    const ts = now;
    now += word.endsWith('_') ? 1.3 : 0.3;
    return { value: word.replace('_', ''), ts, endTs: ts + 0.3 };
  });
  await using punctuator = createPunctuator();
  const written = await punctuator.punctuate({ words, goesOn, ...(!goesOn && { after: [] }) });
  return written.map(({ value, mark }) => value + mark).join(' ');
}

describe('marks and capitals by pauses and words', () => {
  it.each([
    ['the united states of america', 'The United States of America.'],
    ['we met on tuesday_ it was raining', 'We met on Tuesday. It was raining.'],
    ['what did he say', 'What did he say?'],
    ['are you sure_ i am not', 'Are you sure? I am not.'],
  ])('writes "%s" as "%s"', async (said, text) => {
    expect(await write(said)).toBe(text);
  });

  it('ignores a pause in the middle of a phrase', async () => {
    expect(await write('we went to the_ house of my father')).toBe('We went to the house of my father.');
  });

  it('ignores times without any pause', async () => {
    const words = 'he was tired he went to bed'.split(' ').map(value => ({ value }));
    const timed = words.map((word, index) => ({ ...word, ts: index, endTs: index + 1 }));
    await using punctuator = createPunctuator();
    expect(await punctuator.punctuate({ words: timed })).toEqual(await punctuator.punctuate({ words }));
  });

  it('treats the end of an utterance as a pause when times show none', async () => {
    const [first, after] = ['he went to bed', 'the next day he left'].map(text =>
      text.split(' ').map(value => ({ value })),
    );
    await using punctuator = createPunctuator();
    const [ended, goingOn] = await Promise.all(
      [false, true].map(goesOn => punctuator.punctuate({ words: first!, after, goesOn })),
    );
    expect([ended!.at(-1)!.mark, goingOn!.at(-1)!.mark]).toEqual(['.', '']);
  });

  it('considers the written words of a sentence', async () => {
    await using punctuator = createPunctuator();
    const [you] = await punctuator.punctuate({
      words: [{ value: 'you' }],
      before: ['how', 'are'],
      after: [],
    });
    expect(you).toEqual({ value: 'you', mark: '?' });
  });
});

describe('text outside the training data', { timeout: 120_000 }, () => {
  it.each([
    ['speech', true, { end: 0.55, comma: 0.3, capitals: 0.97 }],
    ['speech', false, { end: 0.64, comma: 0.36, capitals: 0.97 }],
    ['novel', true, { end: 0.45, comma: 0.42, capitals: 0.95 }],
    ['novel', false, { end: 0.54, comma: 0.48, capitals: 0.95 }],
  ] as const)('is written far better than by pauses alone: %s, live: %s', async (name, isLive, floor) => {
    const text = heldOutText()[name];
    const words = spokenWords(text, SPEAKERS.usual);
    await using punctuator = createPunctuator();
    const scores = scoreMarks(text, await writtenBy(punctuator.punctuate, words, { isLive }));
    const byPauses = scoreMarks(text, await writtenBy(async said => plainSentence(said), words, { isLive }));
    expect(scores.end.f1).toBeGreaterThan(Math.max(floor.end, byPauses.end.f1 + 0.1));
    expect(scores.comma.f1).toBeGreaterThan(floor.comma);
    expect(scores.capitals).toBeGreaterThan(Math.max(floor.capitals, byPauses.capitals + 0.01));
  });
});
