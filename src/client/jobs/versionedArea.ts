import { Type } from 'typebox';
import { JobSchema } from '../../protocol/jobs.ts';
import { type AreaParts, jobArea } from './jobArea.ts';
import type { Job } from './jobTypes.ts';
import type { ServiceCalls } from './serviceCalls.ts';

/** The parts of an area whose jobs look as all of version 1 do. */
export function versionedArea(
  calls: ServiceCalls,
  area: { readonly path: string; readonly doneWord: string },
): AreaParts<Job> {
  return jobArea<Job>(calls, {
    ...area,
    noun: 'job',
    readOne: call => calls.value(JobSchema, call),
    readMany: call => calls.value(Type.Array(JobSchema), call),
  });
}
