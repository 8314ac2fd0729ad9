import type { FastifySchema } from 'fastify';
import type { BrandNames } from '../../protocol/interfaceNames.ts';
import type { Operation } from '../areas/area.ts';
import type { HttpLimits } from '../limits.ts';
import type { Region } from '../region.ts';
import {
  deleteOperation,
  getOperation,
  listOperation,
  resultOperation,
  submitOperation,
} from './areaOperations.ts';
import { accountOperation, healthOperation, streamOperation } from './openOperations.ts';

/** Facts about a service used by its API reference. */
export interface ReferenceOptions {
  readonly region: Region;
  readonly names: BrandNames;
  readonly limits: HttpLimits;
  /** Bytes of one message of a stream. */
  readonly messageBytes: number;
}

/** Returns the description of an operation in the API reference. */
export function operationSchema(
  operation: Operation,
  { names, limits, messageBytes }: Omit<ReferenceOptions, 'region'>,
): FastifySchema {
  switch (operation.action) {
    case 'submit':
      return submitOperation(operation.area, limits);
    case 'list':
      return listOperation(operation.area);
    case 'get':
      return getOperation(operation.area);
    case 'delete':
      return deleteOperation(operation.area);
    case 'result':
      return resultOperation(operation.area, operation.kind, names);
    case 'account':
      return accountOperation;
    case 'live':
      return healthOperation('Check that the service runs');
    case 'ready':
      return healthOperation('Check that the service is ready');
    case 'stream':
      return streamOperation(messageBytes);
    case 'hidden':
      return { hide: true };
  }
}
