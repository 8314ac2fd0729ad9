import { existsSync } from 'node:fs';
import { takeUntil, tap } from 'rxjs';
import { transcribe } from '../client/stream/transcribe.ts';
import { createGate } from '../flow/gate.ts';
import type { StreamQuery } from '../protocol/streamQuery.ts';
import { emptyLiveTranscript, mergeTranscript } from '../transcript/merge.ts';
import { type CaptionInput, captionAudio } from './captionInput.ts';
import type { EmbeddedService } from './embeddedService.ts';
import { takeInterruptions } from './interruption.ts';
import { jsonView } from './jsonView.ts';
import { recoveryOptions } from './recovery.ts';
import type { RecoveryFlags } from './recoveryOptions.ts';
import type { ServiceFlags } from './serviceOptions.ts';
import { terminalView } from './terminalView.ts';
import { writeTranscriptFile } from './transcriptFile.ts';

/** One run of `rxscribe caption`, as asked for. */
export interface CaptionRun extends Omit<StreamQuery, 'contentType'>, ServiceFlags, RecoveryFlags {
  readonly input: CaptionInput;
  readonly speed: number | 'max';
  readonly out: readonly string[];
  readonly json?: boolean;
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
  readonly channelsApart?: boolean;
}

/**
 * Captions an input to its end, or to the first SIGINT or SIGTERM: then the last final still arrives.
 *
 * @param starting the service to use where the run names none; it is closed at the end
 */
export async function runCaption(run: CaptionRun, starting?: Promise<EmbeddedService>): Promise<void> {
  const { input, speed, out, json, rate, channels, channelsApart, ...asked } = run;
  using interruption = takeInterruptions();
  await using service = await starting;
  const gate = createGate();
  const live = transcribe({
    ...queryOf(asked),
    url: service?.url ?? [run.url!, ...run.nextUrl],
    token: service?.token ?? run.token!,
    ...recoveryOptions(run),
    channelStreams: channelsApart ? 'apart' : 'together',
    gate,
  });
  const view = json ? jsonView(process.stdout) : terminalView(process.stdout, process.stderr);

  let latest = emptyLiveTranscript;
  const statuses = live.status$.subscribe(status => {
    if (status.type === 'warning') view.warning(status);
    else view.status(status);
  });
  try {
    await captionAudio(input, { rate, channels, speed, gate, onWarning: view.warning })
      .pipe(
        takeUntil(interruption.interrupted$),
        live,
        tap(event => view.event(event)),
        mergeTranscript(),
      )
      .forEach(state => {
        latest = state;
      });
  } catch (error) {
    // A service of our own can say more than the code it closed with.
    await service?.ready;
    if (run.spool !== undefined && existsSync(run.spool)) {
      const message = `the audio is kept: "rxscribe resume ${run.spool}" finishes the transcript`;
      view.warning({ code: 'spool-left', message });
    }
    throw error;
  } finally {
    // Also of a run that failed: what was final is worth keeping.
    statuses.unsubscribe();
    await view.close(latest.transcript);
    await Promise.all(out.map(path => writeTranscriptFile(path, latest.transcript)));
  }
}

/** What the service is asked for: all but what is for this side. */
function queryOf(
  flags: Omit<CaptionRun, 'input' | 'speed' | 'out' | 'json' | 'rate' | 'channels' | 'channelsApart'>,
): Omit<StreamQuery, 'contentType'> {
  const { url: _url, token: _token, brand: _brand, engine: _engine, model: _model, ...more } = flags;
  const { pause: _pause, fallback: _fallback, spool: _spool, spoolKeyFile: _key, ...rest } = more;
  const { nextUrl: _nextUrl, giveUpAfter: _giveUpAfter, ...query } = rest;
  return query;
}
