import type { FrameRange } from '../../../audio/format/frameRange.ts';
import type { ConnectedEvent } from '../../../transcript/model/events.ts';
import type { StreamEvent } from '../liveOperator.ts';
import type { ConnectionEvent } from '../session/sessionModel.ts';
import type { StreamSettings } from '../settings.ts';
import type { StandbySettings } from '../standbySettings.ts';
import type { Lateness } from './lateness.ts';
import type { Outage } from './reconnect.ts';
import type { Gaps, ReportedAudio } from './reportedAudio.ts';
import type { Place, Services } from './services.ts';

/** Settings of a stream that decide about its connections. */
export type ControllerSettings = Pick<StreamSettings, 'resume' | 'sessionSeconds' | 'idle'> & {
  readonly standby?: Pick<StandbySettings, 'takeOverMs' | 'returnMs'>;
};

/** One of the connections that carry a stream. */
export interface Attempt {
  /** Counts attempts of the stream from 1. */
  readonly id: number;
  readonly place: Place;
  readonly openedMs: number;
  /** First frame of the source that it sends, once it is the current one. */
  readonly startFrame: number;
  /** Set once the service is ready. */
  readonly connected: ConnectedEvent | undefined;
  /** True when a final came on it. */
  readonly hasFinal: boolean;
  /** The audio it has to report on: from the frame where it began or its last final ended, and since when. */
  readonly awaited: { readonly fromFrame: number; readonly sinceMs: number } | undefined;
}

/** One transcript over any number of connections. */
export interface ControllerState {
  readonly settings: ControllerSettings;
  readonly phase: 'streaming' | 'ended';
  /** The attempt that gets the audio; none during an outage or while the source is paused. */
  readonly current: Attempt | undefined;
  /** The attempt that takes over from the current one at the next pause. */
  readonly successor: Attempt | undefined;
  /** Milliseconds that the successor has waited for a pause. */
  readonly successorMs: number;
  /** Attempts so far. */
  readonly attempts: number;
  readonly reported: ReportedAudio;
  /** Audio before this frame of the source was dropped: it is not sent again after a break. */
  readonly droppedFrame: number;
  readonly outage: Outage | undefined;
  /** Attempts that failed. */
  readonly failures: number;
  readonly services: Services;
  readonly lateness: Lateness;
  readonly wasConnected: boolean;
  /** True during the wait before the next attempt. */
  readonly isWaiting: boolean;
  readonly idle: Idle;
  /** True when the source has ended. */
  readonly isFinishing: boolean;
}

/** The last idle check of the source; one runs every 5 s. */
export interface Idle {
  /** Frame up to which audio was sent at the last check; undefined when audio was waiting. */
  readonly frame: number | undefined;
  /** True when nothing was sent between the last two checks. */
  readonly isIdle: boolean;
}

/**
 * `retry`: the wait before the next attempt; `rollOver`: the age of a connection, and steps of its successor; `late`: checks
 * for late words.
 */
export type ControllerTimer = 'retry' | 'rollOver' | 'idle' | 'late';

/** An event of one of the connections; whether more fits into its socket decides nothing. */
export type AttemptEvent = Exclude<ConnectionEvent, { type: 'writable' }> & { readonly attempt: number };

export type ControllerEvent =
  | { readonly type: 'start' }
  /** Audio has come while no attempt takes it. */
  | { readonly type: 'audio' }
  /** The source has ended. */
  | { readonly type: 'finish' }
  /** Audio before a frame of the source is dropped because the buffer is full. */
  | { readonly type: 'drop'; readonly beforeFrame: number }
  | { readonly type: 'timeout'; readonly timer: ControllerTimer }
  | AttemptEvent;

export type ControllerEffect =
  /** Connect to the standby, or to the address that follows after so many failures; the audio begins at a frame of the source. */
  | {
      readonly type: 'open';
      readonly attempt: number;
      readonly originFrame: number;
      readonly place: Place;
      readonly failures: number;
      /** Attempts that failed in the current outage. */
      readonly outageFailures: number;
    }
  /** Leave out the audio before a frame that this attempt has not sent yet. */
  | { readonly type: 'skip'; readonly attempt: number; readonly frame: number }
  /** Send silence that the source does not have. */
  | { readonly type: 'pad'; readonly attempt: number; readonly seconds: number }
  /** End the audio of an attempt when all that belongs to it is sent. */
  | { readonly type: 'drain'; readonly attempt: number }
  | { readonly type: 'close'; readonly attempt: number }
  /** Send waiting audio over the current attempt. */
  | { readonly type: 'send' }
  /** Everything before a frame is final, silence or given up. */
  | { readonly type: 'settled'; readonly frame: number }
  /** Audio that was dropped gets no text any more. */
  | { readonly type: 'dropped'; readonly range: FrameRange }
  | { readonly type: 'startTimer'; readonly timer: ControllerTimer; readonly delayMs: number }
  | { readonly type: 'stopTimer'; readonly timer: ControllerTimer }
  /** To be passed on. After `end`, which is the last one, everything is closed. */
  | StreamEvent;

/** The surroundings of the controller at the moment of an event. */
export interface ControllerView {
  /** Milliseconds of the clock. */
  readonly nowMs: number;
  /** End of the audio so far, in frames of the source. */
  readonly headFrame: number;
  /** Frame before which all audio was sent on the current attempt, if there is one. */
  readonly sentFrame: number;
  readonly gaps: Gaps;
  /** Returns whether the source gives audio at its own time. */
  readonly isLive: () => boolean;
  /** Returns the frames of sound in a range of the source. */
  readonly soundFrames: (fromFrame: number, toFrame: number) => number;
}

export interface ControllerStep {
  readonly state: ControllerState;
  readonly effects: readonly ControllerEffect[];
}
