import type { FastifyInstance } from 'fastify';
import type { Area, AreaContext } from './area.ts';
import { collectionsOf } from './areaPaths.ts';
import { jobRoutes, listRoute } from './jobRoutes.ts';
import { resultRoute } from './resultRoute.ts';
import { submitRoute } from './submitRoute.ts';

/** Everything that an area answers. */
export function areaRoutes(app: FastifyInstance, area: Area, context: AreaContext): void {
  for (const path of collectionsOf(area.name, context.names)) {
    submitRoute(app, path, area, context);
    listRoute(app, path, area, context);
    jobRoutes(app, path, area, context);
    for (const kind of area.results) resultRoute(app, path, { area, kind, context });
  }
}
