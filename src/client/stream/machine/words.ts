import type { FinalEvent, LiveEvent } from '../../../transcript/model/events.ts';
import { withoutTail, withWords } from '../recovery/lateness.ts';
import { type ReportedStep, withFinal, withPartial, withRead, withRest } from '../recovery/reportedAudio.ts';
import { gridFrame } from '../recovery/resume.ts';
import { withPressure } from './flow.ts';
import { withoutHedge } from './hedge.ts';
import { withSettled } from './holes.ts';
import { open, openOrEnd, takeOver, withAwaited } from './links.ts';
import type { Link, StreamEffect, StreamState, StreamStep, StreamView, WordsEvent } from './model.ts';
import { chain, settledFrameOf, step, waitingFrames, withoutSuccessor } from './steps.ts';

/** Takes words of the current link, with the times of the source. */
export function onWords(state: StreamState, current: Link, event: WordsEvent, view: StreamView): StreamStep {
  const { sampleRate, startTs = 0 } = state.reported.time;
  const endFrame = gridFrame(event.endTs - startTs, sampleRate);
  const words = { type: event.type, endFrame, nowMs: view.nowMs };
  const hasWords = event.elements.length > 0;
  const lateness = hasWords ? withWords(state.lateness, words) : withoutTail(state.lateness);
  const next = { ...state, lateness };
  if (event.type === 'final') return onFinal(next, current, event, view);
  const reported = withPartial(state.reported, event, current.sentFrame, state.gaps);
  return step({ ...next, reported }, { type: 'transcript', event });
}

/** Takes the words of a link that heard the audio beside another one, and is now the current one. */
export function withHeard(state: StreamState, link: Link, view: StreamView): StreamStep {
  const { heard = [] } = link;
  return heard.reduce(
    (before, event) =>
      chain(before, after =>
        after.current?.id === link.id ? onWords(after, after.current, event, view) : step(after),
      ),
    step({ ...state, current: { ...link, heard: undefined } }),
  );
}

function onFinal(state: StreamState, current: Link, final: FinalEvent, view: StreamView): StreamStep {
  const place = { sentFrame: current.sentFrame, isFirst: !current.hasFinal };
  const link = { ...current, hasFinal: true };
  return chain(
    settle({ ...state, current: link }, withFinal(state.reported, final, place, state.gaps), view),
    // Another link would hear words again that are final now.
    after => withoutHedge(after),
    // Repeated words are no progress: the outage goes on.
    after =>
      step(
        isProgress(state, after)
          ? { ...after, current: withAwaited(link, after, view), outage: undefined }
          : after,
      ),
    // The successor takes over after a final, where no words are pending.
    after => (after.successor?.connected ? takeOver(after, after.successor, view) : step(after)),
  );
}

/** The service has read the audio that was sent before its last ping over the current link. */
export function onRead(state: StreamState, current: Link, view: StreamView): StreamStep {
  const { awaited, sentFrame, pingedSourceFrame: readFrame } = current;
  if (!awaited) return step(state);
  const elapsedSeconds = (view.nowMs - awaited.sinceMs) / 1000;
  const read = { readFrame, originFrame: awaited.fromFrame, elapsedSeconds };
  const { isIdle, frame } = state.idle;
  // A paused source has nothing to settle; an answered ping is progress then.
  const isPaused = isIdle && frame === sentFrame && waitingFrames(state) === 0;
  return chain(settle(state, withRead(state.reported, read, state.gaps), view), after => {
    const isWell = isProgress(state, after) || (isPaused && !state.isFinishing);
    return step(isWell ? { ...after, outage: undefined } : after);
  });
}

/** The service has given all words of the audio that was sent: of the whole source, or of that before a pause. */
export function onRest(state: StreamState, current: Link, view: StreamView): StreamStep {
  const rested = withRest(state.reported, current.sentFrame, state.gaps);
  // Also without `connected` or words, which a service may leave out: it has accepted the stream.
  const accepted = { wasConnected: true, accepted: state.query.query, outage: undefined };
  const rest = withoutSuccessor({ ...state, ...accepted, current: undefined });
  return chain(
    rest,
    after => settle(after, rested, view),
    after => {
      if (after.isFinishing) return openOrEnd(after, view);
      return waitingFrames(after) > 0 ? open(after, view) : withPressure(after, view);
    },
  );
}

function isProgress(before: StreamState, after: StreamState): boolean {
  return settledFrameOf(after) > settledFrameOf(before);
}

/** Returns the step after newly reported events. */
function settle(state: StreamState, { reported, events }: ReportedStep, view: StreamView): StreamStep {
  const next = { ...state, reported };
  if (events.length === 0) return step(next);
  const frame = settledFrameOf(next);
  const holes = withSettled(state.holes, frame);
  const emits = events.map((event: LiveEvent): StreamEffect => ({ type: 'transcript', event }));
  const settled = step({ ...next, holes }, ...emits, { type: 'settled', frame });
  return chain(settled, after => withPressure(after, view));
}
