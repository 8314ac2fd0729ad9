import type { FastifyInstance } from 'fastify';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { ProblemError } from '../problems.ts';
import type { Region } from '../region.ts';
import { collectionsOf } from './areaPaths.ts';

/** Adds the routes of a service without jobs: lists are empty, submissions are refused. */
export function noJobs(
  app: FastifyInstance,
  { region, names }: { readonly region: Region; readonly names: BrandNames },
): void {
  // Answers before the body is read.
  const refuseSubmission = async () => {
    throw new ProblemError('unavailable', { detail: 'This service keeps no jobs, so it cannot accept any.' });
  };
  const findNothing = async () => {
    throw new ProblemError('jobNotFound');
  };
  for (const path of region.areas.flatMap(name => collectionsOf(name, names))) {
    app.post(path, { onRequest: refuseSubmission }, refuseSubmission);
    app.get(path, async () => []);
    app.get(`${path}/*`, findNothing);
    app.delete(`${path}/*`, findNothing);
  }
}
