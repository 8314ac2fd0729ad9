import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { from } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { RxscribeError } from '../../../src/base/errors.ts';
import { captionSteps } from '../../../src/captions/captionSteps.ts';
import type { CaptionView } from '../../../src/cli/print/captionView.ts';
import { jsonView } from '../../../src/cli/print/jsonView.ts';
import { terminalView } from '../../../src/cli/print/terminalView.ts';
import { emptyLiveTranscript, mergeEvent } from '../../../src/transcript/merge/merge.ts';
import type { LiveEvent } from '../../../src/transcript/model/events.ts';
import { jsonLines } from '../../helpers/commandLine.ts';
import { final, hole, repair, silence } from '../../helpers/transcriptEvents.ts';

const stream = () => new PassThrough() as unknown as PassThrough & NodeJS.WriteStream;
const gap = hole(12.005, 19.5);
const events: readonly LiveEvent[] = [
  { type: 'connected', id: 'a' },
  silence(0, 10),
  final('Hello there.', 10, 12),
  gap,
  { ...final('Yes.', 10, 12, 1), channel: 1 },
  hole(3599, 3601, 'gave-up'),
  repair(gap, final('Well,', 13, 14, 2)),
];
const { transcript } = events.reduce(mergeEvent, emptyLiveTranscript);

async function close(view: CaptionView, ...outputs: readonly PassThrough[]): Promise<void> {
  await view.close(transcript);
  for (const output of outputs) output.end();
}

describe('the JSON of captions', () => {
  async function printed(act: (view: CaptionView) => void): Promise<readonly Record<string, unknown>[]> {
    const output = stream();
    const view = jsonView(output);
    act(view);
    await close(view, output);
    return jsonLines(await text(output));
  }

  test('has a line for each hole, silence and repair, and the channel of separate streams', async () => {
    const lines = await printed(view => {
      for (const event of events) view.event(event);
    });
    const elements = [
      { type: 'text', value: 'Well', ts: 13, end_ts: 14 },
      { type: 'punct', value: ',' },
    ];
    expect(lines.slice(0, -1)).toMatchObject([
      { type: 'silence', ts: 0, end_ts: 10 },
      { type: 'final', ts: 10, end_ts: 12 },
      { type: 'hole', ts: 12.01, end_ts: 19.5, cause: 'dropped' },
      { type: 'final', speaker_id: 1, channel: 1 },
      { type: 'hole', ts: 3599, end_ts: 3601, cause: 'gave-up' },
      { type: 'repair', ts: 12.01, end_ts: 19.5, job_id: 'job1', monologues: [{ speaker: 2, elements }] },
    ]);
  });

  test('ends with the transcript and its coverage', async () => {
    const [last] = await printed(() => {});
    expect(last).toMatchObject({ type: 'transcript', transcript: { monologues: [{ speaker: 0 }, {}, {}] } });
    expect(last!.coverage).toEqual([
      { ts: 0, end_ts: 10, kind: 'silence' },
      { ts: 10, end_ts: 12, kind: 'final', provenance: 'live' },
      { ts: 10, end_ts: 12, kind: 'final', provenance: 'live', channel: 1 },
      { ts: 12.01, end_ts: 13, kind: 'silence', provenance: 'repaired' },
      { ts: 13, end_ts: 14, kind: 'final', provenance: 'repaired' },
      { ts: 14, end_ts: 19.5, kind: 'silence', provenance: 'repaired' },
      { ts: 3599, end_ts: 3601, kind: 'hole', cause: 'gave-up' },
    ]);
  });

  test('has every status under the names of the wire, and errors by code and message', async () => {
    const error = new RxscribeError('unreachable', 'connect: no answer');
    const lines = await printed(view => {
      view.status({ type: 'progress', sentFrame: 1, bufferedFrames: 2, lagSeconds: 3 });
      view.status({ type: 'reconnecting', attempt: 1, delayMs: 20, error });
      view.status({ type: 'repaired', startFrame: 0, endFrame: 9, jobId: 'j' });
      view.status({ type: 'fallback' });
    });
    expect(lines.slice(0, -1)).toEqual([
      { type: 'status', status: 'progress', sent_frame: 1, buffered_frames: 2, lag_seconds: 3 },
      {
        ...{ type: 'status', status: 'reconnecting', attempt: 1, delay_ms: 20 },
        ...{ code: 'unreachable', message: 'connect: no answer' },
      },
      { type: 'status', status: 'repaired', start_frame: 0, end_frame: 9, job_id: 'j' },
      { type: 'status', status: 'fallback' },
    ]);
  });
});

describe('the captions of a terminal', () => {
  test('note holes and repairs on stderr', async () => {
    const [stdout, stderr] = [stream(), stream()];
    const view = terminalView(stdout, stderr);
    for (const event of events) view.event(event);
    from(events)
      .pipe(captionSteps())
      .subscribe(step => view.captions!.take(step));
    view.warning({ code: 'no-audio', message: 'odd' });
    await close(view, stdout, stderr);
    expect((await text(stderr)).split('\n')).toEqual([
      '00:12–00:20 not transcribed (dropped).',
      '59:59–60:01 not transcribed (gave up).',
      '00:12–00:20 repaired.',
      'warning: odd',
      '',
    ]);
    expect(await text(stdout)).toContain('Hello there.');
  });

  test('name the channel of notes', async () => {
    const [stdout, stderr] = [stream(), stream()];
    const view = terminalView(stdout, stderr);
    view.event({ ...gap, channel: 1 });
    view.event({ ...repair(gap), channel: 0 });
    await close(view, stdout, stderr);
    expect((await text(stderr)).split('\n')).toEqual([
      'Channel 1: 00:12–00:20 not transcribed (dropped).',
      'Channel 0: 00:12–00:20 repaired.',
      '',
    ]);
  });
});
