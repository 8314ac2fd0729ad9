import { channelsApart } from './channels/channelsApart.ts';
import { type LiveOperator, liveOperator } from './liveOperator.ts';
import { openStream } from './openStream.ts';
import { STREAM_DEFAULTS, type TranscribeOptions } from './options.ts';
import { streamSettings } from './settings.ts';
import type { StreamStatus } from './status.ts';

/** An operator from audio to transcript events, with the status of the stream. */
export type Transcription = LiveOperator<StreamStatus>;

/**
 * Streams audio to a service and emits the transcript as it forms, with times in seconds on the clock of the source.
 *
 * When the connection breaks or cannot be made, the stream continues over another one from the end of the last final: no
 * word is lost or doubled. Audio that cannot be sent at all is a `hole`, never silence; a fallback supplies its text.
 *
 * When the source completes, the result completes after the last final. The result of a source without any audio is empty;
 * unless `sampleRate` is given, no connection is made. When the result is unsubscribed or fails, the source is unsubscribed
 * and the connection closed at once.
 *
 * Errors of the result: those of the source; {@link ServiceError} and its subclasses for faults of the service and the network;
 * the reason of the signal; InvalidArgumentError for anything but blocks of audio, for audio that changes its format or goes
 * back in time, and for an invalid token.
 *
 * @throws InvalidArgumentError, StreamQueryError for invalid options
 * @example
 * const live = transcribe({ url: 'http://127.0.0.1:8080', token });
 * live.status$.subscribe(status => console.error(status.type));
 * source$.pipe(live).subscribe(event => console.log(event));
 */
export function transcribe(options: TranscribeOptions): Transcription {
  return options.channelStreams === 'apart' ? apart(options) : together(options);
}

function apart(all: TranscribeOptions): Transcription {
  // Invalid options are rejected now, not at the first block.
  streamSettings(all);
  const { channels, spool, signal, ...options } = all;
  const inChannel = (channel: number) =>
    together({ ...options, ...(spool && { spool: { ...spool, path: `${spool.path}.${channel}` } }) });
  return channelsApart({
    open: inChannel,
    ...(options.sampleRate !== undefined && { channels: channels ?? STREAM_DEFAULTS.channels }),
    ...(signal && { signal }),
  });
}

function together(options: TranscribeOptions): Transcription {
  const settings = streamSettings(options);
  return liveOperator((listener, gate) => openStream(settings, listener, gate), options.signal);
}
