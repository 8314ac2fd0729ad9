import { describe, expect, test } from 'vitest';
import type { SourceStatus } from '../../../src/audio/source/reconnecting.ts';
import { captionHealth, captionMetrics } from '../../../src/cli/print/captionMetrics.ts';
import { CaptionStats } from '../../../src/cli/print/captionStats.ts';
import { statusText } from '../../../src/cli/print/captionStatus.ts';
import { final, partial } from '../../helpers/transcriptEvents.ts';

const source = (type: SourceStatus['type']) => ({ type, message: '', name: 'Microphone' });

/** A source that has had ten seconds of audio and is connected. */
function connected(): CaptionStats {
  const stats = new CaptionStats({ nowTs: 10 });
  stats.status({ type: 'connected', id: 'a' });
  return stats;
}

const counts = { shownText: '', shown: 1, skipped: 0, failures: 0 };
const page = { name: 'page', delaySeconds: 2, waitingWords: 0, ...counts };
const reportOf = ({ figures }: CaptionStats) => ({
  rooms: [{ name: '', figures, outputs: [{ ...page, wordDelay: { p50: 3.04, p95: 4.2 } }, page] }],
  computeRatio: 0.5,
});
const problemOf = (stats: CaptionStats) => {
  const { ok, body } = captionHealth(reportOf(stats));
  return [ok, (body as { rooms: readonly { problem?: string }[] }).rooms[0]!.problem];
};

describe('the figures of a source', () => {
  test('have the reason why there are no captions', () => {
    const stats = connected();
    expect(problemOf(stats)).toEqual([true, undefined]);
    stats.source(source('lost'));
    expect(problemOf(stats)).toEqual([false, 'no audio']);
    stats.source(source('back'));
    stats.status({ type: 'reconnecting', attempt: 1, delayMs: 100, error: new Error('lost') });
    expect(problemOf(stats)).toEqual([false, 'no service']);
    stats.status({ type: 'connected', id: 'b' });
    expect(problemOf(stats)).toEqual([true, undefined]);
    stats.source(source('silent'));
    expect(problemOf(stats)).toEqual([false, 'digital silence']);
    stats.source(source('audible'));
    expect(problemOf(stats)).toEqual([true, undefined]);
    stats.fail();
    expect(problemOf(stats)).toEqual([false, 'failed']);
  });

  test('name the microphone that is heard', () => {
    const stats = connected();
    stats.source({ ...source('device'), isOther: true });
    stats.source(source('silent'));
    expect(stats.figures.microphone).toEqual({ name: source('device').name, isOther: true });
    stats.source({ ...source('back'), isOther: false });
    expect(stats.figures.microphone?.isOther).toBe(false);
  });

  test('are those of a start until the service takes audio', () => {
    const stats = new CaptionStats({ nowTs: 0 });
    expect(problemOf(stats)).toEqual([false, 'starting']);
    stats.status({ type: 'reconnecting', attempt: 1, delayMs: 100, error: new Error('refused') });
    expect(problemOf(stats)).toEqual([false, 'no service']);
  });

  test('name the service in use from the start where there is a standby', () => {
    expect(new CaptionStats({ nowTs: 0 }, { hasStandby: true }).figures.service).toBe('first');
    expect(new CaptionStats({ nowTs: 0 }).figures.service).toBeUndefined();
  });

  test('have the peak of the last second, the service in use, and the seconds since the last word', () => {
    const stats = connected();
    stats.level({ rmsDb: -30, peakDb: -6 });
    for (let block = 0; block < 9; block++) stats.level({ rmsDb: -40, peakDb: -20 });
    stats.status({ type: 'switched', to: 'standby' });
    stats.event(final('Good morning.', 6, 7.5));
    stats.event(final('', 8, 9));
    expect(stats.figures).toMatchObject({ peakDb: -6, service: 'standby', sinceWordSeconds: 2.5 });
    stats.level({ rmsDb: Number.NEGATIVE_INFINITY, peakDb: Number.NEGATIVE_INFINITY });
    expect(stats.figures).toMatchObject({ peakDb: -20 });
  });

  test('count words and lost connections, beside the delay of the words of each output', () => {
    const stats = connected();
    stats.event(final('Good morning.', 8, 9.5));
    for (const attempt of [1, 2]) {
      stats.status({ type: 'reconnecting', attempt, delayMs: 100, error: new Error('lost') });
    }
    stats.status({ type: 'connected', id: 'b' });
    expect(stats.figures).toMatchObject({ words: 2, reconnects: 1, coverage: 1 });
    expect(statusText(reportOf(stats))).toBe(
      '3.0 s behind (p95 4.2) · 2 words · 1 reconnect · compute 0.50x',
    );
    stats.event(partial('How are', 10, 11));
    stats.source({ ...source('device'), isOther: true });
    const [room] = reportOf(stats).rooms;
    const youtube = { ...room!.outputs[0]!, name: 'youtube', failure: 'no answer' };
    const late = { ...youtube, wordDelay: { p50: 31.2, p95: 40 } };
    const text = statusText({
      rooms: [{ ...room!, outputs: [...room!.outputs, late] }],
      computeRatio: 0,
      viewers: 3,
    });
    // The first 40 columns.
    expect(text.slice(0, 40)).toBe('failing: youtube · other microphone · 3.');
    expect(text).toContain(
      '· 3.0 s behind (p95 4.2) · youtube 31.2 s · 4 words · 1 reconnect · 3 viewers · compute',
    );
    expect(captionMetrics(reportOf(stats)).match(/^rxscribe_captions_output_delay.*$/gm)).toEqual([
      'rxscribe_captions_output_delay_p50_seconds{room="",output="page"} 3.04',
      'rxscribe_captions_output_delay_p95_seconds{room="",output="page"} 4.2',
    ]);
  });
});
