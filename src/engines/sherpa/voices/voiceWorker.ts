import type { SpeakerEmbeddingExtractor } from 'sherpa-onnx-node';
import { toFloats } from '../../../audio/pcm/pcm.ts';
import type { ChannelOpener } from '../../process/serveWork.ts';
import { type NativeConfig, SAMPLE_RATE, type VoiceMethods } from '../tasks.ts';

/** Fewer frames do not identify a voice. */
const LEAST_FRAMES = 0.25 * SAMPLE_RATE;

export function createVoiceWorker(
  sherpa: typeof import('sherpa-onnx-node'),
  config: NativeConfig,
): ChannelOpener<VoiceMethods> {
  const extractor = new sherpa.SpeakerEmbeddingExtractor(config);
  return () => ({ embed: samples => voiceDirection(extractor, samples) });
}

/** Returns the voice in some samples as a direction, undefined when they are too short. */
export function voiceDirection(
  extractor: SpeakerEmbeddingExtractor,
  samples: Int16Array,
): Float32Array | undefined {
  if (samples.length < LEAST_FRAMES) return undefined;
  const stream = extractor.createStream();
  stream.acceptWaveform({ samples: toFloats(samples), sampleRate: SAMPLE_RATE });
  stream.inputFinished();
  // False: memory that the library owns cannot be sent to another process.
  return extractor.isReady(stream) ? extractor.compute(stream, false) : undefined;
}
