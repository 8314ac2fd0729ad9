import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import {
  catchError,
  concatMap,
  distinctUntilChanged,
  EMPTY,
  filter,
  Observable,
  startWith,
  throttleTime,
} from 'rxjs';
import { english, findProgram, outputOf } from './program.ts';

/** A device of a sound server, as it is recorded from. */
export interface RecordedDevice {
  /** Description for people. */
  readonly name: string;
  /** True for another device than the wanted one. */
  readonly isOther: boolean;
}

/** Minimum milliseconds between two looks at the server, whose changes come in bursts. */
const SETTLE_MS = 500;

/**
 * Emits the device that a process records from by PulseAudio or PipeWire, and each change of it; nothing without such a server.
 * When a device is unplugged, the server moves its recordings to another one for good. This function moves the recording back
 * when the wanted device returns, but not after a person has chosen another one.
 *
 * @param wanted name of a source of the server. Default: any
 */
export function recordedDevice(processId: number, wanted?: string): Observable<RecordedDevice> {
  const pactl = findProgram('pactl');
  if (!pactl) return EMPTY;
  const list = async (kind: string) => partsOf(await outputOf(pactl, 'list', kind));
  let wasThere = false;
  const look = async () => {
    const [recordings, sources] = await Promise.all([list('source-outputs'), list('sources')]);
    const own = recordings.find(text => text.includes(`application.process.id = "${processId}"`));
    const heard = sources.find(text => numberOf(text) === fieldOf(own, 'Source'));
    const asked = sources.find(text => wanted !== undefined && fieldOf(text, 'Name') === wanted);
    const hasReturned = asked !== undefined && !wasThere;
    wasThere = asked !== undefined;
    if (!own || !heard) return undefined;
    const isOther = wanted !== undefined && heard !== asked;
    if (isOther && hasReturned) {
      // The server reports the move as a change.
      await outputOf(pactl, 'move-source-output', numberOf(own), wanted);
      return undefined;
    }
    return { name: sourceName(heard), isOther };
  };
  return changes(pactl).pipe(
    filter(line => / source(-output)? #/.test(line)),
    startWith(''),
    throttleTime(SETTLE_MS, undefined, { leading: true, trailing: true }),
    concatMap(look),
    filter(device => device !== undefined),
    distinctUntilChanged((before, now) => before.name === now.name && before.isOther === now.isOther),
    catchError(() => EMPTY),
  );
}

/** Returns the parts of a list of sources or recordings of `pactl`, each from its number on. */
export const partsOf = (list: string) => list.split(/^Source (?:Output )?#/m).slice(1);

const numberOf = (text: string) => /^\d*/.exec(text)![0];

/** Returns the description of a source for people. */
export const sourceName = (part: string) => fieldOf(part, 'Description') || fieldOf(part, 'Name');

/** Returns the value of a field of the first level; empty without one. */
export function fieldOf(text = '', field: string): string {
  return new RegExp(`^\t${field}: (.*)$`, 'm').exec(text)?.[1] ?? '';
}

/** Emits a line for each change of the server. */
function changes(pactl: string): Observable<string> {
  return new Observable(subscriber => {
    const child = spawn(pactl, ['subscribe'], { ...english(), stdio: ['ignore', 'pipe', 'ignore'] });
    child.on('error', error => subscriber.error(error));
    createInterface({ input: child.stdout }).on('line', line => subscriber.next(line));
    child.on('exit', () => subscriber.complete());
    return () => child.kill();
  });
}
