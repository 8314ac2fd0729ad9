/** Opens a session, tells the process ids of the decoders, and goes on until it is killed. */
import { createPocketSphinxRecognizer } from '../../../src/engines/pocketsphinx/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';

const recognizer = createPocketSphinxRecognizer({ maxSessions: 2 });
await recognizer.open();
await recognizer.warm();
process.send?.(childrenWith('pocketsphinx/child'));
