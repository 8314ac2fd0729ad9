import { channelsApart } from './channels/channelsApart.ts';
import { type LiveOperator, liveOperator } from './liveOperator.ts';
import { LiveStream } from './liveStream.ts';
import { STREAM_DEFAULTS, streamSettings, type TranscribeOptions } from './options.ts';
import type { StreamStatus } from './status.ts';

/** An operator from audio to what is said in it, which also says how it stands. */
export type Transcription = LiveOperator<StreamStatus>;

/**
 * Streams audio to a service and gives back the transcript as it forms, with times in seconds on the clock of the source.
 *
 * When the connection breaks or cannot be had, the stream goes on over another one from the end of the last final: no
 * word is lost or comes twice. What cannot be sent at all is a `hole`, never silence; a fallback gives it its text.
 *
 * When the source completes, the result completes after the last final; a source without any audio gives an empty result
 * without a connection. When the result is unsubscribed or fails, the source is unsubscribed and the connection closed at
 * once.
 *
 * Errors of the result: those of the source; {@link ServiceError} and its classes for what the service and the network do;
 * InvalidArgumentError for what is no block of audio, for audio that changes its format or goes back in time, and for a token
 * that cannot be one.
 *
 * @throws InvalidArgumentError, StreamQueryError for options that cannot be used
 * @example
 * const live = transcribe({ url: 'http://127.0.0.1:8080', token });
 * live.status$.subscribe(status => console.error(status.type));
 * source$.pipe(live).subscribe(event => console.log(event));
 */
export function transcribe(options: TranscribeOptions): Transcription {
  return options.channelStreams === 'apart' ? apart(options) : together(options);
}

function apart(all: TranscribeOptions): Transcription {
  // What cannot be used is refused now, not at the first block.
  streamSettings(all);
  const { channels, spool, ...options } = all;
  const inChannel = (channel: number) =>
    together({ ...options, ...(spool && { spool: { ...spool, path: `${spool.path}.${channel}` } }) });
  return channelsApart({
    open: inChannel,
    ...(options.sampleRate !== undefined && { channels: channels ?? STREAM_DEFAULTS.channels }),
  });
}

function together(options: TranscribeOptions): Transcription {
  const settings = streamSettings(options);
  return liveOperator(listener => new LiveStream(settings, listener));
}
