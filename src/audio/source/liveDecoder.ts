import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { RxscribeError } from '../../base/errors.ts';
import type { AudioBlock } from '../format/format.ts';
import { childBlocks } from './decode.ts';
import { type LiveAddress, liveArguments, ORIGIN_FD } from './liveAddress.ts';
import { type ChildEnd, findProgram, programMissing } from './program.ts';

export interface LiveDecoderOptions {
  /** Aborting it kills ffmpeg, even while no block is being requested. */
  readonly signal: AbortSignal;
  /** Called with the time of the first packet on the clock of a playlist, in seconds. */
  readonly onOrigin?: (seconds: number) => void;
}

/**
 * Yields the audio of an address with one run of ffmpeg, at its own sample rate and number of channels, until ffmpeg ends it.
 *
 * @throws RxscribeError `audio-missing` when the address cannot be read or gives no audio, `audio-unsupported` when it is not
 *   audio, `program-missing` or `program-failed`; never with the path or the query of the address
 */
export async function* liveBlocks(
  address: LiveAddress,
  { signal, onOrigin = () => {} }: LiveDecoderOptions,
): AsyncGenerator<AudioBlock> {
  const program = findProgram('ffmpeg');
  if (!program) throw programMissing('read a live address', 'ffmpeg');
  signal.throwIfAborted();
  const child = spawn(program, liveArguments(address), { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  readOrigin(child.stdio[ORIGIN_FD] as Readable, onOrigin);
  const end = yield* childBlocks(child, signal);
  if (end.frames === 0 || end.code !== 0) throw failure(address, end);
}

/** Reads the time of the one packet that ffmpeg describes in its format `framecrc`. The stream ends only with ffmpeg. */
function readOrigin(stream: Readable, onOrigin: (seconds: number) => void): void {
  let lines = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    lines = (lines + text).slice(-MAX_ORIGIN_LENGTH);
    const seconds = originOf(lines);
    if (seconds === undefined) return;
    stream.removeAllListeners('data').resume();
    onOrigin(seconds);
  });
}

/** Characters of the lines in the format `framecrc` that are kept; they have some 200. */
const MAX_ORIGIN_LENGTH = 4096;

/** Returns the time of the first packet in the format `framecrc`, in seconds. */
export function originOf(lines: string): number | undefined {
  const base = /^#tb 0: (\d+)\/(\d+)$/m.exec(lines);
  const packet = /^0, +-?\d+, +(-?\d+),/m.exec(lines);
  if (!base || !packet) return undefined;
  return (Number(packet[1]) * Number(base[1])) / Number(base[2]);
}

/** Reasons by messages of ffmpeg, which name the whole address, so that they cannot be passed on. */
const REASONS: readonly (readonly [RegExp, RxscribeError['code'], string])[] = [
  [/matches no streams/, 'audio-unsupported', 'the stream has no audio'],
  [/Connection refused/, 'audio-missing', 'the connection was refused'],
  [/Address already in use/, 'audio-missing', 'another program uses the port'],
  [/Cannot assign requested address/, 'audio-missing', 'this machine does not have the address'],
  [/resolve hostname|Name or service not known/, 'audio-missing', 'the host is not known'],
  [/40[13] |Unauthorized|Forbidden|access denied/i, 'audio-missing', 'the server refused access'],
  [/40[04] |Not Found|StreamNotFound|No such file/i, 'audio-missing', 'the server has no such stream'],
  [/5XX|50\d /, 'audio-missing', 'the server failed'],
  [/timed out|No route to host|unreachable/i, 'audio-missing', 'the host does not answer'],
  [/certificate|TLS|SSL/, 'audio-missing', 'the TLS connection failed'],
  [/whitelist/, 'audio-unsupported', 'it leads to a protocol or a format that is not allowed'],
  [/Protocol not found/, 'audio-unsupported', 'this build of ffmpeg does not know the protocol'],
  [/Invalid data found/, 'audio-unsupported', 'it is not audio'],
  [
    /Input\/output error|End of file|Broken pipe|reset by peer/i,
    'audio-missing',
    'the connection was closed',
  ],
];

function failure({ name }: LiveAddress, { code, signal, stderrTail, error }: ChildEnd): RxscribeError {
  const fail = (errorCode: RxscribeError['code'], problem: string) =>
    new RxscribeError(errorCode, `Cannot read ${name}: ${problem}.`);
  if (error) return fail('program-failed', 'ffmpeg did not start');
  if (signal) return fail('program-failed', `ffmpeg was killed by ${signal}`);
  const found = REASONS.find(([pattern]) => pattern.test(stderrTail));
  if (found) return fail(found[1], found[2]);
  return fail('audio-missing', code === 0 ? 'the stream has ended' : `ffmpeg ended with exit code ${code}`);
}
