import { existsSync, statSync } from 'node:fs';
import { RxscribeError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type { RepairProgress } from '../../client/fallback/holeJob.ts';
import { withKeyFile } from '../../client/fallback/holesRemainError.ts';
import { type LeftHoles, leftHoles } from '../../client/fallback/leftHoles.ts';
import { resumeSpool } from '../../client/fallback/resumeSpool.ts';
import { readSpool } from '../../client/spool/readSpool.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import type { LeftSpool } from '../../client/spool/spool.ts';
import { readSpoolKey } from '../../client/spool/spoolKey.ts';
import type { Hole } from '../../client/stream/fallback.ts';
import { secondsAt } from '../../client/stream/secondsAt.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import { writeTranscriptFiles } from '../files/transcriptFile.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { type ServiceUse, useService } from '../service/useService.ts';
import { resumeOutput } from './resumeOutput.ts';
import { type ResumeService, type ResumeServiceFlags, resumeService } from './resumeService.ts';

/** The options of `rxscribe resume`. */
export interface ResumeFlags extends ResumeServiceFlags {
  readonly spoolKeyFile?: string;
  readonly out: readonly string[];
  readonly json?: boolean;
}

/** Finishes a transcript, prints and writes it, and deletes the spool; where parts are missing still, the spool stays. */
export async function runResume(path: string, flags: ResumeFlags): Promise<void> {
  const { spoolKeyFile } = flags;
  if (!existsSync(path))
    throw new RxscribeError('unreadable-input', `resume ${path}: there is no such spool`);
  noteReading(path);
  const spool = readSpool(path, { key: spoolKeyFile === undefined ? undefined : readSpoolKey(spoolKeyFile) });
  try {
    const left = leftHoles(spool);
    const recognizes = left.holes.length > 0;
    // What needs no job needs no service either: one of our own is there at once.
    const service = recognizes ? resumeService(spool, flags) : { isChosen: true };
    const { url, token } = service;
    const use = (one: ServiceUse) => resumeAt({ ...one, ...service, url: one.url, left }, spool, flags);
    await useService({ ...flags, url, token }, use, { recognizes });
  } finally {
    // As it is, unless all is done.
    spool.close();
  }
}

/** It takes a while, in which nothing else is told. */
function noteReading(path: string): void {
  const { size } = statSync(path);
  if (size >= LARGE_BYTES) process.stderr.write(`reading ${oneLine(path)} (${Math.round(size / 1e6)} MB)\n`);
}

/** Read within a second. */
const LARGE_BYTES = 32e6;

async function resumeAt(
  use: Pick<ServiceUse, 'url' | 'progress' | 'signal'> &
    ResumeService & { readonly token: string; readonly left: LeftHoles },
  spool: LeftSpool,
  flags: ResumeFlags,
): Promise<void> {
  const { progress, signal, token, url, isChosen, left } = use;
  const { out, json = false, brand } = flags;
  using output = resumeOutput(process.stdout, { json, progress });
  const again = resumeLine(spool.path, { keyFile: flags.spoolKeyFile, url: flags.url });
  signal.addEventListener('abort', () => progress.note(`the spool stays: ${again}`));
  if (!hasEnded(spool)) output.warning(NOT_ENDED);
  const resumed = await resumeSpool(spool, {
    ...{ brand, signal, token, left },
    ...(isChosen && { url }),
    onEvent: output.event,
    onStatus: output.status,
    onProgress: step => showProgress(progress, spool, step),
  });
  const { beyondRepair, live } = resumed;
  if (beyondRepair.length > 0) output.warning({ code: 'beyond-repair', message: lossOf(beyondRepair) });
  const { transcript } = live;
  // Before it is printed: whoever reads that may have had enough.
  await writeTranscriptFiles(out, transcript);
  await output.close(transcript);
  if (resumed.failure) throw withKeyFile(resumed.failure, flags.spoolKeyFile);
  resumed.finish();
}

function hasEnded({ notes }: LeftSpool): boolean {
  return notes.some(({ type }) => type === 'ended');
}

/** Parts to name; of more, how many. */
const MAX_NAMED = 5;

function lossOf(holes: readonly Hole[]): string {
  const spans = holes.slice(0, MAX_NAMED).map(({ event }) => `${event.ts} to ${event.endTs} s`);
  const more = holes.length > MAX_NAMED ? ` and ${holes.length - MAX_NAMED} more` : '';
  return `the audio is gone of ${spans.join(', ')}${more}: these parts stay without text`;
}

const NOT_ENDED = {
  code: 'source-not-ended',
  message: 'the source had not ended: what was said after the process was killed is not in the spool',
};

function showProgress(progress: ProgressLine, { format, subject }: LeftSpool, step: RepairProgress): void {
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const at = (frame: number) => clockTime(secondsAt(frame, time), 'mm:ss');
  const what = `${step.type} ${at(step.startFrame)}–${at(step.endFrame)}`;
  if (step.type === 'uploading') progress.show(what, step.sentBytes / step.totalBytes);
  else progress.show(what, step.percent === undefined ? undefined : step.percent / 100);
}
