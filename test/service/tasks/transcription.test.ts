import { describe, expect, test } from 'vitest';
import { interleave } from '../../../src/audio/format/channels.ts';
import { RxscribeError } from '../../../src/base/errors.ts';
import type { RecognizerSession } from '../../../src/engines/recognizer.ts';
import { decodeTranscript } from '../../../src/protocol/transcriptJson.ts';
import { VirtualClock } from '../../../src/replay/time/virtualClock.ts';
import { JobFailedError } from '../../../src/service/jobs/task.ts';
import { humanTask, transcriptionTask } from '../../../src/service/tasks/transcription.ts';
import { writePlainText } from '../../../src/transcript/formats/plainText.ts';
import { textOf } from '../../../src/transcript/model/model.ts';
import { advanceUntil } from '../../helpers/advanceUntil.ts';
import { createScriptedDiarizer } from '../../helpers/scriptedDiarizer.ts';
import {
  createScriptedRecognizer,
  type ScriptedRecognizer,
  scriptedSpeech,
} from '../../helpers/scriptedRecognizer.ts';
import { runTask, taskOptions } from '../../helpers/taskRun.ts';
import { wav } from '../../helpers/wavBytes.ts';

/** Three or more channels, each with speech of its own. */
function channelsFile(...channels: readonly (readonly number[])[]): Uint8Array {
  const planar = Float32Array.from(channels.flatMap(levels => [...scriptedSpeech(levels)]));
  const frames = Int16Array.from(interleave(planar, channels.length));
  return wav(new Uint8Array(frames.buffer), { channels: channels.length });
}

const speechFile = (levels: readonly number[]) => channelsFile(levels);

/** A recogniser that returns given words, one per 100 ms. */
function saying(words: readonly string[]): ScriptedRecognizer {
  const scripted = createScriptedRecognizer();
  return {
    ...scripted,
    async recognize(audio, options) {
      const finals = await scripted.recognize(audio, options);
      let next = 0;
      return finals.map(final => ({
        ...final,
        words: final.words.map(word => ({ ...word, value: words[next++] ?? word.value })),
      }));
    },
  };
}

/** Returns the text of a transcript, one line per turn. */
async function textOfRun(input: unknown, media: Uint8Array, options = taskOptions()): Promise<string> {
  const run = await runTask(transcriptionTask(options), { input, media });
  return writePlainText(decodeTranscript(await run.transcript()));
}

describe('a transcription', () => {
  test('has inaudible speech in the order of its time', async () => {
    const scripted = createScriptedRecognizer();
    const recognizer: ScriptedRecognizer = {
      ...scripted,
      recognize: async (audio, options) => {
        const [first, last] = await scripted.recognize(audio, options);
        return [first!, { type: 'final', startFrame: 8000, endFrame: 40_000, words: [] }, last!];
      },
    };
    const media = speechFile([4, 7, 0, 0, 0, 9]);
    expect(await textOfRun({}, media, taskOptions({ recognizer }))).toBe(
      'Speaker 0    00:00:00    W4 w7. [inaudible] W9.\n',
    );
  });

  test('has words with times and confidences, sentences, and how long the media is', async () => {
    const run = await runTask(transcriptionTask(taskOptions()), { media: speechFile([4, 7, 0, 0, 0, 9]) });
    expect(await run.transcript()).toEqual({
      monologues: [
        {
          speaker: 0,
          elements: [
            { type: 'text', value: 'W4', ts: 0, end_ts: 0.1, confidence: expect.any(Number) },
            { type: 'punct', value: ' ' },
            { type: 'text', value: 'w7', ts: 0.1, end_ts: 0.2, confidence: expect.any(Number) },
            { type: 'punct', value: '.' },
            { type: 'punct', value: ' ' },
            { type: 'text', value: 'W9', ts: 0.5, end_ts: 0.6, confidence: expect.any(Number) },
            { type: 'punct', value: '.' },
          ],
        },
      ],
    });
    const { results: _, ...found } = await run.result;
    expect(found).toEqual({ durationSeconds: 0.6, language: 'en' });
  });

  test('of silence has no words', async () => {
    const run = await runTask(transcriptionTask(taskOptions()), { media: speechFile([0, 0, 0, 0]) });
    expect(await run.transcript()).toEqual({ monologues: [] });
  });

  test('continues a sentence that was cut, and ends it at the end of the media', async () => {
    const text = await textOfRun({}, speechFile(new Array(301).fill(3)));
    expect(text).toBe(`Speaker 0    00:00:00    W3${' w3'.repeat(300)}.\n`);
  });

  test('in an unsupported language fails before any download', async () => {
    const run = await runTask(transcriptionTask(taskOptions()), { job: { language: 'tlh' } });
    await expect(run.result).rejects.toMatchObject({
      failure: 'transcription',
      message: "The recogniser does not support language 'tlh' (supported: en).",
    });
  });

  test('by a failing recogniser is a failure, reported to user and operator', async () => {
    const options = taskOptions({ recognizer: createScriptedRecognizer({ failAfterSeconds: 0.2 }) });
    const { result } = await runTask(transcriptionTask(options), { media: speechFile([1, 2, 3]) });
    const error = await result.catch(error => error);
    expect(error).toBeInstanceOf(JobFailedError);
    expect(error).toMatchObject({ failure: 'transcription', message: 'The recogniser failed.' });
    expect(options.faults).toMatchObject([{ code: 'engine-failed' }]);
  });

  test('by a recogniser that is not installed is a failure that says so', async () => {
    const recognizer: ScriptedRecognizer = {
      ...createScriptedRecognizer(),
      recognize: async () => {
        throw new RxscribeError('engine-missing', 'Cannot find the engine: a library is missing.');
      },
    };
    const options = taskOptions({ recognizer });
    const { result } = await runTask(transcriptionTask(options), { media: speechFile([1]) });
    await expect(result).rejects.toMatchObject({
      failure: 'internal_processing',
      message: 'No recogniser is installed.',
    });
    expect(options.faults).toMatchObject([{ code: 'engine-missing' }]);
  });
});

describe('phrases', () => {
  const phrasesOpened = ({ opened }: ScriptedRecognizer) => opened.map(({ phrases }) => phrases);

  test('of the job reach the recogniser, and those that it cannot use are named', async () => {
    const options = taskOptions();
    const run = await runTask(transcriptionTask(options), {
      input: { phrases: ['ill disposed', 'Norland 2'] },
      media: speechFile([1]),
    });
    expect((await run.result).findings).toEqual({
      unusablePhrases: [{ phrase: 'Norland 2', reason: 'no pronunciation is known' }],
    });
    expect(phrasesOpened(options.recognizer)).toEqual([['ill disposed']]);
  });

  test('are written in their given spelling', async () => {
    const options = taskOptions({ recognizer: saying(['c', 'plus', 'plus', 'by', 'dashwood']) });
    const text = await textOfRun({ phrases: ['C++', 'Dashwood'] }, speechFile([1, 2, 3, 4, 5]), options);
    expect(text).toContain('C++ by Dashwood.');
  });

  test('of a vocabulary of the account reach the recogniser', async () => {
    const options = taskOptions({
      phrasesOf: async (accountId, id) => (accountId === 'owner' && id === 'cv1' ? ['Dashwood'] : undefined),
    });
    const run = await runTask(transcriptionTask(options), {
      input: { vocabularyId: 'cv1' },
      media: speechFile([1]),
    });
    expect(await run.result).not.toHaveProperty('findings');
    expect(phrasesOpened(options.recognizer)).toEqual([['Dashwood']]);
  });

  test('of a vocabulary that is gone fail the job', async () => {
    const { result } = await runTask(transcriptionTask(taskOptions()), {
      input: { vocabularyId: 'cv1' },
      media: speechFile([1]),
    });
    await expect(result).rejects.toMatchObject({ failure: 'custom_vocabulary' });
  });

  test('for a recogniser that takes none fail the job', async () => {
    const scripted = createScriptedRecognizer();
    const capabilities = { ...scripted.capabilities, customVocabulary: false };
    const options = taskOptions({ recognizer: { ...scripted, capabilities } });
    const { result } = await runTask(transcriptionTask(options), {
      input: { phrases: ['Norland'] },
      media: speechFile([1]),
    });
    await expect(result).rejects.toMatchObject({ failure: 'custom_vocabulary' });
    expect(scripted.opened).toEqual([]);
  });
});

describe('speakers', () => {
  const TALK = speechFile([104, 107, 5, 6, 0, 0, 0, 7, 108]);
  const diarized = () => taskOptions({ diarizer: createScriptedDiarizer() });

  test('are separated word by word, even within an utterance', async () => {
    expect(await textOfRun({}, TALK, diarized())).toBe(
      [
        'Speaker 0    00:00:00    W104 w107.',
        'Speaker 1    00:00:00    W5 w6. W7.',
        'Speaker 0    00:00:00    W108.\n',
      ].join('\n'),
    );
  });

  test('do not change for a word or two within a sentence', async () => {
    const media = speechFile([104, 107, 104, 5, 107, 104, 0, 0, 0, 6]);
    expect(await textOfRun({}, media, diarized())).toBe(
      'Speaker 0    00:00:00    W104 w107 w104 w5 w107 w104.\nSpeaker 1    00:00:00    W6.\n',
    );
  });

  test('are one without a diarizer, or when not requested', async () => {
    const one = 'Speaker 0    00:00:00    W104 w107 w5 w6. W7 w108.\n';
    expect(await textOfRun({}, TALK)).toBe(one);
    expect(await textOfRun({ skipDiarization: true }, TALK, diarized())).toBe(one);
  });

  test.each(['engine-failed', 'engine-missing'] as const)(
    'are one where the engine for them ends with %s, which is logged',
    async code => {
      const failing = async () => {
        throw new RxscribeError(code, 'Cannot separate speakers: there are no turns.');
      };
      const options = taskOptions({ diarizer: { ...createScriptedDiarizer(), diarize: failing } });
      expect(await textOfRun({}, TALK, options)).toBe('Speaker 0    00:00:00    W104 w107 w5 w6. W7 w108.\n');
      expect(options.faults).toMatchObject([{ code }]);
    },
  );

  test('are not merged after errors that are not of their engine', async () => {
    const failing = async () => {
      throw new RxscribeError('unreadable-input', 'Cannot read the media: it is empty.');
    };
    const options = taskOptions({ diarizer: { ...createScriptedDiarizer(), diarize: failing } });
    await expect(textOfRun({}, TALK, options)).rejects.toThrow('it is empty');
    expect(options.faults).toEqual([]);
  });

  test('are as many as the job states', async () => {
    const options = diarized();
    expect(await textOfRun({ speakersCount: 1 }, TALK, options)).toMatch(/^Speaker 0[^\n]*\n$/);
  });

  test('that leave no word behind have no number', async () => {
    const recognizer = saying(['um', 'yes']);
    const options = { ...diarized(), recognizer };
    const media = speechFile([104, 0, 0, 0, 5]);
    expect(await textOfRun({ removeDisfluencies: true }, media, options)).toMatch(/^Speaker 0.*Yes\.\n$/);
  });

  test('end a sentence with their words, also where it is cut by its length', async () => {
    const text = await textOfRun({}, speechFile([...new Array(300).fill(104), 5]), diarized());
    expect(text).toBe(`Speaker 0    00:00:00    W104${' w104'.repeat(299)}.\nSpeaker 1    00:00:30    W5.\n`);
    expect(await textOfRun({}, speechFile(new Array(300).fill(104)), diarized())).toMatch(/ w104\.\n$/);
  });

  test('stay one in a sentence that is cut by its length', async () => {
    const text = await textOfRun({}, speechFile(new Array(301).fill(3)), diarized());
    expect(text).toBe(`Speaker 0    00:00:00    W3${' w3'.repeat(300)}.\n`);
  });
});

describe('channels', () => {
  const LEFT = [1, 2, 0, 0, 0, 0, 0, 3, 0];
  const RIGHT = [0, 0, 0, 4, 5, 0, 0, 0, 6];

  test('are transcribed separately, and merged in the order of time', async () => {
    const options = taskOptions({ diarizer: createScriptedDiarizer() });
    const text = await textOfRun({ speakerChannelsCount: 2 }, channelsFile(LEFT, RIGHT), options);
    expect(text).toBe(
      [
        'Speaker 0    00:00:00    W1 w2.',
        'Speaker 1    00:00:00    W4 w5.',
        'Speaker 0    00:00:00    W3.',
        'Speaker 1    00:00:00    W6.\n',
      ].join('\n'),
    );
  });

  test('keep their numbers when one is silent, and cost the media once', async () => {
    const silent = new Array(9).fill(0);
    const run = await runTask(transcriptionTask(taskOptions()), {
      input: { speakerChannelsCount: 3 },
      media: channelsFile(silent, RIGHT, silent),
    });
    const { monologues } = await run.transcript();
    expect(monologues.map(({ speaker }: { speaker: number }) => speaker)).toEqual([1]);
    expect((await run.result).durationSeconds).toBe(0.9);
    expect(run.reserved).toEqual([0.9]);
  });

  test('are mixed when not requested', async () => {
    expect(await textOfRun({}, channelsFile([2, 2], [4, 4]))).toContain('W3 w3.');
  });

  test('that the media does not have fail the job', async () => {
    const { result } = await runTask(transcriptionTask(taskOptions()), {
      input: { speakerChannelsCount: 3 },
      media: channelsFile(LEFT, RIGHT),
    });
    await expect(result).rejects.toMatchObject({
      failure: 'invalid_media',
      message: 'The media has too few channels (needed: 3, found: 2).',
    });
  });

  test('wait for a free recogniser rather than repeat the earlier ones', async () => {
    const scripted = createScriptedRecognizer({ maxSessions: 1 });
    let stream: Promise<RecognizerSession> | undefined;
    let tries = 0;
    let heard = 0;
    const recognizer: ScriptedRecognizer = {
      ...scripted,
      async recognize(audio, options) {
        tries += 1;
        const finals = await scripted.recognize(audio, options);
        heard += 1;
        // A stream takes the session before the next channel gets it.
        stream ??= scripted.open();
        return finals;
      },
    };
    const clock = new VirtualClock();
    const run = await runTask(transcriptionTask(taskOptions({ recognizer, clock })), {
      input: { speakerChannelsCount: 2 },
      media: channelsFile(LEFT, RIGHT),
    });
    while (tries < 4) await clock.advanceAsync(100);
    expect(heard).toBe(1);
    await (await stream)?.close();
    const { monologues } = decodeTranscript(await advanceUntil(clock, 100, run.transcript()));
    expect(monologues.map(({ speaker }) => speaker)).toEqual([0, 1, 0, 1]);
    expect(heard).toBe(2);
  });
});

describe('the progress of a transcription', () => {
  const rising = (fractions: readonly number[]) => fractions.toSorted((one, other) => one - other);

  test('goes through all channels', async () => {
    const run = await runTask(transcriptionTask(taskOptions()), {
      input: { speakerChannelsCount: 2 },
      media: channelsFile(Array(20).fill(1), Array(20).fill(2)),
    });
    await run.result;
    expect(run.progress).toEqual(rising(run.progress));
    expect(run.progress.some(fraction => fraction > 0 && fraction <= 0.5)).toBe(true);
    expect(run.progress.at(-1)).toBe(1);
  });

  test('includes diarization, if any', async () => {
    const options = taskOptions({ diarizer: createScriptedDiarizer() });
    const media = speechFile(Array(20).fill(1));
    for (const [skipDiarization, recognized] of [
      [false, 0.85],
      [true, 1],
    ] as const) {
      const run = await runTask(transcriptionTask(options), { input: { skipDiarization }, media });
      await run.result;
      expect(run.progress).toContain(recognized);
      expect(run.progress.at(-1)).toBe(1);
    }
  });
});

describe('a human job', () => {
  test('waits with the machine transcript, unmasked and with punctuation', async () => {
    const recognizer = saying(['what', 'bullshit']);
    const run = await runTask(humanTask(taskOptions({ recognizer })), {
      input: { filterProfanity: true, skipPunctuation: true, human: { verbatim: false, rush: true } },
      media: speechFile([1, 2]),
    });
    expect(await run.result).toMatchObject({ waits: true, durationSeconds: 0.2 });
    expect(textOf(decodeTranscript(await run.transcript()).monologues[0]!.elements)).toBe('What bullshit.');
  });

  test.for([
    { end: 61, outcome: 'waits' },
    { end: 62, outcome: 'fails' },
  ])('$outcome with a segment up to $end s of media of 60.5 s', async ({ end, outcome }) => {
    const recognizer = createScriptedRecognizer();
    const run = await runTask(humanTask(taskOptions({ recognizer })), {
      input: { human: { verbatim: false, rush: false, segments: [{ start: 0, end }] } },
      media: speechFile(Array(605).fill(4)),
    });
    const [result] = await Promise.allSettled([run.result]);
    if (outcome === 'waits') expect(result).toMatchObject({ value: { waits: true } });
    else {
      expect(result).toMatchObject({ reason: { failure: 'invalid_media' } });
      expect(recognizer.opened).toEqual([]);
    }
  });
});
