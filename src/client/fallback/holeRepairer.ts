import { bytesPerFrame } from '../../audio/format/format.ts';
import { type FrameRange, isSameRange, secondsAt } from '../../audio/format/frameRange.ts';
import { RxscribeError } from '../../base/errors.ts';
import type { LiveEvent, RepairEvent } from '../../transcript/model/events.ts';
import { spliceRepair } from '../../transcript/repair/spliceRepair.ts';
import { audioOfHole, type FallbackContext, type Hole } from '../stream/fallback.ts';

import { type AudioCut, audioIn, cutAudio, splitRange } from './cutAudio.ts';
import { type HoleJobOptions, type HoleResult, type SubmittedJob, transcribeCut } from './holeJob.ts';
import { createNearbyEvents } from './nearbyEvents.ts';

/** A job of an earlier process. */
export interface EarlierJob extends SubmittedJob {
  readonly hole: FrameRange;
}

export interface HoleRepairerOptions {
  readonly context: Pick<FallbackContext, 'format' | 'query' | 'store' | 'emit' | 'status' | 'note'>;
  readonly marginSeconds: number;
  /** Maximum seconds of audio of one job; longer audio goes to several jobs. */
  readonly maxJobSeconds: number;
  readonly earlierJobs?: readonly EarlierJob[];
  /** Returns the options of the job for a range with a query. */
  readonly jobs: (range: FrameRange, query: Hole['query']) => HoleJobOptions;
}

/** Gets the text of holes and inserts it into the transcript. */
export interface HoleRepairer {
  observe(event: LiveEvent): void;
  /**
   * Repairs the audio of a hole that the store has; the rest stays a hole. Where the source skipped a moment within the hole,
   * the job gets silence.
   *
   * @throws as `transcribeCut`; RxscribeError `audio-missing` when the store has no audio of the hole
   */
  repair(hole: Hole): Promise<void>;
}

/** Bytes of audio of one upload: services accept 2 GB in all. */
const MAX_JOB_BYTES = 1.9e9;
/** Maximum seconds of a gap within one job: some sources skip moments all the time, too short to be worth two jobs. */
const BRIDGED_SECONDS = 2;

export function createHoleRepairer(options: HoleRepairerOptions): HoleRepairer {
  const { context, marginSeconds, maxJobSeconds, earlierJobs = [], jobs } = options;
  const { format, query, store, emit, status, note } = context;
  const { sampleRate } = format;
  const nearby = createNearbyEvents(marginSeconds);
  const mostFrames = Math.min(maxJobSeconds * sampleRate, MAX_JOB_BYTES / bytesPerFrame(format));
  const maxFrames = Math.max(1, Math.floor(mostFrames - 2 * marginSeconds * sampleRate));
  const tsOf = (frame: number) => secondsAt(frame, { sampleRate, startTs: query.startTs });

  async function repairPart(range: FrameRange, holeQuery: Hole['query']): Promise<void> {
    const cut = cutAudio(range, { store, format, marginSeconds });
    if (!cut) throw audioMissing(range);
    const earlier = earlierJobs.findLast(({ hole }) => isSameRange(hole, range));
    const onSubmitted = (job: SubmittedJob) => {
      note({ type: 'job', hole: range, ...job });
      status({ type: 'repairing', ...range, jobId: job.jobId });
    };
    const options = jobs(range, holeQuery);
    const result = await transcribeCut({ range, cut, sampleRate, earlier, onSubmitted }, options);
    options.retry.signal.throwIfAborted();
    const event = repairOf(range, cut, result);
    emit(event);
    status({ type: 'repaired', ...range, jobId: result.jobId });
    await result.tidy();
  }

  function repairOf(range: FrameRange, cut: AudioCut, { jobId, transcript }: HoleResult): RepairEvent {
    const span = { ts: tsOf(range.startFrame), endTs: tsOf(range.endFrame) };
    const monologues = spliceRepair(transcript, {
      ...span,
      audioTs: tsOf(cut.startFrame),
      beside: nearby.around(span),
      speakersInUse: nearby.speakers,
    });
    return { type: 'repair', ...span, monologues, jobId };
  }

  return {
    observe: nearby.observe,
    async repair(hole) {
      try {
        const parts = audioIn(hole, { store, bridgedFrames: BRIDGED_SECONDS * sampleRate });
        if (parts.length === 0) throw audioMissing(hole);
        const ranges = parts.flatMap(part => splitRange(part, maxFrames));
        for (const range of ranges) await repairPart(range, hole.query);
        store.letGo(audioOfHole(hole, { marginSeconds, sampleRate }));
      } finally {
        nearby.letGo(hole.event);
      }
    },
  };
}

function audioMissing({ startFrame, endFrame }: FrameRange): RxscribeError {
  const message = `Cannot repair frames ${startFrame} to ${endFrame}: the audio is no longer stored.`;
  return new RxscribeError('audio-missing', message);
}
