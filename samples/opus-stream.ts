/**
 * Transcribes packets of Opus, such as those that a bot receives from a voice channel of Discord: `transcribeVoice` takes
 * `connection.receiver.subscribe(userId)` as it is. As a program it takes the packets of an Ogg file: `opus-stream.ts talk.opus`.
 */
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { OpusDecoder } from 'opus-decoder';
import prism from 'prism-media';
import type { Observable } from 'rxjs';
import { type Frames, fromFrames, type LiveEvent, resample, textOf, transcribe } from 'rxscribe';

const { RXSCRIBE_URL: url = 'http://127.0.0.1:8080', RXSCRIBE_TOKEN: token } = process.env;
if (!token) throw new Error('Set RXSCRIBE_TOKEN.');

/** Packets of stereo are decoded to mono as well. */
const FORMAT = { sampleRate: 48_000, channels: 1 } as const;

/**
 * Transcribes the packets of one speaker. Times count the audio that was received: Discord sends none while nobody speaks.
 */
export function transcribeVoice(packets: AsyncIterable<Uint8Array>): Observable<LiveEvent> {
  const live = transcribe({ url, token: token!, language: 'en' });
  return fromFrames(decoded(packets), FORMAT).pipe(resample(), live);
}

async function* decoded(packets: AsyncIterable<Uint8Array>): AsyncGenerator<Frames> {
  const decoder = new OpusDecoder({
    ...FORMAT,
    streamCount: 1,
    coupledStreamCount: 0,
    channelMappingTable: [0],
  });
  await decoder.ready;
  try {
    for await (const packet of packets) {
      // The decoder itself writes a damaged packet to the log, and gives no samples for it.
      yield decoder.decodeFrame(packet).channelData[0]!;
    }
  } finally {
    decoder.free();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packets = createReadStream(process.argv[2]!).pipe(new prism.opus.OggDemuxer());
  await transcribeVoice(packets).forEach(event => {
    if (event.type === 'final') console.log(`${event.ts.toFixed(2)} ${textOf(event.elements)}`);
  });
}
