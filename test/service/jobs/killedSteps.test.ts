// @module-tag slow

import { describe } from 'vitest';
import { testKilledSteps } from '../../helpers/killedStepTests.ts';
import { embeddedBackend } from '../../helpers/storeBackends.ts';

describe('in a process that is killed at any step', () => testKilledSteps(embeddedBackend));
