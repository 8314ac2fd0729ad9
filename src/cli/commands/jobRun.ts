import type { Client } from '../../client/jobs/createClient.ts';
import type { DeletableJobs, JobArea } from '../../client/jobs/jobArea.ts';
import type { Job, LegacyJob } from '../../client/jobs/jobTypes.ts';
import { JobSchema } from '../../protocol/jobs.ts';
import { encodeTranscript } from '../../protocol/transcriptJson.ts';
import { toWire } from '../../protocol/wireNames.ts';
import type { ListFlags } from '../flags/listOptions.ts';
import { jsonText } from '../flags/resultOptions.ts';
import { takeList } from '../flags/takeList.ts';
import { type Column, printRecords } from '../print/records.ts';
import { useService } from '../service/useService.ts';
import type { AreaName, JobFlags, JobTranscriptFlags } from './jobFlags.ts';

/** A job of any area: legacy ones have no type. */
type ListedJob = LegacyJob & Partial<Job>;

const COLUMNS: readonly Column<ListedJob>[] = [
  ['id', job => job.id],
  ['type', job => job.type],
  ['status', statusText],
  ['seconds', job => job.durationSeconds ?? job.processedDurationSeconds],
  ['created', job => job.createdOn],
  ['name', job => job.name ?? job.sourceConfig?.url ?? job.mediaUrl],
  ['metadata', job => job.metadata],
];

function statusText({ status, failure, progress }: ListedJob): string {
  return progress === undefined ? (failure ?? status) : `${status} ${progress} %`;
}

function printJobs(jobs: readonly ListedJob[], json: boolean | undefined): void {
  printRecords(jobs, COLUMNS, { json, encode: job => toWire(JobSchema, job as Job) });
}

const AREAS = {
  transcription: client => client.transcription,
  'language-id': client => client.languageId,
  alignment: client => client.alignment,
  sentiment: client => client.sentiment,
  legacy: client => client.legacy,
} as const satisfies Record<AreaName, (client: Client) => JobArea<Job> | JobArea<LegacyJob>>;

export async function runJobGet(id: string, flags: JobFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    printJobs([await AREAS[flags.area](client).get(id)], flags.json);
  });
}

export async function runJobList(flags: JobFlags & ListFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    printJobs(await takeList<ListedJob>(AREAS[flags.area](client), flags), flags.json);
  });
}

/** Deletes one after the other, up to the first that cannot be deleted. */
export async function runJobDelete(ids: readonly string[], flags: JobFlags): Promise<void> {
  await useService(flags, async ({ client }) => {
    const area = AREAS[flags.area](client) as DeletableJobs;
    for (const id of ids) await area.delete(id);
  });
}

/** Prints a transcript in a form in which the service itself has it. */
export async function runJobTranscript(id: string, flags: JobTranscriptFlags): Promise<void> {
  const { format, speakerChannel } = flags;
  await useService(flags, async ({ client: { transcription }, print }) => {
    switch (format) {
      case 'json':
        return print(jsonText(encodeTranscript(await transcription.transcript(id))));
      case 'text':
        return print(await transcription.transcriptText(id));
      default:
        return print(await transcription.captions(id, { format, speakerChannel }));
    }
  });
}
