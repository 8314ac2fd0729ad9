import { existsSync } from 'node:fs';
import { InvalidArgumentError, messageOf, RxscribeError } from '../base/errors.ts';
import type { RepairProgress } from '../client/fallback/holeJob.ts';
import { leftHoles } from '../client/fallback/leftHoles.ts';
import { resumeSpool } from '../client/fallback/resumeSpool.ts';
import { readSpool } from '../client/spool/readSpool.ts';
import type { LeftSpool } from '../client/spool/spool.ts';
import { readSpoolKey } from '../client/spool/spoolKey.ts';
import { secondsAt } from '../client/stream/secondsAt.ts';
import type { StreamStatus } from '../client/stream/status.ts';
import { clockTime } from '../transcript/formats/clockTime.ts';
import type { Transcript } from '../transcript/model.ts';
import { jsonView } from './jsonView.ts';
import type { ProgressLine } from './progressLine.ts';
import { checkServiceFlags, type ServiceFlags } from './serviceOptions.ts';
import { transcriptAs, writeTranscriptFile } from './transcriptFile.ts';
import { type ServiceUse, useService } from './useService.ts';

/** The options of `rxscribe resume`. */
export interface ResumeFlags extends ServiceFlags {
  readonly spoolKeyFile?: string;
  readonly out: readonly string[];
  readonly json?: boolean;
}

/** Finishes a transcript, prints and writes it, and deletes the spool; where parts are missing still, the spool stays. */
export async function runResume(path: string, flags: ResumeFlags): Promise<void> {
  const { spoolKeyFile } = flags;
  if (!existsSync(path))
    throw new RxscribeError('unreadable-input', `resume ${path}: there is no such spool`);
  const spool = readSpool(path, { key: spoolKeyFile === undefined ? undefined : readSpoolKey(spoolKeyFile) });
  try {
    const url = flags.url ?? spool.subject.addresses[0];
    checkAddress({ ...flags, url }, path);
    const recognizes = leftHoles(spool).holes.length > 0;
    await useService({ ...flags, url }, use => resumeAt(use, spool, flags), { recognizes });
  } finally {
    // As it is, unless all is done.
    spool.close();
  }
}

/** What the flags say of a service has to go with the one that the spool names. */
function checkAddress(flags: ServiceFlags, path: string): void {
  if (flags.url !== undefined && !flags.token) {
    throw new InvalidArgumentError(
      `resume: needs --token (or RXSCRIBE_TOKEN) for ${flags.url}, the service of ${path}`,
    );
  }
  checkServiceFlags(flags, 'resume');
}

async function resumeAt(
  use: ServiceUse,
  spool: LeftSpool,
  { url, out, json, brand }: ResumeFlags,
): Promise<void> {
  const { progress, signal } = use;
  const view = json ? jsonView(process.stdout) : undefined;
  const tellDelay = delayNotes(progress);
  signal.addEventListener('abort', () => progress.note(`the spool stays: rxscribe resume ${spool.path}`));
  const resumed = await resumeSpool(spool, {
    ...{ brand, signal, token: use.token },
    ...((use.isEmbedded || url !== undefined) && { url: use.url }),
    onEvent: event => view?.event(event),
    onStatus: status => {
      if (status.type === 'warning') view?.warning(status);
      else view?.status(status);
      tellDelay(status);
    },
    onProgress: step => showProgress(progress, spool, step),
  });
  const { transcript } = resumed.live;
  progress.hide();
  if (view) await view.close(transcript);
  else await printed(transcript);
  await Promise.all(out.map(file => writeTranscriptFile(file, transcript)));
  if (resumed.failure) throw resumed.failure;
  resumed.finish();
}

/** Once a reason, however often it is tried again. */
function delayNotes(progress: ProgressLine): (status: StreamStatus) => void {
  let last = '';
  return status => {
    if (status.type !== 'repair-delayed') return;
    const reason = messageOf(status.error);
    if (reason !== last) progress.note(`waiting: ${reason}`);
    last = reason;
  };
}

function showProgress(progress: ProgressLine, { format, subject }: LeftSpool, step: RepairProgress): void {
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const at = (frame: number) => clockTime(secondsAt(frame, time), 'mm:ss');
  const what = `${step.type} ${at(step.startFrame)}–${at(step.endFrame)}`;
  if (step.type === 'uploading') progress.show(what, step.sentBytes / step.totalBytes);
  else progress.show(what, step.percent === undefined ? undefined : step.percent / 100);
}

/** Resolves when it is written: only then the spool may go. */
function printed(transcript: Transcript): Promise<void> {
  return new Promise(resolve => process.stdout.write(transcriptAs('.txt', transcript), () => resolve()));
}
