import { delay } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { createSpellings } from '../../engines/phrases/spellings.ts';
import type { RecognizerResult } from '../../engines/recognizer.ts';
import { callEngine, type EngineRole, isEngineFault } from './engineCall.ts';
import type { TranscriptionInput } from './inputs.ts';
import type { Media, Share } from './media.ts';
import type { ChannelChoice } from './mediaAudio.ts';
import type { SpokenSpan } from './speakers.ts';
import type { TaskOptions } from './taskOptions.ts';
import { renumbered, type Utterance, type UtteranceOptions, utterancesOf } from './utterances.ts';

/** How speech is to be recognised and written. */
export interface SpeechWish
  extends Omit<TranscriptionInput, 'source' | 'vocabularyId' | 'skipPunctuation' | 'human'> {
  readonly language: string;
  readonly phrases: readonly string[];
  readonly signal: AbortSignal;
}

export const RECOGNIZER: EngineRole = { role: 'recogniser', failure: 'transcription' };

/** Of the work of a job whose speakers are told apart. */
const RECOGNITION_SHARE = 0.85;

/** Between two tries to get a session of the recogniser for the next channel. */
const NEXT_CHANNEL_RETRY_MS = 1000;

/**
 * What is said in media, by whom.
 *
 * @throws RxscribeError `unavailable` when no session of the recogniser is free at the start; JobFailedError
 */
export async function speechIn(
  media: Media,
  wish: SpeechWish,
  options: TaskOptions,
): Promise<readonly Utterance[]> {
  const { sampleRate } = options.recognizer.capabilities;
  const { punctuator, onError, clock } = options;
  const spellings = createSpellings(wish.phrases);
  const writing = { ...wish, sampleRate, spellings, punctuator, onError, clock };
  if (wish.speakerChannelsCount !== undefined) {
    return inChannels(media, wish.speakerChannelsCount, writing, options);
  }
  const share: Share = wish.skipDiarization || !options.diarizer ? [0, 1] : [0, RECOGNITION_SHARE];
  const finals = await recognize(media, { ...wish, share }, options);
  const turns = wish.skipDiarization ? [] : await turnsIn(media, wish, options);
  return renumbered(await utterancesOf(finals, { ...writing, turns }));
}

/** Each channel alone, one after the other, so that no more is held than is said. */
async function inChannels(
  media: Media,
  count: number,
  wish: SpeechWish & UtteranceOptions,
  options: TaskOptions,
): Promise<readonly Utterance[]> {
  const all: Utterance[] = [];
  for (let channel = 0; channel < count; channel++) {
    const choice = { channel, ofAtLeast: count };
    const share: Share = [channel / count, (channel + 1) / count];
    const finals = await recognize(media, { ...wish, choice, share, isWaiting: channel > 0 }, options);
    for (const utterance of await utterancesOf(finals, wish)) all.push({ ...utterance, speaker: channel });
  }
  return all;
}

interface RecognitionWish extends SpeechWish {
  readonly choice?: ChannelChoice;
  readonly share: Share;
  /** Waits for a session: what has been done of the job is not to be done again. Default false. */
  readonly isWaiting?: boolean;
}

async function recognize(
  media: Media,
  { choice, share, isWaiting, language, phrases, signal }: RecognitionWish,
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
 * Who speaks when; nobody in particular where there is no engine for it, or where it fails or is not installed, of which
 * the operator is told: what was recognised by then is worth more.
 */
async function turnsIn(
  media: Media,
  { speakersCount, signal }: SpeechWish,
  { diarizer, onError }: TaskOptions,
): Promise<readonly SpokenSpan[]> {
  if (!diarizer) return [];
  const { sampleRate } = diarizer;
  const audio = media.audio({ sampleRate, share: [RECOGNITION_SHARE, 1] });
  try {
    const turns = await diarizer.diarize(audio, { speakersCount, signal });
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
