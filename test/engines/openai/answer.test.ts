import { describe, expect, it } from 'vitest';
import { heardIn, readAnswer } from '../../../src/engines/openai/answer.ts';

const RATE = 16_000;

/** Returns the words of an answer for some seconds of audio: what is written, start, end, confidence. */
function wordsIn(answer: object, seconds = 2) {
  const read = readAnswer(JSON.stringify(answer));
  return heardIn(read!, seconds * RATE).words.map(({ written, startFrame, endFrame, confidence }) => [
    written,
    startFrame / RATE,
    endFrame / RATE,
    ...(confidence === undefined ? [] : [confidence]),
  ]);
}

const segment = { id: 0, seek: 0, tokens: [1], temperature: 0, compression_ratio: 1 };

describe('an answer in the shape of', () => {
  it('OpenAI has words without marks, which are in its text', () => {
    const words = [
      { word: 'Yes', start: 0.2, end: 0.5 },
      { word: 'Mr', start: 0.8, end: 1 },
      { word: 'Dashwood', start: 1, end: 1.6 },
    ];
    expect(
      wordsIn({ task: 'transcribe', language: 'english', duration: 2, text: 'Yes, Mr. Dashwood!', words }),
    ).toEqual([
      ['Yes,', 0.2, 0.5],
      ['Mr.', 0.8, 1],
      ['Dashwood!', 1, 1.6],
    ]);
  });

  it('speaches has words with probabilities, and null for what was not asked for', () => {
    const words = [
      { word: ' He', start: 0.1, end: 0.4, probability: 0.98 },
      { word: ' was.', start: 0.4, end: 0.9, probability: 0.71 },
    ];
    const text = ' He was.';
    const heard = {
      ...segment,
      start: 0,
      end: 1,
      text,
      avg_logprob: -0.2,
      no_speech_prob: 0.01,
      words: null,
    };
    const answer = { task: 'transcribe', language: 'en', duration: 1, text, words, segments: [heard] };
    expect(wordsIn(answer)).toEqual([
      ['He', 0.1, 0.4, 0.98],
      ['was.', 0.4, 0.9, 0.71],
    ]);
    const [first, second, ...rest] = wordsIn({ ...answer, words: null });
    expect([first![0], first![1], second![0], second![2], rest]).toEqual(['He', 0, 'was.', 1, []]);
    expect([first![3], second![3]]).toEqual([0.819, 0.819]);
  });

  it('whisper.cpp has parts of words within segments', () => {
    const words = [
      { word: '[_BEG_]', start: 0, end: 0, t_dtw: -1, probability: 0.9 },
      { word: ' ill', start: 0.1, end: 0.3, t_dtw: -1, probability: 0.9 },
      { word: '-dis', start: 0.3, end: 0.5, t_dtw: -1, probability: 0.8 },
      { word: 'posed', start: 0.5, end: 0.8, t_dtw: -1, probability: 0.7 },
      { word: '.', start: 0.8, end: 0.8, t_dtw: -1, probability: 0.6 },
    ];
    const heard = { ...segment, start: 0, end: 0.8, text: ' ill-disposed.', words, no_speech_prob: 1e-12 };
    const answer = { task: 'transcribe', language: 'english', duration: 0.8, text: ' ill-disposed.\n' };
    expect(wordsIn({ ...answer, segments: [heard] })).toEqual([['ill-disposed.', 0.1, 0.8, 0.9]]);
  });

  it('vLLM has segments, and a duration as text', () => {
    const heard = {
      ...segment,
      start: 0.5,
      end: 1.5,
      text: ' Yes. No.',
      avg_logprob: -0.105,
      no_speech_prob: null,
    };
    const answer = { duration: '2.0', language: 'en', text: ' Yes. No.', words: null, segments: [heard] };
    expect(wordsIn(answer)).toEqual([
      ['Yes.', 0.5, expect.closeTo(1.06, 1), 0.9],
      ['No.', expect.closeTo(1.06, 1), 1.5, 0.9],
    ]);
  });

  it('a server with the text only shares the time of the audio', () => {
    expect(wordsIn({ text: 'Yes no' })).toEqual([
      ['Yes', 0, expect.closeTo(1.14, 1)],
      ['no', expect.closeTo(1.14, 1), 2],
    ]);
    expect(wordsIn({ text: ' ' })).toEqual([]);
  });

  it('LocalAI may have times in nanoseconds, which are not used', () => {
    const heard = { id: 0, start: 0, end: 1_500_000_000, text: 'Yes', tokens: [] };
    expect(wordsIn({ text: 'Yes', segments: [heard] })).toEqual([['Yes', 0, 2]]);
  });
});

describe('words', () => {
  it('of a segment that the server takes for silence are left out', () => {
    const heard = { ...segment, start: 0, end: 1, text: ' Yes.', avg_logprob: -0.1, no_speech_prob: 0.1 };
    const noise = { ...segment, start: 1, end: 2, text: ' Thanks.', avg_logprob: -1.3, no_speech_prob: 0.8 };
    const words = [
      { word: 'Yes', start: 0.2, end: 0.5 },
      { word: 'Thanks', start: 1.2, end: 1.5 },
    ];
    const answer = { text: 'Yes. Thanks.', segments: [heard, noise] };
    expect(wordsIn(answer).map(([written]) => written)).toEqual(['Yes.']);
    expect(wordsIn({ ...answer, words }).map(([written]) => written)).toEqual(['Yes.']);
  });

  it('of a model that repeats itself are not all taken', () => {
    expect(wordsIn({ text: 'thank you '.repeat(10_000) })).toHaveLength(20);
  });

  it('with figures are spoken as several', () => {
    const answer = readAnswer(JSON.stringify({ text: 'It was 21.' }));
    expect(heardIn(answer!, RATE).words.map(({ value, written }) => [value, written])).toEqual([
      ['it', 'It'],
      ['was', 'was'],
      ['twenty', '21.'],
      ['one', ''],
    ]);
  });
});

it('no other answer is read', () => {
  const word = { word: 'a', start: 0, end: 1 };
  const wrong = ['', '{}', '[]', 'null', '<html>', '{"text":1}', '{"text":"a","words":[{}]}', '{"text":"a"'];
  const large = { text: 'a', words: new Array(10_001).fill(word) };
  for (const text of [...wrong, JSON.stringify(large), JSON.stringify({ text: 'a'.repeat(1_000_001) })])
    expect(readAnswer(text), text.slice(0, 40)).toBeUndefined();
});
