import { takeUntil, tap } from 'rxjs';
import { transcribe } from '../client/stream/transcribe.ts';
import { createGate } from '../flow/gate.ts';
import type { StreamQuery } from '../protocol/streamQuery.ts';
import { emptyLiveTranscript, mergeTranscript } from '../transcript/merge.ts';
import { type CaptionInput, captionAudio } from './captionInput.ts';
import type { EmbeddedService } from './embeddedService.ts';
import { takeInterruptions } from './interruption.ts';
import { jsonView } from './jsonView.ts';
import type { ServiceFlags } from './serviceOptions.ts';
import { terminalView } from './terminalView.ts';
import { writeTranscriptFile } from './transcriptFile.ts';

/** One run of `rxscribe caption`, as asked for. */
export interface CaptionRun extends Omit<StreamQuery, 'contentType'>, ServiceFlags {
  readonly input: CaptionInput;
  readonly speed: number | 'max';
  readonly out: readonly string[];
  readonly json?: boolean;
  /** Hz. */
  readonly rate: number;
  readonly channels: number;
}

/**
 * Captions an input to its end, or to the first SIGINT or SIGTERM: then the last final still arrives.
 *
 * @param starting the service to use where the run names none; it is closed at the end
 */
export async function runCaption(run: CaptionRun, starting?: Promise<EmbeddedService>): Promise<void> {
  const { input, speed, out, json, rate, channels, ...asked } = run;
  const { url, token, brand: _brand, engine: _engine, model: _model, pause: _pause, ...query } = asked;
  using interruption = takeInterruptions();
  await using service = await starting;
  const gate = createGate();
  const live = transcribe({
    ...query,
    url: service?.url ?? url!,
    token: service?.token ?? token!,
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
    throw error;
  } finally {
    // Also of a run that failed: what was final is worth keeping.
    statuses.unsubscribe();
    await view.close(latest.transcript);
    await Promise.all(out.map(path => writeTranscriptFile(path, latest.transcript)));
  }
}
