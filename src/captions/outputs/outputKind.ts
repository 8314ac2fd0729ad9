import type { Observable } from 'rxjs';
import type { Clock } from '../../base/clock.ts';
import type { CaptionOutput, OutputOptions } from './captionOutput.ts';

/** A flag of an output, which is also a key of a configuration file. */
export interface OutputFlag {
  /** Long name without dashes, such as `hls-clock`. */
  readonly name: string;
  /** Name of its value in the help. Default: none, as the flag is a switch. */
  readonly value?: string;
  readonly description: string;
  /** Environment variable that gives the value as well. */
  readonly env?: string;
  /** True for a password: the help warns of the command line. */
  readonly isPassword?: boolean;
  /** Names of flags, at least one of which must be given as well. */
  readonly needs?: readonly string[];
  /** True when the text of a hook cannot have the flag. */
  readonly isOfSource?: boolean;
}

/** Options that every kind of output takes when it is opened. */
export interface OpenOptions extends OutputOptions {
  readonly clock: Clock;
}

/** An output that may decide whether there are captions. */
export interface OpenedOutput extends CaptionOutput {
  /** Emits false while there is nothing to caption. Emits at once. Default: there always is. */
  readonly onAir$?: Observable<boolean>;
}

/** An output that the values of flags name. */
export interface NamedOutput {
  /** Places that the output writes to, such as a directory: no two texts may share one. */
  readonly places: readonly string[];
  /** Checks the options without a connection. @throws InvalidArgumentError */
  checkOptions(): void;
  /** Connects once. Resolves with a sentence on what was found, and rejects with an error of one line. */
  check(clock: Clock): Promise<string>;
  open(options: OpenOptions): Promise<OpenedOutput>;
  /** Lines for the person who sets the output up, shown once at the start. Default: none. */
  readonly setupLines?: readonly string[];
}

/** A kind of output, as a command line and a configuration file name it. `Values` are those of its flags. */
export interface OutputKind<Values> {
  /** Name for messages, metrics, `--delay` and `--display`; also that of the flag which opens the output. */
  readonly name: string;
  /** Flags in the order of the help. */
  readonly flags: readonly OutputFlag[];
  /** True when nothing is shown before an utterance is final. Default false. */
  readonly showsFinals?: boolean;
  /** True when no message may name its places. Default false. */
  readonly hasSecretPlaces?: boolean;
  /** Delays from which on the output would show nothing, and a sentence on the reason. Default: it can have any. */
  readonly delayLimit?: { readonly seconds: number; readonly reason: string };
  /** Returns the output that values name; undefined when they name none. */
  readonly named: (values: Values & { readonly language: string }) => NamedOutput | undefined;
}

/** Returns the common parts of outputs with one flag, the secret address for finished captions. */
export function addressKind(name: string, description: string) {
  const flag: OutputFlag = { name, value: 'url', description, env: `RXSCRIBE_${name.toUpperCase()}_URL` };
  return { flags: [flag], showsFinals: true, hasSecretPlaces: true };
}
