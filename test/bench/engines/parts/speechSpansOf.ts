import { DEFAULT_PAUSE_SECONDS } from '../../../../src/engines/voice/endpointer.ts';
import { createSpeechSpans, type SpeechSpan } from '../../../../src/engines/voice/speechSpans.ts';
import { createVoiceDetector } from '../../../../src/engines/voice/voiceDetector.ts';
import { piecesOf } from '../../../helpers/cutAudio.ts';

const SAMPLE_RATE = 16_000;
/** Limit of an utterance, as in the default recogniser. */
const MAX_SECONDS = 15;

/** An utterance with the frame of the stream at which its end is known. */
export interface DecidedSpan extends SpeechSpan {
  readonly decidedFrame: number;
}

/** Returns the utterances of a recording, cut like those of the default recogniser. */
export async function speechSpansOf(samples: Int16Array): Promise<readonly DecidedSpan[]> {
  const found: DecidedSpan[] = [];
  using spans = createSpeechSpans(await createVoiceDetector(), {
    pauseSeconds: DEFAULT_PAUSE_SECONDS,
    maxFrames: MAX_SECONDS * SAMPLE_RATE,
    onSpan: span => void found.push({ ...span, decidedFrame: spans.now }),
  });
  for (const piece of piecesOf(samples, SAMPLE_RATE / 100)) spans.write(piece);
  spans.finish();
  return found;
}
