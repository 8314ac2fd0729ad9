import { statSync } from 'node:fs';
import { firstValueFrom } from 'rxjs';
import { fromFile } from '../../audio/source/file.ts';
import { checkMicrophone } from '../../audio/source/microphones.ts';
import type { Clock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { ServiceError } from '../../client/serviceErrors.ts';
import { EMBEDDED } from '../flags/captionOptions.ts';
import { checkAddress } from '../live/addressAudio.ts';
import { type CaptionRun, unusableNotes } from '../live/captionRuns.ts';
import type { ServiceAccess } from '../live/sessionOptions.ts';
import { tryStream } from '../live/tryStream.ts';
import type { EmbeddedService } from '../provided.ts';
import type { NamedCheck } from './outputChecks.ts';

export interface SourceCheckParts {
  readonly clock: Clock;
  /** Service inside this process, for sources that name none, and as a standby. */
  readonly starting?: Promise<EmbeddedService>;
}

/** Returns the checks of the input and of the services of a source. */
export function sourceChecks(run: CaptionRun, parts: SourceCheckParts): readonly NamedCheck[] {
  const { url, token = '', nextUrl, standby, standbyToken = '' } = run;
  const named = (name: string, access: ServiceAccess): NamedCheck => ({
    name,
    run: signal => checkService(run, access, { clock: parts.clock, signal }),
  });
  const embedded = (name: string): NamedCheck => ({
    name,
    timeoutMs: LOADING_MS,
    async run(signal) {
      const service = await parts.starting!;
      await service.ready;
      const seconds = await secondsToStream(run, service, { clock: parts.clock, signal });
      return `The recogniser of this process is loaded, and a stream was ready after ${seconds} s.`;
    },
  });
  const ofStandby = (address: string) =>
    address === EMBEDDED ? embedded('standby') : named('standby', { url: address, token: standbyToken });
  return [
    ...inputChecks(run, parts.clock),
    ...(run.customVocabularies ? [vocabularyCheck(run, parts)] : []),
    url ? named('service', { url, token }) : embedded('service'),
    ...nextUrl.map(next => named('next service', { url: next, token })),
    ...(standby === undefined ? [] : [ofStandby(standby)]),
  ];
}

/** Phrases that a check shows. */
const SHOWN_PHRASES = 20;

function vocabularyCheck(run: CaptionRun, { starting }: SourceCheckParts): NamedCheck {
  const phrases = (run.customVocabularies ?? []).flatMap(vocabulary => vocabulary.phrases);
  return {
    name: 'vocabulary',
    async run() {
      const shown = phrases.length > SHOWN_PHRASES ? [...phrases.slice(0, SHOWN_PHRASES), '…'] : phrases;
      const notes = await unusableNotes(run, await starting);
      return [`${counted(phrases.length, 'phrase')}: ${shown.join(', ')}.`, ...notes].join(' ');
    },
  };
}

/** Milliseconds for a recogniser inside this process, which has to be loaded. */
const LOADING_MS = 120_000;

interface Use {
  readonly clock: Clock;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}

/** Resolves with a sentence when a recogniser of a service is ready. */
async function checkService(run: CaptionRun, access: ServiceAccess, use: Use): Promise<string> {
  const host = URL.parse(access.url)?.host ?? '';
  try {
    const seconds = await secondsToStream(run, access, use);
    return `'${host}' accepts the token, and a stream was ready after ${seconds} s.`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const reason = error.message
      .replace('The stream ended without a transcript: ', '')
      .replace(/^The /, 'the ');
    throw new RxscribeError(error.code, `No stream at '${host}': ${reason} ${error.advice}`, {
      cause: error,
    });
  }
}

/** Resolves with the seconds until a recogniser was ready for a stream of the source. */
async function secondsToStream(run: CaptionRun, access: ServiceAccess, use: Use): Promise<string> {
  const startMs = use.clock.now();
  await tryStream(run, access, use);
  return ((use.clock.now() - startMs) / 1000).toFixed(1);
}

function inputChecks({ input, names }: CaptionRun, clock: Clock): readonly NamedCheck[] {
  switch (input.kind) {
    case 'microphone': {
      const { device, also } = input;
      const microphone = { name: 'microphone', run: () => checkMicrophone({ device, clock }) };
      if (also === undefined) return [microphone];
      // A call may be silent until somebody speaks in it.
      const call = { name: names.channels?.[1] ?? 'Call', warnsOf: 'audio-empty' } as const;
      return [microphone, { ...call, run: () => checkMicrophone({ device: also, clock }) }];
    }
    case 'address':
      return [{ name: 'address', run: signal => checkAddress(input.url, { clock, signal }) }];
    case 'file':
      return [{ name: 'input', run: () => checkFile(input.path) }];
    case 'stdin':
      return [{ name: 'input', run: async () => 'Standard input is read when the captions begin.' }];
  }
}

async function checkFile(path: string): Promise<string> {
  const found = statSync(path, { throwIfNoEntry: false });
  // Opening a named pipe would wait for its writer.
  if (found && !found.isFile() && !found.isDirectory()) return `'${path}' is read when the captions begin.`;
  const { sampleRate, channels } = await firstValueFrom(fromFile(path));
  return `'${path}' has audio of ${counted(channels, 'channel')} at ${sampleRate} Hz.`;
}
