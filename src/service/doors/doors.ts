import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { DoorName } from '../../protocol/interfaceNames.ts';
import { inScope } from '../http/inScope.ts';
import type { RoutesOptions } from '../routes.ts';
import { deepgramDoor } from './deepgram/deepgramDoor.ts';
import { openaiDoor } from './openai/openaiDoor.ts';

const ROUTES: Readonly<Record<DoorName, (app: FastifyInstance, context: RoutesOptions) => void>> = {
  openai: openaiDoor,
  deepgram: deepgramDoor,
};

/** Adds the routes of doors. */
export function addDoors(app: FastifyInstance, doors: readonly DoorName[], context: RoutesOptions): void {
  for (const door of doors) {
    inScope(
      app,
      async scope => {
        await scope.register(multipart);
        ROUTES[door](scope, context);
      },
      '/v1',
    );
  }
}
