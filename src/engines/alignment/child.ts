/** The process that looks for one text in one recording: minutes of work in which nothing else may wait. */
import { messageOf } from '../../base/errors.ts';
import { type Alignment, createAlignment } from './alignment.ts';
import type { FromAlignment, ToAlignment } from './messages.ts';

let alignment: Alignment | undefined;

async function obey(message: ToAlignment): Promise<FromAlignment> {
  if (message.type === 'start') alignment = await createAlignment(message.words);
  if (message.type === 'audio') alignment?.write(message.samples);
  if (message.type === 'finish') return { type: 'found', words: alignment?.finish() ?? [] };
  return { type: 'ready' };
}

process.on('message', (message: ToAlignment) => {
  obey(message).then(
    answer => process.send?.(answer),
    error =>
      process.send?.({ type: 'failed', message: messageOf(error) } satisfies FromAlignment, () =>
        process.exit(1),
      ),
  );
});
process.on('disconnect', () => process.exit(0));
// The service decides when work ends, not a signal meant for all its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
