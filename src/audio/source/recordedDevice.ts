import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
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
import { findProgram } from './program.ts';

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
  const list = (kind: string) => listed(pactl, kind);
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
      await run(pactl, ['move-source-output', numberOf(own), wanted], english());
      return undefined;
    }
    return { name: fieldOf(heard, 'Description') || fieldOf(heard, 'Name'), isOther };
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

const run = promisify(execFile);

/** Options of a program that answers in English. */
const english = () => ({ env: { ...process.env, LC_ALL: 'C.UTF-8' } });

/** Resolves with the texts of the things of a kind, each from its number on. */
async function listed(pactl: string, kind: string): Promise<readonly string[]> {
  const { stdout } = await run(pactl, ['list', kind], { ...english(), timeout: 5000 });
  return stdout.split(/^Source (?:Output )?#/m).slice(1);
}

const numberOf = (text: string) => /^\d*/.exec(text)![0];

/** Returns the value of a field of the first level; empty without one. */
function fieldOf(text = '', field: string): string {
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
