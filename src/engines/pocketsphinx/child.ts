/** The process that holds one native decoder for one session. A crash of the library ends this process only. */
import { sayWork, serveWork } from '../process/serveWork.ts';
import type { WorkReady } from '../process/workProcess.ts';
import { createEndpointer } from '../voice/endpointer.ts';
import { createVoiceDetector, type VoiceDetector } from '../voice/voiceDetector.ts';
import { createDecoder, type TeachableDecoder } from './decoder.ts';
import type { PocketSphinxFiles } from './files.ts';
import { loadLibrary, type PocketSphinxLibrary } from './library.ts';
import type { FromDecoder, SessionStart, ToDecoder } from './messages.ts';
import { Utterances } from './utterances.ts';

interface Loaded {
  readonly library: PocketSphinxLibrary;
  readonly files: PocketSphinxFiles;
  readonly decoder: TeachableDecoder;
  readonly detector: VoiceDetector;
}

let loaded: Loaded | undefined;
let utterances: Utterances | undefined;

async function load(files: PocketSphinxFiles): Promise<void> {
  const library = loadLibrary(files.libraries);
  const decoder = createDecoder(library, files.model, 'live');
  // While it loads, the library tells on stderr why a model cannot be used; afterwards it has nothing to say.
  library.err_set_callback(null, null);
  library.err_set_logfile('/dev/null');
  loaded = { library, files, decoder, detector: await createVoiceDetector() };
  sayWork<WorkReady>({ type: 'ready' });
}

function start({ pauseSeconds, whole, vocabulary, ...limits }: SessionStart): void {
  if (!loaded) throw new Error('start: nothing is loaded');
  const { detector } = loaded;
  const decoder = whole ? wholeDecoder(loaded) : loaded.decoder;
  if (vocabulary) decoder.favour(vocabulary);
  utterances = new Utterances(decoder, {
    endpointer: createEndpointer({ detector, pauseSeconds }),
    ...limits,
    emit: result => sayWork<FromDecoder>({ type: 'result', result }),
  });
  sayWork<FromDecoder>({ type: 'started' });
}

/** Takes the place of the one that was loaded. */
function wholeDecoder({ library, files, decoder }: Loaded): TeachableDecoder {
  decoder[Symbol.dispose]();
  return createDecoder(library, files.model, 'whole');
}

/** Only loading takes time, and nothing is sent before it is done. */
async function obey(message: ToDecoder): Promise<void> {
  switch (message.type) {
    case 'load':
      await load(message.files);
      break;
    case 'start':
      start(message);
      break;
    case 'audio':
      utterances?.write(message.samples);
      sayWork<FromDecoder>({ type: 'taken', frames: message.samples.length });
      break;
    case 'finish':
      utterances?.finish();
      sayWork<FromDecoder>({ type: 'finished' });
  }
}

serveWork(obey);
