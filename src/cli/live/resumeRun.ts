import { secondsAt } from '../../audio/format/frameRange.ts';
import { refuseIf } from '../../base/errors.ts';
import { writeTranscriptFiles } from '../../captions/files/transcriptFiles.ts';
import { type AbandonedHoles, abandonedHoles } from '../../client/fallback/abandonedHoles.ts';
import type { RepairProgress } from '../../client/fallback/holeJob.ts';
import { resumeSpool } from '../../client/fallback/resumeSpool.ts';
import { readSpool } from '../../client/spool/openSpool.ts';
import { resumeLine } from '../../client/spool/resumeLine.ts';
import type { AbandonedSpool } from '../../client/spool/spool.ts';
import type { Hole } from '../../client/stream/fallback.ts';
import { HUMAN_LIMITS } from '../../protocol/limits.ts';
import { clockTime } from '../../transcript/formats/timestamp.ts';
import type { Context } from '../context.ts';
import type { ProgressLine } from '../print/progressLine.ts';
import { type ServiceUse, useService } from '../service/useService.ts';
import { resumeOutput } from './resumeOutput.ts';
import { type ResumeService, type ResumeServiceFlags, resumeService } from './resumeService.ts';

/** Flags of `rxscribe resume`. */
export interface ResumeFlags extends ResumeServiceFlags {
  readonly out: readonly string[];
  readonly json?: boolean;
  readonly human?: boolean;
}

/** Finishes a transcript, prints and writes it, and deletes the spool; while parts are missing, the spool stays. */
export async function runResume(context: Context, path: string, flags: ResumeFlags): Promise<void> {
  const spool = readSpool(path);
  try {
    const left = abandonedHoles(spool);
    const recognizes = left.holes.length > 0;
    // Without a job, an embedded service starts at once, and no other service is called.
    const service = recognizes ? resumeService(spool, flags) : { isChosen: true };
    const { url, token } = service;
    const isForNobody = flags.human && recognizes && url === undefined;
    refuseIf(isForNobody, '--human requires --url, or a spool that names its service.');
    const work = (use: ServiceUse) =>
      resumeAt(context, { ...use, ...service, url: use.url, left }, spool, flags);
    await useService(context, { ...flags, url, token }, work, { recognizes });
  } finally {
    // Unless it was finished, the spool stays.
    spool.close();
  }
}

async function resumeAt(
  context: Context,
  use: Pick<ServiceUse, 'url' | 'progress' | 'signal'> &
    ResumeService & { readonly token: string; readonly left: AbandonedHoles },
  spool: AbandonedSpool,
  flags: ResumeFlags,
): Promise<void> {
  const { progress, signal, token, url, isChosen, left } = use;
  const { out, json = false, brand, human } = flags;
  using output = resumeOutput(context.stdout, { json, progress });
  const again = resumeLine(spool.path, { url: flags.url, human });
  signal.addEventListener('abort', () => progress.note(`The spool is kept. To finish it, run: ${again}`));
  if (!spool.notes.some(({ type }) => type === 'ended')) output.warning(NOT_ENDED);
  const resumed = await resumeSpool(spool, {
    brand,
    signal,
    token,
    left,
    transcriber: human ? 'human' : undefined,
    url: isChosen ? url : undefined,
    onEvent: output.event,
    onStatus: output.status,
    onProgress: createProgress(progress, spool),
  });
  const { beyondRepair, live } = resumed;
  if (beyondRepair.length > 0) output.warning({ code: 'beyond-repair', message: lossOf(beyondRepair) });
  const { transcript } = live;
  // The files are written first: the reader of stdout may have stopped reading.
  const found = new Set<string>();
  await writeTranscriptFiles(out, transcript, { paragraphs: true, onNote: note => found.add(note) });
  for (const message of found) output.warning({ code: 'output', message });
  await output.close(transcript);
  if (resumed.failure) throw resumed.failure;
  resumed.finish();
}

/** Maximum number of parts named in a message; further ones are counted. */
const MAX_NAMED = 5;

function lossOf(holes: readonly Hole[]): string {
  const spans = holes.slice(0, MAX_NAMED).map(({ event }) => `${event.ts} to ${event.endTs} s`);
  const more = holes.length > MAX_NAMED ? ` and ${holes.length - MAX_NAMED} more` : '';
  return `The audio from ${spans.join(', ')}${more} is lost, so these parts have no text.`;
}

const NOT_ENDED = {
  code: 'source-not-ended',
  message: 'The recording was cut off: speech after the process was killed is not in the spool.',
};

/** Returns a function that shows the progress of a repair, and notes each human job once. */
function createProgress(
  progress: ProgressLine,
  { format, subject }: AbandonedSpool,
): (step: RepairProgress) => void {
  const time = { sampleRate: format.sampleRate, startTs: subject.query.startTs };
  const at = (frame: number) => clockTime(secondsAt(frame, time), 'mm:ss');
  const noted = new Set<string>();
  return step => {
    const span = `${at(step.startFrame)}–${at(step.endFrame)}`;
    if (step.type === 'uploading') {
      progress.show(`uploading ${span}`, step.sentBytes / step.totalBytes);
    } else if (step.transcriber === 'human') {
      if (!noted.has(step.jobId)) progress.note(`A person transcribes ${span}: job ${step.jobId}.`);
      noted.add(step.jobId);
      progress.show(WAITING_FOR_PEOPLE);
    } else {
      progress.show(`transcribing ${span}`, step.percent === undefined ? undefined : step.percent / 100);
    }
  };
}

const { least, most } = HUMAN_LIMITS.turnaroundHours;
const WAITING_FOR_PEOPLE = `waiting for people, who take ${least} to ${most} hours; Ctrl-C keeps the spool`;
