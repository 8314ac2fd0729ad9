import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { locatePocketSphinx } from '../../../src/engines/pocketsphinx/locate.ts';
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import type { Recognizer, RecognizerResult } from '../../../src/engines/recognizer.ts';
import { scoreWords } from '../../../src/replay/score/scoreWords.ts';
import { childrenWith, isGone } from '../../helpers/childProcesses.ts';
import { readSampleSpeech, readSampleText } from '../../helpers/sampleSpeech.ts';
import { hear, listen, repeated } from '../recognizerContract.ts';

const missing = await locatePocketSphinx().then(
  () => undefined,
  () => 'needs the recogniser: npm run setup',
);
const sentence = readSampleSpeech('not-ill-disposed');
/** The first two sentences, and the first alone. */
const reading = readSampleSpeech('sense-and-sensibility').subarray(0, 11.2 * 16_000);
const firstSentence = reading.subarray(0, 7.6 * 16_000);
const decoders = () => childrenWith('pocketsphinx/child');

function create(context: TestContext): Recognizer {
  if (missing) context.skip(missing);
  const recognizer = createPocketSphinxRecognizer({ maxSessions: 2, spareDecoders: 0 });
  onTestFinished(() => recognizer.close());
  return recognizer;
}

function textOf(results: readonly RecognizerResult[]): string {
  const finals = results.filter(result => result.type === 'final');
  return finals.flatMap(final => final.words.map(word => word.value)).join(' ');
}

const live = async (recognizer: Recognizer, phrases: readonly string[], speech = reading) =>
  textOf(await hear(recognizer, speech, { phrases }));
const whole = async (recognizer: Recognizer, phrases: readonly string[], speech = reading) =>
  textOf(await recognizer.recognize([speech], { phrases }));

/** Names that nobody says here, each with a word that no dictionary has. */
function foreignNames(count: number): string[] {
  const parts = ['vel', 'dro', 'kan', 'mip', 'sor', 'tul', 'bra', 'fen', 'gol', 'hax'];
  return Array.from({ length: count }, (_, index) => {
    const digits = String(index).padStart(4, '0');
    return `${[...digits].map(digit => parts[Number(digit)]).join('')} Industries`;
  });
}

describe('phrases on real speech', { timeout: 240_000 }, () => {
  const phrases = ['John Dashwood', 'prudently', 'Ill-Disposed', 'cold-hearted'];

  it.for([
    ['live', live],
    ['in a whole recording', whole],
  ] as const)('are heard where they were misheard, %s', async ([, recognize], context) => {
    const recognizer = create(context);
    const [without, withPhrases] = [await recognize(recognizer, []), await recognize(recognizer, phrases)];
    expect(without).not.toContain('ill disposed');
    expect(without).not.toContain('prudently');
    expect(withPhrases).toContain('ill disposed');
    expect(withPhrases).toContain('prudently');
    const said = readSampleText('sense-and-sensibility').slice(0, 30);
    const errors = (text: string) => scoreWords(said, text.split(' ')).wer;
    expect(errors(withPhrases)).toBeLessThan(errors(without));
  });

  it('may be words that no dictionary has', async context => {
    const recognizer = create(context);
    // Said like "prudently", which the recording has; no dictionary has them.
    expect(await live(recognizer, ['Proodently'], firstSentence)).toContain('proodently');
    expect(await whole(recognizer, ['Prudentlee'], firstSentence)).toContain('prudentlee');
  });

  it('are heard among thousands of others, which are not', async context => {
    const recognizer = create(context);
    const others = foreignNames(6000);
    expect(await recognizer.inspectPhrases(others)).toEqual([]);
    const text = await live(recognizer, [...phrases, ...others], firstSentence);
    expect(text).toContain('prudently');
    expect(text).not.toContain('industries');
    expect(await live(recognizer, [], firstSentence)).not.toContain('prudently');
  });
});

describe('reading phrases', { timeout: 120_000 }, () => {
  it('leaves our own thread free while pronunciations are learned', async context => {
    const recognizer = create(context);
    let done = false;
    const reading = recognizer.inspectPhrases(['Veldrokan']).then(faults => {
      done = true;
      return faults;
    });
    let turns = 0;
    for (; !done; turns++) await setImmediate();
    expect(await reading).toEqual([]);
    expect(turns).toBeGreaterThan(100);
  });

  it('ends with the engine, and with it what waits for it', async context => {
    const recognizer = create(context);
    const opening = recognizer.open({ phrases: ['Veldrokan'] });
    const inspecting = recognizer.inspectPhrases(['Veldrokan']);
    const refused = Promise.all([
      expect(opening).rejects.toMatchObject({ code: 'unavailable' }),
      expect(inspecting).rejects.toMatchObject({ code: 'unavailable' }),
    ]);
    await setImmediate();
    await recognizer.close();
    await refused;
    expect(decoders()).toEqual([]);
    await expect(recognizer.inspectPhrases(['Norland'])).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('says what is missing where nothing is installed', async () => {
    await using recognizer = createPocketSphinxRecognizer({ roots: [] });
    await expect(recognizer.inspectPhrases(['Norland'])).rejects.toMatchObject({ code: 'engine-missing' });
  });
});

describe("a decoder's process with phrases", { timeout: 120_000 }, () => {
  it('is gone when the session is closed in the middle of decoding', async context => {
    const recognizer = create(context);
    const session = await recognizer.open({ phrases: ['Norland', 'Veldrokan'] });
    const pids = decoders();
    void session.write(repeated(sentence, 10)).catch(() => {});
    await session.close();
    expect(pids).toHaveLength(1);
    expect(pids.every(isGone)).toBe(true);
  });

  it('takes only its own session with it when it dies', async context => {
    const recognizer = create(context);
    const doomed = await recognizer.open({ phrases: ['Norland'] });
    const { ended } = listen(doomed);
    const [pid] = decoders();
    process.kill(pid!, 'SIGKILL');
    await expect(ended).rejects.toMatchObject({ code: 'engine-failed' });
    const results = await hear(recognizer, sentence, { phrases: ['ill disposed'] });
    expect(textOf(results)).toContain('ill disposed');
  });

  it('that dies while it learns the phrases is told as the failure of opening', async context => {
    const recognizer = create(context);
    await recognizer.inspectPhrases(['Norland']);
    await recognizer.warm();
    const [pid] = decoders();
    process.kill(pid!, 'SIGSTOP');
    const opening = recognizer.open({ phrases: ['Norland'] });
    const failed = expect(opening).rejects.toMatchObject({ code: 'engine-failed' });
    await recognizer.inspectPhrases(['Norland']);
    process.kill(pid!, 'SIGKILL');
    await failed;
    await (await recognizer.open()).close();
  });
});
