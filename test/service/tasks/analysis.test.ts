import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import type { SentimentAnalyzer } from '../../../src/engines/sentimentAnalyzer.ts';
import { encodeTranscript } from '../../../src/protocol/transcriptJson.ts';
import type { Task } from '../../../src/service/jobs/task.ts';
import { alignmentTask } from '../../../src/service/tasks/alignment.ts';
import { languageIdTask } from '../../../src/service/tasks/languageId.ts';
import { vocabularyTask } from '../../../src/service/tasks/phrases.ts';
import { sentimentOf, sentimentTask } from '../../../src/service/tasks/sentiment.ts';
import { elementsOfText } from '../../../src/transcript/text/tokens.ts';
import { temporaryDirectory } from '../../helpers/dataDirectory.ts';
import { noFfmpeg, runFfmpeg } from '../../helpers/ffmpeg.ts';
import { httpServer } from '../../helpers/loopbackServer.ts';
import { createScriptedAligner } from '../../helpers/scriptedAligner.ts';
import { createScriptedLanguageIdentifier } from '../../helpers/scriptedLanguageIdentifier.ts';
import { createScriptedRecognizer, scriptedSpeech } from '../../helpers/scriptedRecognizer.ts';
import { createScriptedSentimentAnalyzer } from '../../helpers/scriptedSentimentAnalyzer.ts';
import { runTask, type TaskRunOptions, taskOptions } from '../../helpers/taskRun.ts';
import { wav } from '../../helpers/wavBytes.ts';

const SAMPLE = fileURLToPath(new URL('../../../samples/not-ill-disposed.wav', import.meta.url));

const speechFile = (levels: readonly number[]) => wav(new Uint8Array(scriptedSpeech(levels).buffer));

const MEDIA = speechFile([0, 4, 7, 0, 9]);

/** Returns a scripted analyser, and the size of each of its calls. */
function observedAnalyzer(sizeOf: (sentences: readonly string[]) => number) {
  const asked: number[] = [];
  const scripted = createScriptedSentimentAnalyzer();
  const sentimentAnalyzer: SentimentAnalyzer = {
    ...scripted,
    async analyze(sentences, options) {
      asked.push(sizeOf(sentences));
      return scripted.analyze(sentences, options);
    },
  };
  return { asked, sentimentAnalyzer };
}

const withIdentifier = () => taskOptions({ languageIdentifier: createScriptedLanguageIdentifier() });
const withAligner = () => taskOptions({ aligner: createScriptedAligner() });
const withAnalyzer = () => taskOptions({ sentimentAnalyzer: createScriptedSentimentAnalyzer() });

test.for<[string, Task, TaskRunOptions, string, string]>([
  [
    'language identification without its engine',
    languageIdTask(taskOptions()),
    { media: MEDIA },
    'internal_processing',
    'No language identification engine is installed.',
  ],
  [
    'alignment without its engine',
    alignmentTask(taskOptions()),
    { input: { text: 'yes' }, media: MEDIA },
    'internal_processing',
    'No alignment engine is installed.',
  ],
  [
    'sentiment analysis without its engine',
    sentimentTask(taskOptions()),
    { input: { text: 'yes' } },
    'internal_processing',
    'No sentiment analysis engine is installed.',
  ],
  [
    'language identification of silence',
    languageIdTask(withIdentifier()),
    { media: speechFile([0, 0, 0]) },
    'invalid_media',
    'The media has no speech in a known language.',
  ],
  [
    'alignment without words',
    alignmentTask(withAligner()),
    { input: { text: '... - !' }, media: MEDIA },
    'transcription',
    'The transcript has no words.',
  ],
  [
    'alignment of words that are not said',
    alignmentTask(withAligner()),
    { input: { text: 'quite another text' }, media: MEDIA },
    'transcription',
    'No word of the transcript was found in the media.',
  ],
  [
    'alignment in an unsupported language',
    alignmentTask(withAligner()),
    { job: { language: 'fr' }, input: { text: 'w4' }, media: MEDIA },
    'transcription',
    "The alignment engine does not support language 'fr' (supported: en).",
  ],
  [
    'sentiment analysis in an unsupported language',
    sentimentTask(withAnalyzer()),
    { job: { language: 'fr' }, input: { text: 'Tout est bon.' } },
    'transcription',
    "The sentiment analysis engine does not support language 'fr' (supported: en).",
  ],
  [
    'sentiment analysis of too many sentences',
    sentimentTask(withAnalyzer(), { maxSentences: 999 }),
    { input: { text: 'a\n'.repeat(1000) } },
    'transcription',
    'The text has more than 999 sentences.',
  ],
  [
    'a vocabulary without usable phrases',
    vocabularyTask(taskOptions()),
    { input: { phrases: ['66', '67'] } },
    'custom_vocabulary',
    'No phrase can be used: no pronunciation is known.',
  ],
])('%s fails', async ([, task, run, failure, message]) => {
  const { result } = await runTask(task, run);
  await expect(result).rejects.toMatchObject({ failure, message });
});

describe('language identification', () => {
  test('ranks languages, with confidences', async () => {
    const run = await runTask(languageIdTask(withIdentifier()), {
      media: speechFile([2, 12, 3, 1, 22, 5, 4, 5]),
    });
    const { results, durationSeconds } = await run.result;
    expect(durationSeconds).toBe(0.8);
    expect(JSON.parse(results.result!)).toEqual({
      top_language: 'de',
      language_confidences: [
        { language: 'de', confidence: 0.375 },
        { language: 'en', confidence: 0.125 },
        { language: 'fr', confidence: 0.125 },
      ],
    });
    expect(run.reserved).toEqual([0.8]);
  });

  test('gives confidences four decimals, whose sum is at most 1', async () => {
    const run = await runTask(languageIdTask(withIdentifier()), { media: speechFile([1, 1, 2]) });
    const { language_confidences: confidences } = JSON.parse((await run.result).results.result!);
    expect(confidences).toEqual([
      { language: 'en', confidence: 0.6666 },
      { language: 'de', confidence: 0.3333 },
    ]);
  });

  test('counts all of the media, though only its beginning is analysed', async () => {
    const media = speechFile([...new Array(30).fill(1), ...new Array(70).fill(2)]);
    const run = await runTask(languageIdTask(withIdentifier()), { media });
    const { results, durationSeconds } = await run.result;
    expect(JSON.parse(results.result!).language_confidences).toEqual([{ language: 'en', confidence: 1 }]);
    expect(durationSeconds).toBe(10);
  });

  test('measures media without a stated length', { tags: 'tools' }, async context => {
    if (noFfmpeg) context.skip(noFfmpeg);
    const media = join(await temporaryDirectory(), 'bare.aac');
    runFfmpeg('-stream_loop', '4', '-i', SAMPLE, media);
    const languageIdentifier = {
      ...createScriptedLanguageIdentifier(),
      identify: async () => [{ language: 'en', confidence: 0.5 }],
    };
    const run = await runTask(languageIdTask(taskOptions({ languageIdentifier })), { media });
    const { durationSeconds } = await run.result;
    expect(durationSeconds).toBeCloseTo(15, 0);
    expect(run.reserved.at(-1)).toBeCloseTo(durationSeconds!, 1);
  });
});

describe('alignment', () => {
  test('gives times to the words that were found', async () => {
    const run = await runTask(alignmentTask(withAligner()), {
      input: { text: ' W4, w7\n\n- "Nowhere" w9. ' },
      media: MEDIA,
    });
    expect(await run.transcript()).toEqual({
      monologues: [
        {
          speaker: 0,
          elements: [
            { type: 'text', value: 'W4', ts: 0.1, end_ts: 0.2, confidence: 0.2 },
            { type: 'text', value: 'w7', ts: 0.2, end_ts: 0.3, confidence: 0.13 },
            { type: 'text', value: 'Nowhere' },
            { type: 'text', value: 'w9', ts: 0.4, end_ts: 0.5, confidence: 0.1 },
          ],
        },
      ],
    });
    expect((await run.result).durationSeconds).toBe(0.5);
    expect(run.reserved).toEqual([0.5]);
  });

  test('downloads the words from an address', async () => {
    const asked: (string | undefined)[] = [];
    const { url } = await httpServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('w4 w9');
    });
    const run = await runTask(alignmentTask(withAligner()), {
      input: { textSource: { url: `${url}/words.txt`, authorization: 'Bearer x' } },
      media: MEDIA,
    });
    expect(await run.words()).toEqual(['w4', 'w9']);
    expect(asked).toEqual(['Bearer x']);
  });

  test('fails when the words cannot be downloaded', async () => {
    const { url } = await httpServer((_, response) => {
      response.statusCode = 410;
      response.end();
    });
    const { result } = await runTask(alignmentTask(withAligner()), {
      input: { textSource: { url } },
      media: MEDIA,
    });
    await expect(result).rejects.toMatchObject({
      failure: 'download_failure',
      message: 'The transcript could not be downloaded: the server answered with status 410.',
    });
  });
});

describe('sentiment', () => {
  test.for([
    [0.31, 'positive'],
    [0.3, 'neutral'],
    [0, 'neutral'],
    [-0.3, 'neutral'],
    [-0.31, 'negative'],
  ] as const)('of a score of %f is %s', ([score, word]) => {
    expect(sentimentOf(score)).toBe(word);
  });

  test('of a text has the position of each sentence', async () => {
    const text = ' A good day. It rained,\u00a0\u{1f600} though. Bad, bad Mr. Darcy!\n';
    const run = await runTask(sentimentTask(withAnalyzer()), { input: { text } });
    const { results, findings, durationSeconds } = await run.result;
    const { messages } = JSON.parse(results.result!);
    expect(messages).toEqual([
      { content: 'A good day.', score: 0.4, sentiment: 'positive', offset: 1, length: 11 },
      {
        content: 'It rained,\u00a0\u{1f600} though.',
        score: 0,
        sentiment: 'neutral',
        offset: 13,
        length: 21,
      },
      { content: 'Bad, bad Mr. Darcy!', score: -0.8, sentiment: 'negative', offset: 35, length: 19 },
    ]);
    for (const { content, offset, length } of messages) {
      expect(text.slice(offset, offset + length)).toBe(content);
    }
    expect(findings).toEqual({ wordCount: 10 });
    expect(durationSeconds).toBeUndefined();
    expect(run.reserved).toEqual([]);
  });

  test('of a transcript has the times of each sentence of one speaker', async () => {
    const UNTIMED = [{ type: 'punct', value: ' ' }, ...elementsOfText('Untimed')] as const;
    let ts = 0;
    const timed = (text: string) =>
      elementsOfText(text).map(element =>
        element.type === 'text' ? { ...element, ts: ts++, endTs: ts - 0.5 } : element,
      );
    const transcript = encodeTranscript({
      monologues: [
        { speaker: 0, elements: timed('A good day. It was') },
        { speaker: 1, elements: [...timed('bad <inaudible> day.'), ...UNTIMED] },
      ],
    });
    const run = await runTask(sentimentTask(withAnalyzer()), { input: { transcript } });
    const { results, findings } = await run.result;
    expect(JSON.parse(results.result!).messages).toEqual([
      { content: 'A good day.', score: 0.4, sentiment: 'positive', ts: 0, end_ts: 2.5 },
      { content: 'It was', score: 0, sentiment: 'neutral', ts: 3, end_ts: 4.5 },
      { content: 'bad [inaudible] day.', score: -0.4, sentiment: 'negative', ts: 5, end_ts: 6.5 },
      { content: 'Untimed', score: 0, sentiment: 'neutral' },
    ]);
    expect(findings).toEqual({ wordCount: 8 });
  });

  test('of many sentences is computed in batches, in order', async () => {
    const { asked, sentimentAnalyzer } = observedAnalyzer(sentences => sentences.length);
    const text = Array.from({ length: 1000 }, (_, index) => `Day ${index} was good.`).join(' ');
    const run = await runTask(sentimentTask(taskOptions({ sentimentAnalyzer })), { input: { text } });
    const { messages } = JSON.parse((await run.result).results.result!);
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(text.split(/(?<=\.) /));
    expect(asked).toEqual([256, 256, 256, 232]);
  });

  test('of a text without sentence ends is computed in batches', async () => {
    const { asked, sentimentAnalyzer } = observedAnalyzer(sentences => sentences.join('').length);
    const text = 'good and so on '.repeat(50_000);
    const run = await runTask(sentimentTask(taskOptions({ sentimentAnalyzer })), { input: { text } });
    const { messages } = JSON.parse((await run.result).results.result!);
    const contents = messages.map(({ content }: { content: string }) => content);
    expect(contents.join(' ')).toBe(text.trim());
    expect(Math.max(...asked)).toBeLessThan(100_000);
  });

  test('by a failing engine is a failure, reported to user and operator', async () => {
    const sentimentAnalyzer: SentimentAnalyzer = {
      ...createScriptedSentimentAnalyzer(),
      analyze: async () => {
        throw new RxscribeError('engine-failed', 'Cannot analyse: the model is damaged.');
      },
    };
    const options = taskOptions({ sentimentAnalyzer });
    const { result } = await runTask(sentimentTask(options), { input: { text: 'yes' } });
    await expect(result).rejects.toMatchObject({
      failure: 'internal_processing',
      message: 'The sentiment analysis engine failed.',
    });
    expect(options.faults).toMatchObject([{ code: 'engine-failed' }]);
  });
});

describe('a vocabulary', () => {
  test('keeps the usable phrases, and names the others', async () => {
    const run = await runTask(vocabularyTask(taskOptions()), {
      input: { phrases: ['Norland', 'route 66', 'ill disposed'] },
    });
    expect(await run.result).toEqual({
      results: { phrases: '["Norland","ill disposed"]' },
      findings: { unusablePhrases: [{ phrase: 'route 66', reason: 'no pronunciation is known' }] },
    });
  });

  test('fails for a recogniser without support', async () => {
    const scripted = createScriptedRecognizer();
    const capabilities = { ...scripted.capabilities, customVocabulary: false };
    const options = taskOptions({ recognizer: { ...scripted, capabilities } });
    const { result } = await runTask(vocabularyTask(options), { input: { phrases: ['Norland'] } });
    await expect(result).rejects.toMatchObject({ failure: 'custom_vocabulary' });
  });
});
