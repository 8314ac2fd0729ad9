import { encodePcm } from '../../src/audio/pcm/pcm.ts';
import type { Cassette, CassetteLine } from '../../src/replay/cassette/cassette.ts';
import { concat, formatBody, riffChunk } from './wavBytes.ts';

export interface MadeCassetteOptions {
  readonly seconds: number;
  /** Hz. Default 8000. */
  readonly sampleRate?: number;
  /** Default 100. */
  readonly blockMs?: number;
  /** A final each so many seconds. Default 2. */
  readonly finalSeconds?: number;
  /** Parameters beside the content type. */
  readonly query?: Readonly<Record<string, string>>;
}

/** Delay of each message behind its audio: always shorter than a block. */
export const lagOf = (index: number) => 20 + ((index * 37) % 60);

/** Delay of the last message. */
export const LAST_LAG_MS = 85;

/** Words of a recorded session: one each half second, from a tenth on. */
const WORD_SECONDS = 0.5;

/**
 * A session as it would have been recorded at real time: a word each half second with its partial, a final each few
 * seconds, the last one after the end of the stream.
 */
export function madeCassette(options: MadeCassetteOptions): Cassette {
  const { seconds, sampleRate = 8000, blockMs = 100, finalSeconds = 2, query = {} } = options;
  const blockFrames = (sampleRate * blockMs) / 1000;
  const on = (ms: number, frame: number) => ({ ms, connection: 0, frame });
  const contentType = `audio/x-raw;layout=interleaved;rate=${sampleRate};format=S16LE;channels=1`;
  const lines: CassetteLine[] = [
    {
      type: 'audio',
      ms: 0,
      format: { sample_format: 'S16LE', sample_rate: sampleRate, channels: 1 },
      block_frames: blockFrames,
    },
    {
      type: 'connect',
      ...on(0, 0),
      address: 'ws://127.0.0.1/',
      query: { content_type: contentType, ...query },
    },
    { type: 'opened', ...on(0, 0) },
    { type: 'message', ...on(5, 0), message: { type: 'connected', id: 'made0000000001' } },
  ];
  const totalFrames = seconds * sampleRate;
  let messages = 0;
  let frame = 0;
  let ms = 0;
  const say = (message: unknown, lagMs = lagOf(messages++)) => {
    lines.push({ type: 'message', ...on(ms + lagMs, frame), message });
  };
  for (let at = 0; at < totalFrames; at += blockFrames) {
    frame = at + blockFrames;
    ms = (frame / sampleRate) * 1000;
    lines.push({ type: 'block', ms, frame });
    lines.push({ type: 'send', ...on(ms, frame), start: at, frames: blockFrames });
    if (frame % (sampleRate * WORD_SECONDS) === 0) {
      const endTs = frame / sampleRate;
      const startTs = Math.floor((endTs - 0.01) / finalSeconds) * finalSeconds;
      const isFinal = endTs % finalSeconds === 0 && frame < totalFrames;
      say(isFinal ? final(startTs, endTs) : partial(startTs, endTs));
    }
  }
  lines.push({ type: 'send_text', ...on(ms, frame), text: 'EOS' });
  say(final(Math.floor((seconds - 0.01) / finalSeconds) * finalSeconds, seconds), LAST_LAG_MS);
  lines.push({
    type: 'close',
    ...on(ms + 90, frame),
    by: 'service',
    code: 1000,
    reason: 'End of input. Closing',
  });
  return {
    header: { type: 'cassette', version: 1, recorded_at: '2026-01-01T00:00:00Z', software: { made: '1' } },
    // The last partial comes behind the end of the stream.
    lines: lines.sort((a, b) => a.ms - b.ms),
    end: { type: 'end', ms: ms + 90, frames: totalFrames },
    audio: {
      format: { sampleFormat: 'S16LE', sampleRate, channels: 1 },
      ...{ frames: totalFrames, gaps: [] },
      bytes: () => wavPieces(totalFrames, sampleRate),
    },
  };
}

/** The words of a span, as recognisers give them. */
function wordsIn(startTs: number, endTs: number) {
  const count = Math.round((endTs - startTs) / WORD_SECONDS);
  return Array.from({ length: count }, (_, i) => {
    const ts = startTs + i * WORD_SECONDS;
    return { value: `w${Math.round(ts / WORD_SECONDS)}`, ts: ts + 0.1, end_ts: ts + WORD_SECONDS };
  });
}

function partial(startTs: number, endTs: number) {
  const elements = wordsIn(startTs, endTs).map(({ value }) => ({ type: 'text', value }));
  return { type: 'partial', ts: startTs + 0.1, end_ts: endTs, elements };
}

function final(startTs: number, endTs: number) {
  const elements = wordsIn(startTs, endTs).flatMap((word, i) => [
    ...(i > 0 ? [{ type: 'punct', value: ' ' }] : []),
    { type: 'text', ...word, confidence: 0.9 },
  ]);
  return { type: 'final', ts: startTs + 0.1, end_ts: endTs, elements };
}

/** Frames of noise from which the audio is cut, so that a measurement is not one of its generation. */
const NOISE_FRAMES = 20_000;
const noise = encodePcm(
  Float32Array.from({ length: NOISE_FRAMES }, (_, i) => (((i * 7919) % 20_011) - 10_000) / 32_768),
  'S16LE',
);

/** Yields a WAV file in pieces that all begin differently. */
async function* wavPieces(frames: number, sampleRate: number): AsyncGenerator<Uint8Array> {
  const data = riffChunk('data', new Uint8Array(0), frames * 2);
  const format = riffChunk('fmt ', formatBody({ rate: sampleRate }));
  const body = concat(new TextEncoder().encode('WAVE'), format, data);
  yield riffChunk('RIFF', body, body.length + frames * 2);
  for (let at = 0; at < frames; at += NOISE_FRAMES) {
    const turn = (((at / NOISE_FRAMES) * 131) % NOISE_FRAMES) * 2;
    const piece = concat(noise.subarray(turn), noise.subarray(0, turn));
    yield piece.subarray(0, (frames - at) * 2);
  }
}
