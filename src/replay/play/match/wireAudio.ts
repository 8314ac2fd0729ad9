import type { AudioContentType } from '../../../audio/format/contentType.ts';
import { bytesPerFrame, framesOf } from '../../../audio/format/format.ts';
import { createWavReader } from '../../../audio/pcm/wav.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';

/** How much audio has come over a connection. */
export interface WireAudio {
  /** Hz; undefined as long as the header of a WAV stream has not come. */
  readonly sampleRate: number | undefined;
  readonly frames: number;
  /** @throws RxscribeError `audio-corrupt`, `audio-unsupported` for what is no WAV that can be read */
  push(bytes: Uint8Array): void;
}

/**
 * Counts the frames of audio that comes as a content type says.
 *
 * @throws InvalidArgumentError for FLAC: that would have to be decoded
 */
export function wireAudio(contentType: AudioContentType): WireAudio {
  if (contentType.kind === 'flac') {
    throw new InvalidArgumentError(
      'content_type: expected raw samples or WAV to play a cassette to, found FLAC',
    );
  }
  return contentType.kind === 'raw' ? rawAudio(contentType.format) : wavAudio();
}

function rawAudio(format: Parameters<typeof bytesPerFrame>[0] & { readonly sampleRate: number }): WireAudio {
  const frameBytes = bytesPerFrame(format);
  let bytes = 0;
  return {
    sampleRate: format.sampleRate,
    get frames() {
      return Math.floor(bytes / frameBytes);
    },
    push({ length }) {
      bytes += length;
    },
  };
}

function wavAudio(): WireAudio {
  const reader = createWavReader();
  let frames = 0;
  return {
    get sampleRate() {
      return reader.format?.sampleRate;
    },
    get frames() {
      return frames;
    },
    push(bytes) {
      const block = reader.push(bytes);
      if (block) frames += framesOf(block);
    },
  };
}
