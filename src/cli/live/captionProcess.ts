import { skip, take } from 'rxjs';
import { InvalidArgumentError, messageOf, RxscribeError } from '../../base/errors.ts';
import { printable } from '../../base/text.ts';
import { operatorRoutes } from '../../captions/control/operatorRoutes.ts';
import { type CaptionPage, openCaptionPage } from '../../captions/outputs/page/captionPage.ts';
import type { Context } from '../context.ts';
import type { ProcessFlags } from '../flags/captionOptions.ts';
import { type Interruption, unlessAborted } from '../interruption.ts';
import { type CaptionReport, captionHealth, captionMetrics } from '../print/captionMetrics.ts';
import { statusLine } from '../print/captionStatus.ts';
import { closingEmbedded } from '../service/startEmbedded.ts';
import { runCaption } from './captionRun.ts';
import type { CaptionRun } from './captionRuns.ts';
import { type CaptionSource, openSource } from './captionSource.ts';
import type { LiveCommand } from './liveCommand.ts';
import { processorSeconds } from './processorTime.ts';

/**
 * Captions sources, each to its end, in one process with one service and one page. A source that fails does not end the
 * others; its error is thrown at the end.
 *
 * @param command its interruption, of two steps, and the service to use where a source names none, which is closed at the end
 */
export async function runCaptions(
  context: Context,
  runs: readonly CaptionRun[],
  { flags, command }: { readonly flags: ProcessFlags; readonly command: LiveCommand },
): Promise<void> {
  const { interruption, starting } = command;
  // If the page cannot be opened, the service is closed once its start has ended.
  await using _service = closingEmbedded(starting);
  await using page = flags.page && (await openPage(flags.page, flags, context));
  const service = await starting?.catch(unlessAborted(interruption.signal));
  if (starting && !service) return;
  const sources: CaptionSource[] = [];
  const report = createReport(sources, page);
  if (page) addRoutes(page, report);
  const state = (text: string) => sources[0]?.view.state(text) ?? false;
  const stopStatus = flags.status ? statusLine(report, { ...context, state }) : () => {};
  const shared = { interruption, hurry: hurrySignal(interruption), service, page };
  const warn = (run: CaptionRun) => (error: unknown) => {
    sources.find(({ name }) => name === run.name)?.stats.fail();
    if (runs.length > 1) context.stderr.write(`${run.name}: error: ${printable(messageOf(error))}\n`);
    throw error;
  };
  const opening = runs.map(run => ({ run, opened: openSource(context, run, shared) }));
  const opened = await Promise.allSettled(opening.map(each => each.opened));
  sources.push(...opened.flatMap(end => (end.status === 'fulfilled' ? [end.value] : [])));
  const addresses = page?.addresses.filter(address => address !== page.url) ?? [];
  context.stderr.write(addresses.map(address => `  ${address}\n`).join(''));
  if (page && flags.operatorToken !== undefined && sources.length > 0) {
    const operator = { token: flags.operatorToken, viewers: () => page.viewers, clock: context.clock };
    page.route('/operator', operatorRoutes(sources, operator));
  }
  const waits = interruption.interrupted$.pipe(take(1)).subscribe(() => noteWaiting(sources));
  const running = opening.map(({ run, opened }) =>
    opened.then(source => runCaption(context, run, source, shared)).catch(warn(run)),
  );
  const ends = await Promise.allSettled(running);
  waits.unsubscribe();
  await stopStatus();
  throwFailure(ends);
}

/** Throws the error of the only source; of several, an error with the code of the first one, since each was reported at once. */
function throwFailure(ends: readonly PromiseSettledResult<void>[]): void {
  const failures = ends.filter(end => end.status === 'rejected').map(({ reason }): unknown => reason);
  if (failures.length === 0) return;
  const [first] = failures;
  const isReported = ends.length > 1 && first instanceof RxscribeError;
  throw isReported
    ? new RxscribeError(first.code, `${failures.length} of ${ends.length} rooms failed.`)
    : first;
}

async function openPage(
  address: NonNullable<ProcessFlags['page']>,
  { publicUrl, trustProxy, operatorToken }: ProcessFlags,
  { stderr, clock }: Context,
): Promise<CaptionPage> {
  try {
    const onNote = (note: string) => stderr.write(`${note}\n`);
    const page = await openCaptionPage({ ...address, publicUrl, trustProxy, onNote, clock });
    stderr.write(`Captions: ${page.url}\n`);
    if (operatorToken !== undefined) stderr.write(`Operator: ${new URL('operator', page.url)}\n`);
    return page;
  } catch (cause) {
    // Wrong usage: another port helps, whereas the error code of the page means an unreachable service.
    const isUsage = cause instanceof RxscribeError && cause.code === 'unavailable';
    throw isUsage ? new InvalidArgumentError(cause.message, { cause }) : cause;
  }
}

function addRoutes(page: CaptionPage, report: () => CaptionReport): void {
  page.route('/metrics', (_, response) => {
    response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
    response.end(captionMetrics(report()));
  });
  page.route('/health', (_, response) => {
    const { ok, body } = captionHealth(report());
    response.statusCode = ok ? 200 : 503;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
}

/** Returns a function that reports on all sources since their start. */
function createReport(sources: readonly CaptionSource[], page: CaptionPage | undefined): () => CaptionReport {
  const processorBefore = processorSeconds();
  return () => {
    const rooms = sources.map(source => source.report());
    const audioSeconds = rooms.reduce((sum, { figures }) => sum + figures.audioSeconds, 0);
    const seconds = processorSeconds() - processorBefore;
    return {
      rooms,
      computeRatio: audioSeconds === 0 ? 0 : seconds / audioSeconds,
      viewers: page?.viewers,
    };
  };
}

/** Notes why an interrupted process continues: delayed outputs still show their captions. */
function noteWaiting(sources: readonly CaptionSource[]): void {
  for (const { report, view } of sources) {
    const seconds = Math.max(0, ...report().outputs.map(({ delaySeconds }) => delaySeconds));
    if (seconds === 0) continue;
    const message = `Delayed outputs show the last captions within ${seconds} s. Press Ctrl-C to show them at once.`;
    view.note({ code: 'waiting', message });
  }
}

/** Returns a signal that is aborted by the second interruption. */
function hurrySignal({ interrupted$ }: Pick<Interruption, 'interrupted$'>): AbortSignal {
  const hurry = new AbortController();
  interrupted$.pipe(skip(1)).subscribe(() => hurry.abort());
  return hurry.signal;
}
