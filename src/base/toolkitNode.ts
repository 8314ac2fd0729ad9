// Imported before anything that an older Node cannot run.
import { requireNode } from './requireNode.ts';

requireNode('rxscribe');
