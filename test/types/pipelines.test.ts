import type { Observable, OperatorFunction } from 'rxjs';
import { describe, expectTypeOf, test } from 'vitest';
import {
  type AudioBlock,
  type CaptionDisplay,
  type Client,
  chunk,
  createGate,
  fromFile,
  fromFrames,
  type Job,
  type LanguageIdResult,
  type LegacyJob,
  type LiveEvent,
  type LiveTranscript,
  level,
  live,
  liveCaptions,
  mergeTranscript,
  microphone,
  pace,
  pausable,
  resample,
  type SentimentResult,
  type Transcript,
  transcribe,
  type VocabularyRecord,
} from '../../src/index.ts';

// The assertions are checked by the compiler; the functions are never called.
const SERVICE = { url: 'ws://127.0.0.1:8080', token: 'secret' };
const AUDIO = { sampleRate: 48_000, channels: 2 };

describe('the types of a pipeline are inferred', () => {
  test('from the sources to blocks of audio', () => {
    expectTypeOf(microphone).returns.toEqualTypeOf<Observable<AudioBlock>>();
    expectTypeOf(fromFile).returns.toEqualTypeOf<Observable<AudioBlock>>();
    expectTypeOf(fromFrames).returns.toEqualTypeOf<Observable<AudioBlock>>();
  });

  test('through operators that keep blocks of audio', () => {
    const blocks = () =>
      fromFrames([new Int16Array(2)], AUDIO).pipe(
        resample({ sampleRate: 16_000 }),
        chunk(100),
        pace({ speed: 1 }),
        level(({ peakDb }, { startFrame }) => expectTypeOf([peakDb, startFrame]).toEqualTypeOf<number[]>()),
      );
    expectTypeOf(blocks).returns.toEqualTypeOf<Observable<AudioBlock>>();
    expectTypeOf(pausable).returns.toExtend<OperatorFunction<AudioBlock, AudioBlock>>();
  });

  test('from blocks to events, transcripts and captions', () => {
    const events = () => microphone().pipe(resample(), chunk(), transcribe(SERVICE));
    const transcripts = () => events().pipe(mergeTranscript());
    const displays = () => events().pipe(liveCaptions({ columns: 42 }));
    expectTypeOf(events).returns.toEqualTypeOf<Observable<LiveEvent>>();
    expectTypeOf(transcripts).returns.toEqualTypeOf<Observable<LiveTranscript>>();
    expectTypeOf(displays).returns.toEqualTypeOf<Observable<CaptionDisplay>>();
  });

  test('operators in the wrong order do not compile', () => {
    // @ts-expect-error captions are made of events, not of audio
    void (() => microphone().pipe(liveCaptions()));
    // @ts-expect-error audio comes before its transcription
    void (() => microphone().pipe(transcribe(SERVICE), chunk()));
  });
});

test('a session without RxJS is its events, or its transcript', () => {
  const session = () => live('talk.wav', SERVICE);
  const texts = async (each: (text: string) => void) => {
    for await (const event of session()) {
      expectTypeOf(event.text).toEqualTypeOf<string>();
      if (event.type === 'final') expectTypeOf(event.endTs).toEqualTypeOf<number>();
      each(event.text);
    }
    return await session();
  };
  expectTypeOf(texts).returns.resolves.toEqualTypeOf<Transcript>();
  void (() => live(microphone(), SERVICE));
  void (() => live(process.stdin, { ...SERVICE, signal: AbortSignal.timeout(1) }));
  void (() => live(new Response('').body!, SERVICE));
  // @ts-expect-error a service has an address
  void (() => live('talk.wav', { token: 'secret' }));
  // @ts-expect-error its source waits by itself
  void (() => live('talk.wav', { ...SERVICE, gate: createGate() }));
});

test('the areas of the HTTP client have results of their own', () => {
  expectTypeOf<ReturnType<Client['transcription']['submit']>>().resolves.toEqualTypeOf<Job>();
  expectTypeOf<ReturnType<Client['transcription']['transcript']>>().resolves.toEqualTypeOf<Transcript>();
  expectTypeOf<ReturnType<Client['alignment']['transcript']>>().resolves.toEqualTypeOf<Transcript>();
  expectTypeOf<ReturnType<Client['legacy']['get']>>().resolves.toEqualTypeOf<LegacyJob>();
  expectTypeOf<ReturnType<Client['languageId']['result']>>().resolves.toEqualTypeOf<LanguageIdResult>();
  expectTypeOf<ReturnType<Client['sentiment']['result']>>().resolves.toEqualTypeOf<SentimentResult>();
  expectTypeOf<ReturnType<Client['vocabularies']['submit']>>().resolves.toEqualTypeOf<VocabularyRecord>();
  expectTypeOf<ReturnType<Client['vocabularies']['listAll']>>().toExtend<AsyncIterable<VocabularyRecord>>();
  expectTypeOf<Parameters<Client['alignment']['submit']>>().toHaveProperty(1);
});
