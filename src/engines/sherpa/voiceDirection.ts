import type { SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { toFloats } from '../../audio/pcm/pcm.ts';
import { SAMPLE_RATE } from './tokenWords.ts';

/** Less than this says nothing of a voice. */
const LEAST_FRAMES = 0.25 * SAMPLE_RATE;

/** The voice in some samples as a direction; undefined when there is too little to hear. */
export function voiceDirection(
  extractor: SpeakerEmbeddingExtractor,
  samples: Int16Array,
): Float32Array | undefined {
  if (samples.length < LEAST_FRAMES) return undefined;
  const stream = extractor.createStream();
  stream.acceptWaveform({ samples: toFloats(samples), sampleRate: SAMPLE_RATE });
  stream.inputFinished();
  // Memory of the library's own must not be shared with a message to another process.
  return extractor.isReady(stream) ? extractor.compute(stream, false) : undefined;
}
