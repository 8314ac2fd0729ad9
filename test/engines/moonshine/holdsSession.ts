/** Opens a session, sends the ids of the processes with models, and runs until it is killed. */
import { createMoonshineRecognizer } from '../../../src/engines/moonshine/recognizer.ts';
import { childrenWith } from '../../helpers/childProcesses.ts';

const recognizer = createMoonshineRecognizer({ processes: 1 });
await recognizer.open();
process.send?.(childrenWith('moonshine/child'));
// Its parent lives on: the channel alone holds this process.
process.on('message', () => {});
