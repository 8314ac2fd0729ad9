// @module-tag tools

import { describe } from 'vitest';
import { testKilledSteps } from '../../helpers/killedStepTests.ts';
import { bucketBackend } from '../../helpers/storeBackends.ts';

// The database and the objects each on a server: what is new on either is here.
describe('in a process that is killed at any step, with a database server and a bucket', () =>
  testKilledSteps(bucketBackend()));
