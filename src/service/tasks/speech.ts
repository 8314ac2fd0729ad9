import { delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { FoundLanguages } from '../../engines/foundLanguage.ts';
import { createSpellings } from '../../engines/phrases/spellings.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import { inSpan } from '../telemetry/tracing.ts';
import { callEngine, type EngineRole, isEngineFault } from './engineCall.ts';
import type { TranscriptionInput } from './inputs.ts';
import { SHARED_TIMES } from './jobWarnings.ts';
import type { Media, Share } from './media.ts';
import type { ChannelChoice } from './mediaAudio.ts';
import type { SpokenSpan } from './speakers.ts';
import type { TaskOptions } from './taskOptions.ts';
import { renumbered, type Utterance, utterancesOf } from './utterances.ts';

/** Options of recognition and text. */
export interface SpeechOptions
  extends Omit<
    TranscriptionInput,
    'source' | 'vocabularyId' | 'skipPunctuation' | 'human' | 'speakerChannelsCount'
  > {
  readonly speakerChannelsCount?: number;
  /** Default: found by the recogniser. */
  readonly language: string | undefined;
  readonly phrases: readonly string[];
  readonly signal: AbortSignal;
}

export const RECOGNIZER: EngineRole = { role: 'recogniser', failure: 'transcription' };

/** Share of recognition in the progress of a job with diarization. */
const RECOGNITION_SHARE = 0.85;

/** Words as they are recognised, and their language. */
export interface RecognizedSpeech {
  readonly utterances: readonly Utterance[];
  /** Undefined when the recogniser was to find it and did not. */
  readonly language: string | undefined;
}

/** Milliseconds between two attempts to get a session of the recogniser for the next channel. */
const NEXT_CHANNEL_RETRY_MS = 1000;

/**
 * Recognises the speech in media, with its speakers.
 *
 * @throws RxscribeError `unavailable` when no session of the recogniser is free at the start; JobFailedError
 */
export async function speechIn(
  media: Media,
  speech: SpeechOptions,
  options: TaskOptions,
): Promise<RecognizedSpeech> {
  const { sampleRate } = options.recognizer.capabilities;
  const { punctuator, onError, clock } = options;
  const spellings = createSpellings(speech.phrases);
  const share: Share = speech.skipDiarization || !options.diarizer ? [0, 1] : [0, RECOGNITION_SHARE];
  const isByChannel = speech.speakerChannelsCount !== undefined;
  const channels = isByChannel
    ? await inChannels(media, speech.speakerChannelsCount, speech, options)
    : [await recognize(media, { ...speech, share }, options)];
  const turns = isByChannel || speech.skipDiarization ? [] : await turnsIn(media, speech, options);
  const found = new FoundLanguages();
  for (const final of channels.flat()) {
    found.add(final);
    if (final.hasSharedTimes) media.warn(SHARED_TIMES);
  }
  const language = speech.language ?? found.main;
  const writing = { ...speech, language, sampleRate, spellings, punctuator, onError, clock, turns };
  const utterances: Utterance[] = [];
  for (const [channel, finals] of channels.entries()) {
    const written = await utterancesOf(finals, writing);
    utterances.push(
      ...(isByChannel ? written.map(each => ({ ...each, speaker: channel })) : renumbered(written)),
    );
  }
  return { utterances, language };
}

/** Recognises each channel separately, one after the other, which bounds the memory. */
async function inChannels(
  media: Media,
  count: number,
  speech: SpeechOptions,
  options: TaskOptions,
): Promise<readonly (readonly RecognizerResult[])[]> {
  const all: (readonly RecognizerResult[])[] = [];
  for (let channel = 0; channel < count; channel++) {
    const choice = { channel, ofAtLeast: count };
    const share: Share = [channel / count, (channel + 1) / count];
    all.push(await recognize(media, { ...speech, choice, share, isWaiting: channel > 0 }, options));
  }
  return all;
}

interface RecognitionOptions extends SpeechOptions {
  readonly choice?: ChannelChoice;
  readonly share: Share;
  /** True to wait for a session, so that completed work need not be repeated. Default false. */
  readonly isWaiting?: boolean;
}

async function recognize(
  media: Media,
  { choice, share, isWaiting, language, phrases, signal }: RecognitionOptions,
  options: TaskOptions,
): Promise<readonly RecognizerResult[]> {
  const { recognizer, clock } = options;
  const { sampleRate } = recognizer.capabilities;
  const session = { language, signal, ...(phrases.length > 0 && { phrases }) };
  const call = () => recognizer.recognize(media.audio({ sampleRate, choice, share }), session);
  for (;;) {
    try {
      return await callEngine(RECOGNIZER, call, options);
    } catch (error) {
      const isBusy = error instanceof RxscribeError && error.code === 'unavailable';
      if (!isBusy || !isWaiting) throw error;
      await delay(NEXT_CHANNEL_RETRY_MS, { clock, signal });
    }
  }
}

/**
 * Returns the turns of speakers; none without a diarizer. A diarizer that fails or is missing is reported to operators
 * only: the recognised words are worth more.
 */
async function turnsIn(
  media: Media,
  { speakersCount, signal }: SpeechOptions,
  { diarizer, onError }: TaskOptions,
): Promise<readonly SpokenSpan[]> {
  if (!diarizer) return [];
  const { sampleRate } = diarizer;
  const audio = media.audio({ sampleRate, share: [RECOGNITION_SHARE, 1] });
  try {
    const turns = await inSpan('engine: diarizer', {}, () =>
      diarizer.diarize(audio, { speakersCount, signal }),
    );
    return turns.map(({ speaker, startFrame, endFrame }) => ({
      speaker,
      ts: startFrame / sampleRate,
      endTs: endFrame / sampleRate,
    }));
  } catch (error) {
    if (!isEngineFault(error)) throw error;
    onError(error);
    return [];
  }
}
