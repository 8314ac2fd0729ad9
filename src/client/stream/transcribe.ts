import { createReplayStore } from '../spool/createReplayStore.ts';
import { openSpool } from '../spool/openSpool.ts';
import type { Transcription } from './liveOperator.ts';
import { transcribeOn } from './openStream.ts';
import type { TranscribeOptions } from './options.ts';
import type { Platform } from './platform.ts';
import { openSocket } from './socket.ts';

export const nodePlatform: Platform = { hasPings: true, openSocket, createReplayStore, openSpool };

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
  return transcribeOn(nodePlatform, options);
}
