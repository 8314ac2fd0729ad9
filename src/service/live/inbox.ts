import type { RawData } from 'ws';
import type { Clock } from '../../base/clock.ts';
import { CLOSE, END_OF_STREAM } from '../../protocol/closeCodes.ts';
import { FLUSH, WaitingAudio, type WaitingAudioOptions } from './backlog.ts';
import type { ClientConnection, ClientSocket } from './connection.ts';
import { ENDINGS, type Ending, type EndingDecision } from './ending.ts';

const NO_ROOM: Ending = {
  rule: CLOSE.messageTooBig,
  why: 'no room at present, send smaller messages',
  flush: 'all',
};

/**
 * Event of a socket by which a door, never a client of our own interface, ends the utterance in progress after the audio so
 * far. {@link FLUSHED_EVENT} answers each one when its final is sent, or when there is none; not once the audio has ended.
 * Audio that ffmpeg decodes may arrive after a later flush.
 */
export const FLUSH_EVENT = 'flush';
export const FLUSHED_EVENT = 'flushed';

export interface InboxOptions extends WaitingAudioOptions {
  /** Milliseconds that `messages()` waits for audio. */
  readonly idleMs: number;
  readonly clock: Clock;
  /** Made when no audio came in time, or on a violation by the client. No more audio is taken once it is made. */
  readonly decision: Pick<EndingDecision, 'decide' | 'decided' | 'stopped'>;
}

/** The audio sent by a client, with back pressure: reading pauses while too much of it waits. */
export type Inbox = ReturnType<typeof createInbox>;

/** Starts reading the messages of a client. */
export function createInbox(
  { socket, connection }: { readonly socket: ClientSocket; readonly connection: ClientConnection },
  options: InboxOptions,
) {
  const { decide, decided, stopped } = options.decision;
  const waiting = new WaitingAudio(options);
  let isOver = false;
  let wake = () => {};

  const finish = () => {
    isOver = true;
    // Audio is ignored from now on, but a close must be seen.
    connection.discard();
    wake();
  };
  const onMessage = (data: RawData) => {
    if (isOver) return;
    if (String(data) === END_OF_STREAM) finish();
    else decide(ENDINGS.unexpectedText);
  };
  const onAudio = (piece: Uint8Array, endsMessage: boolean) => {
    if (isOver) return;
    waiting.add(piece, endsMessage, options.clock.now());
    if (waiting.isAboveLimit) connection.hold();
    if (waiting.isBlocked) decide(NO_ROOM);
    wake();
  };
  const onIdle = () => {
    decide(ENDINGS.idle);
    // A ping is not answered any more: a client that waits for an answer learns that its next audio is not taken.
    connection.hold();
  };
  const arrival = () =>
    new Promise<void>(resolve => {
      const cancel = options.clock.schedule(options.idleMs, onIdle);
      wake = () => {
        wake = () => {};
        cancel();
        resolve();
      };
    });

  const onFlush = () => {
    if (isOver) return;
    waiting.add(FLUSH, true, options.clock.now());
    wake();
  };

  decided.addEventListener('abort', finish, { once: true });
  stopped.addEventListener('abort', () => waiting.close(), { once: true });
  socket.on('message', onMessage);
  socket.on(FLUSH_EVENT, onFlush);
  connection.open({ onAudio, onFault: decide }, options);
  return {
    /** True once no more audio is taken: the client has ended it, or the session ends. */
    get hasEnded() {
      return isOver;
    },
    /** Time at which the audio returned last had arrived. */
    get takenMs() {
      return waiting.takenMs;
    },
    /**
     * Yields the audio in order, up to the end of the stream or of the session. Iterate once.
     *
     * @param flush called for each {@link FLUSH_EVENT}, once the audio before it was taken and more is wanted
     */
    async *messages(flush: () => Promise<void>): AsyncGenerator<Uint8Array> {
      for (;;) {
        const audio = waiting.take();
        if (!isOver && waiting.isBelowResumeLevel) connection.release();
        if (audio === FLUSH) await flush();
        else if (audio) yield audio;
        else if (isOver) return;
        else await arrival();
      }
    },
  };
}
