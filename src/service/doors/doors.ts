import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Recognizer } from '../../engines/recognizer.ts';
import type { DoorName } from '../../protocol/interfaceNames.ts';
import { inScope } from '../http/inScope.ts';
import type { RoutesOptions } from '../routes.ts';
import { openaiDoor } from './openai/openaiDoor.ts';

export interface DoorContext extends RoutesOptions {
  readonly recognizer: Pick<Recognizer, 'name'>;
}

const ROUTES: Readonly<Record<DoorName, (app: FastifyInstance, context: DoorContext) => void>> = {
  openai: openaiDoor,
};

/** Adds the routes of doors. */
export function addDoors(app: FastifyInstance, doors: readonly DoorName[], context: DoorContext): void {
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
