// Must be the first import: later ones may not even parse on an older Node.
import { requireNode } from './requireNode.ts';

requireNode('@rxscribe/server');
