import { ENDPOINTER_DEFAULTS } from '../../../../src/engines/voice/endpointer.ts';
import { createSpeechSpans, type SpeechSpan } from '../../../../src/engines/voice/speechSpans.ts';
import { createVoiceDetector } from '../../../../src/engines/voice/voiceDetector.ts';
import { piecesOf } from '../../../helpers/cutAudio.ts';

const SAMPLE_RATE = 16_000;
/** As the recogniser that comes with rxscribe cuts. */
const MAX_SECONDS = 15;

/** An utterance, and the frame of the stream at which it is known that it has ended. */
export interface DecidedSpan extends SpeechSpan {
  readonly decidedFrame: number;
}

/** Returns the utterances of a recording, cut as the recogniser that comes with rxscribe cuts them. */
export async function speechSpansOf(samples: Int16Array): Promise<readonly DecidedSpan[]> {
  const found: DecidedSpan[] = [];
  using spans = createSpeechSpans(await createVoiceDetector(), {
    pauseSeconds: ENDPOINTER_DEFAULTS.pauseSeconds,
    maxFrames: MAX_SECONDS * SAMPLE_RATE,
    onSpan: span => void found.push({ ...span, decidedFrame: spans.now }),
  });
  for (const piece of piecesOf(samples, SAMPLE_RATE / 100)) spans.write(piece);
  spans.finish();
  return found;
}
