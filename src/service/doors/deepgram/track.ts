import { channelOf } from '../../../audio/format/channels.ts';
import { bytesPerFrame, type PcmFormat } from '../../../audio/format/format.ts';
import { decodePcm, encodePcm } from '../../../audio/pcm/pcm.ts';
import { FLUSH_EVENT, FLUSHED_EVENT } from '../../live/inbox.ts';
import { InnerClient, type InnerClientOptions } from '../innerClient.ts';
import { Voice, type VoiceOptions } from './voice.ts';

/** A session of a client: of all channels of its audio, or of one. */
export type Track = ReturnType<typeof createTrack>;

export interface TrackOptions extends VoiceOptions, Omit<InnerClientOptions, 'onEvent'> {
  readonly onConnected: () => void;
}

/** Creates the client of a session whose events are messages of Deepgram's interface. */
export function createTrack({ onConnected, onClose, unsentBytes, ...options }: TrackOptions) {
  const voice = new Voice(options);
  let onFlushed = () => {};
  const client = new InnerClient({
    onEvent: event => (event.type === 'connected' ? onConnected() : voice.take(event)),
    onClose(close) {
      voice.close();
      onFlushed();
      onClose(close);
    },
    unsentBytes,
  });
  client.on(FLUSHED_EVENT, () => onFlushed());
  return {
    client,
    voice,
    /** Ends the utterance; resolves when its final has been sent. */
    async finalize(hasAudio: boolean): Promise<void> {
      voice.beginFinalizing();
      if (hasAudio) {
        await new Promise<void>(resolve => {
          onFlushed = resolve;
          client.emit(FLUSH_EVENT);
        });
      }
      voice.endFinalizing();
    },
  };
}

/** Returns a function that cuts interleaved samples into channels; a frame that is cut waits for its rest. */
export function channelSplitter(format: PcmFormat): (audio: Buffer) => readonly Uint8Array[] {
  const { channels, sampleFormat } = format;
  let rest = Buffer.alloc(0);
  return audio => {
    const bytes = Buffer.concat([rest, audio]);
    const whole = bytes.length - (bytes.length % bytesPerFrame(format));
    rest = bytes.subarray(whole);
    const samples = decodePcm(bytes.subarray(0, whole), format);
    return Array.from({ length: channels }, (_, channel) =>
      encodePcm(channelOf(samples, channels, channel), sampleFormat),
    );
  };
}
