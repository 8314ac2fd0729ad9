import type { PcmFormat } from '../../../audio/format/format.ts';
import type { FrameRange } from '../../../audio/format/frameRange.ts';
import type {
  ConnectedEvent,
  FinalEvent,
  LiveEvent,
  TranscriptEvent,
} from '../../../transcript/model/events.ts';
import type { Chunk } from '../../spool/spool.ts';
import type { Hole, QuerySpan, StreamHoleCause } from '../fallback.ts';
import type { StreamFailure } from '../liveOperator.ts';
import type { QueryChange } from '../options.ts';
import type { SocketEvent } from '../platform.ts';
import type { Bucket, BucketLimits } from '../recovery/catchUp.ts';
import type { Outage, Place, Services } from '../recovery/reconnect.ts';
import type { ReportedAudio } from '../recovery/reportedAudio.ts';
import type { SourceGaps, TimeMap } from '../recovery/sourceTime.ts';
import type { StreamSettings } from '../settings.ts';
import type { StreamStatus } from '../status.ts';
import type { StreamTimeouts } from '../timeouts.ts';

/** One transcript over any number of connections. */
export interface StreamState {
  readonly settings: StreamSettings;
  readonly format: PcmFormat;
  readonly phase: StreamPhase;
  /** True when the source has ended. */
  readonly isFinishing: boolean;
  /** The query of the current link. */
  readonly query: QuerySpan;
  /** Queries of later audio. The current link gets no audio from the first of them on. */
  readonly nextQueries: readonly QuerySpan[];
  /** The last query that a service has accepted; undefined before the first connection. */
  readonly accepted: QuerySpan['query'] | undefined;
  /** The link that gets the audio; none during an outage or while the source is paused. */
  readonly current: Link | undefined;
  /** The link that takes over from the current one at the next pause. */
  readonly successor: Link | undefined;
  /** Links that get no more audio and end their session. */
  readonly leaving: readonly Link[];
  /** Number of links so far. */
  readonly links: number;
  /** End of the audio so far, in frames of the source. */
  readonly headFrame: number;
  readonly gaps: SourceGaps;
  readonly reported: ReportedAudio;
  readonly holes: Holes;
  /** Audio before this frame of the source was dropped: it is not sent again after a break. */
  readonly droppedFrame: number;
  readonly outage: Outage | undefined;
  /** Number of failed links. */
  readonly failures: number;
  readonly services: Services;
  /** Words since the service was last changed; undefined before any. */
  readonly latestWords: LatestWords | undefined;
  readonly idle: Idle;
  readonly flow: Flow;
  /** Limits of the speed at which a backlog is sent. */
  readonly limits: BucketLimits;
  /** Bound on the speed of a backlog that is being sent. */
  readonly backlog: Bucket | undefined;
}

export type StreamPhase =
  /** Audio goes to a service: at once, or after the wait before the next link. */
  | { readonly type: 'streaming' | 'waiting' }
  /** Audio from a frame on, which is no hole yet, and all that follows is left to the fallback. */
  | { readonly type: 'unstreamed'; readonly startFrame: number; readonly cause: StreamHoleCause }
  /** The audio has ended, and repairs are in progress. */
  | { readonly type: 'repairing' }
  /** No event changes anything. */
  | { readonly type: 'ended' };

/** The audio without text. Each of its frames is reported once, and stored until it is repaired. */
export interface Holes {
  /** Reported holes that are not settled, so that no frame is reported twice. */
  readonly known: readonly FrameRange[];
  /** Queries of the stream so far. */
  readonly queries: readonly QuerySpan[];
  /** Holes to be repaired that wait for the audio after them. */
  readonly open: readonly Hole[];
}

/** The pace of a source, and the pressure back to it. */
export interface Flow {
  readonly arrivedFrames: number;
  /** Time of the first audio. */
  readonly firstMs: number;
  /** Time of the last `progress`. */
  readonly reportedMs: number;
  /** True once the source gave audio faster than real time: it can wait, unlike a live source. */
  readonly isAhead: boolean;
  /** Gates that are held: the one that was given, or that of the demand as well. */
  readonly held: 'none' | 'given' | 'all';
}

/** The latest words of a service. */
export interface LatestWords {
  /** Their end, in frames of the source. */
  readonly endFrame: number;
  /** End of the words that came with the shortest delay, and the time at which they came. */
  readonly promptFrame: number;
  readonly promptMs: number;
}

/** The last idle check of the source; one runs every 5 s. */
export interface Idle {
  /** Frame up to which audio was sent at the last check; undefined when audio was waiting. */
  readonly frame: number | undefined;
  /** True when nothing was sent between the last two checks. */
  readonly isIdle: boolean;
}

/** The access to one service. */
export interface Service {
  /** Address of its stream, without query and token. */
  readonly address: URL;
  readonly query: StreamSettings['query'];
  readonly token: StreamSettings['token'];
}

/** One connection to a service. */
export interface Link {
  /** Counts the links of the stream from 1. */
  readonly id: number;
  readonly service: Service;
  readonly timeouts: StreamTimeouts;
  /** Seconds that the service adds to every time, as requested. */
  readonly startTs: number;
  readonly openedMs: number;
  readonly phase: LinkPhase;
  /** True when the audio of this link has an end. */
  readonly isClosing: boolean;
  /** First frame of the source, which the times of the service count from. */
  readonly originFrame: number;
  /** First frame of the source that it sends, once it is the current one. */
  readonly startFrame: number;
  /** Frame of the source before which all audio was sent or left out. */
  readonly sentFrame: number;
  /** Bytes that may be sent before a recogniser is ready. */
  readonly aheadBytes: number;
  /** Frames sent, including silence that the source does not have. */
  readonly sentFrames: number;
  /** Frame of the source after the last one that was sent. */
  readonly sourceFrame: number;
  readonly timeMap: TimeMap;
  /** Time at which audio was last sent. */
  readonly sentMs: number;
  /** The ping that waits for its answer. */
  readonly ping: Ping | undefined;
  /** Frames sent before the last answered ping, which the service has read. */
  readonly readFrames: number;
  /** Frames that were sent when the last words came that are not final; undefined when all words are final. */
  readonly tailFrames: number | undefined;
  /** True when it has returned a final. */
  readonly hasFinal: boolean;
  /** The audio whose words are awaited: from the start of the link or the end of its last final, and since when. */
  readonly awaited: { readonly fromFrame: number; readonly sinceMs: number } | undefined;
  /** A final that counts once the service has shown that it does not close for want of audio, in the time of the source. */
  readonly held: FinalEvent | undefined;
}

export type LinkPhase =
  /** `open`: the service takes audio, but no recogniser has answered. */
  | { readonly type: 'connecting' | 'open'; readonly recognizer?: undefined }
  | { readonly type: 'streaming'; readonly recognizer: Recognizer }
  /** `EOS` was sent. */
  | { readonly type: 'draining'; readonly recognizer: Recognizer | undefined };

/** A recogniser that has sent a message. */
export interface Recognizer {
  /** Time of the first message. */
  readonly sinceMs: number;
  /** Its `connected`, which some services leave out. */
  readonly connected: ConnectedEvent | undefined;
}

/** A ping that waits for its answer. */
export interface Ping {
  readonly sentMs: number;
  /** Frames sent before it, and the position of the source at that time. */
  readonly sentFrames: number;
  readonly sourceFrame: number;
  /** True when the time for its answer has run out once. */
  readonly isLate: boolean;
  /** True when a message came since then, or since it was sent. */
  readonly hasReceived: boolean;
}

/** An event with words. */
export type WordsEvent = Exclude<TranscriptEvent, { readonly type: 'connected' }>;

/**
 * `connect`: to an open socket; `ready`: to `connected`; `ping` and `pong`: in turn; `stall`: from words that may change
 * to the next message; `final`: after the end of audio.
 */
export type LinkTimer = 'connect' | 'ready' | 'ping' | 'pong' | 'stall' | 'final';

/**
 * `retry`: the wait before the next link; `rollOver`: the age of a link, and steps of its successor; `deaf`: checks for
 * sound without words; `idle`: checks of the source; `pace`: the wait before more of a backlog is sent.
 */
export type StreamTimer = 'retry' | 'rollOver' | 'idle' | 'deaf' | 'pace';

export type StreamEvent =
  | { readonly type: 'start' }
  /** A block is in the journal. */
  | ({ readonly type: 'audio' } & FrameRange)
  /** The audio from now on has another query. */
  | { readonly type: 'query'; readonly change: QueryChange }
  /** The audio goes to this service from now on. */
  | { readonly type: 'place'; readonly place: Place }
  /** The source has ended. */
  | { readonly type: 'finish' }
  /** The source or a part of this process has failed. */
  | { readonly type: 'fail'; readonly error: unknown }
  /** The subscriber has unsubscribed. */
  | { readonly type: 'close' }
  /** Every hole has its text. */
  | { readonly type: 'repaired' }
  | { readonly type: 'timeout'; readonly timer: StreamTimer }
  | { readonly type: 'expired'; readonly timer: LinkTimer; readonly link: number }
  | (SocketEvent & { readonly link: number });

export type StreamEffect =
  | { readonly type: 'connect'; readonly link: Link }
  /** Send a chunk. With `isMore`, `writable` has to follow, as more audio waits. */
  | { readonly type: 'send'; readonly link: number; readonly chunk: Chunk; readonly isMore: boolean }
  /** Send silence that the source does not have. */
  | { readonly type: 'pad'; readonly link: number; readonly frames: number }
  | { readonly type: 'sendEnd' | 'ping'; readonly link: number }
  /** Close a link at once, with its timers. */
  | { readonly type: 'disconnect'; readonly link: number }
  /** Start or restart a timer, or stop it; one of a link where there is one. */
  | {
      readonly type: 'timer';
      readonly timer: LinkTimer | StreamTimer;
      readonly link?: number;
      readonly delayMs: number | undefined;
    }
  /** Hold the gates of sources: the gate that was given, or that of the demand as well. */
  | { readonly type: 'hold'; readonly gates: Flow['held'] }
  /** Everything before a frame is final, silence or given up. */
  | { readonly type: 'settled'; readonly frame: number }
  /** The audio before a frame is not needed any more, but for the margins of repairs. */
  | { readonly type: 'release'; readonly frame: number }
  /** The audio of a hole, margins included, is needed until it is repaired. */
  | { readonly type: 'keep'; readonly range: FrameRange }
  /** Get the text of a hole, whose audio is complete. */
  | { readonly type: 'repair'; readonly hole: Hole }
  /** The audio from a frame on has another query, or the one before again after a refusal: write it down. */
  | ({ readonly type: 'query'; readonly isRefusal: boolean } & QuerySpan)
  /** The source has ended: write it down. */
  | { readonly type: 'finished' }
  /** No more audio comes: wait until every hole has its text. */
  | { readonly type: 'awaitRepairs' }
  /** Close all links, and stop all timers. */
  | { readonly type: 'stop' }
  | { readonly type: 'transcript'; readonly event: LiveEvent }
  | { readonly type: 'status'; readonly status: StreamStatus }
  /** Everything is over: the last effect. */
  | { readonly type: 'end'; readonly how: StreamEnd };

/** `left`: the subscriber has unsubscribed, and a spool stays for a later process. */
export type StreamEnd = 'complete' | 'left' | StreamFailure;

/** The surroundings of a stream at the moment of an event. */
export interface StreamView {
  /** Milliseconds of the clock. */
  readonly nowMs: number;
  /** Returns the bytes that wait in the socket of a link. */
  bufferedBytes(link: number): number;
  /** Returns the first audio from a frame of the source on; undefined when there is none, or it cannot be read. */
  read(frame: number, maxFrames: number): Chunk | undefined;
  /** Returns the frames of sound in a range of the source. */
  soundFrames(fromFrame: number, toFrame: number): number;
}

/** A step of the machine while it is taken. */
export interface Step {
  readonly view: StreamView;
  /** Effects so far, in order: each function of the machine adds its own. */
  readonly effects: StreamEffect[];
}

/** The state after an event, and what it has to cause. */
export interface StreamStep {
  readonly state: StreamState;
  readonly effects: readonly StreamEffect[];
}
