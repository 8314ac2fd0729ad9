import type { AudioContentType } from '../../../audio/format/contentType.ts';
import { bytesPerFrame, framesOf } from '../../../audio/format/format.ts';
import { createWavReader } from '../../../audio/pcm/wav.ts';
import { InvalidArgumentError } from '../../../base/errors.ts';

/** Counts the audio received on a connection. */
export interface WireAudio {
  /** Sample rate in Hz; undefined until the header of a WAV stream has arrived. */
  readonly sampleRate: number | undefined;
  readonly frames: number;
  /** @throws RxscribeError `audio-corrupt`, `audio-unsupported` for anything but a readable WAV stream */
  push(bytes: Uint8Array): void;
}

/**
 * Counts the frames of audio of a content type.
 *
 * @throws InvalidArgumentError for FLAC, which would have to be decoded
 */
export function wireAudio(contentType: AudioContentType): WireAudio {
  if (contentType.kind === 'flac') {
    throw new InvalidArgumentError('A cassette can be played to raw samples or WAV only, not to FLAC.');
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
