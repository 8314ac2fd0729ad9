import type { FastifyInstance } from 'fastify';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import { ProblemError } from '../problems.ts';
import type { Region } from '../region.ts';
import { collectionsOf } from './areaPaths.ts';

/** What the areas of a service answer that keeps no jobs: there are none, and it takes none. */
export function noJobs(
  app: FastifyInstance,
  { region, names }: { readonly region: Region; readonly names: BrandNames },
): void {
  // Before a body is read: nobody wants it.
  const takeNone = async () => {
    throw new ProblemError('unavailable', { detail: 'This service keeps no jobs, and takes none' });
  };
  const findNone = async () => {
    throw new ProblemError('jobNotFound');
  };
  for (const path of region.areas.flatMap(name => collectionsOf(name, names))) {
    app.post(path, { onRequest: takeNone }, takeNone);
    app.get(path, async () => []);
    app.get(`${path}/*`, findNone);
    app.delete(`${path}/*`, findNone);
  }
}
