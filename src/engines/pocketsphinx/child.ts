/** The process that holds one native decoder for one session. A crash of the library ends this process only. */
import { messageOf } from '../../base/errors.ts';
import { createDecoder, type TeachableDecoder } from './decoder.ts';
import type { PocketSphinxFiles } from './files.ts';
import { loadLibrary, type PocketSphinxLibrary } from './library.ts';
import type { FromDecoder, SessionStart, ToDecoder } from './messages.ts';
import { Utterances } from './utterances.ts';

let loaded: { library: PocketSphinxLibrary; files: PocketSphinxFiles; decoder: TeachableDecoder } | undefined;
let utterances: Utterances | undefined;

function say(message: FromDecoder): void {
  process.send?.(message);
}

function load(files: PocketSphinxFiles): void {
  const library = loadLibrary(files.libraries);
  const decoder = createDecoder(library, files.model, 'live');
  // While it loads, the library tells on stderr why a model cannot be used; afterwards it has nothing to say.
  library.err_set_callback(null, null);
  library.err_set_logfile('/dev/null');
  loaded = { library, files, decoder };
  say({ type: 'ready' });
}

function start({ maxSegmentFrames, twoPasses, vocabulary }: SessionStart): void {
  if (!loaded) throw new Error('start: nothing is loaded');
  const { library, files, decoder } = loaded;
  const secondDecoder = twoPasses ? createDecoder(library, files.model, 'whole') : undefined;
  if (vocabulary) for (const each of [decoder, secondDecoder]) each?.favour(vocabulary);
  utterances = new Utterances(decoder, {
    maxSegmentFrames,
    emit: result => say({ type: 'result', result }),
    secondDecoder,
  });
  say({ type: 'started' });
}

function obey(message: ToDecoder): void {
  switch (message.type) {
    case 'load':
      load(message.files);
      break;
    case 'start':
      start(message);
      break;
    case 'audio':
      utterances?.write(message.samples);
      say({ type: 'taken', frames: message.samples.length });
      break;
    case 'finish':
      utterances?.finish();
      say({ type: 'finished' });
  }
}

process.on('message', (message: ToDecoder) => {
  try {
    obey(message);
  } catch (error) {
    process.send?.({ type: 'failed', message: messageOf(error) } satisfies FromDecoder, () =>
      process.exit(1),
    );
  }
});
process.on('disconnect', () => process.exit(0));
// The service decides when a session ends: a signal meant for all its processes must not lose the last words.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
