import { shellWord } from '../../base/text.ts';

export interface ResumeLineOptions {
  /** Path of the key file of a sealed spool. */
  readonly keyFile?: string | undefined;
  /** Address of the service to use. */
  readonly url?: string | undefined;
  /** True when people transcribe the missing parts. */
  readonly human?: boolean | undefined;
}

/**
 * Returns the shell command that finishes a spool.
 *
 * @example
 * resumeLine('my talk.spool', { keyFile: 'spool.key' }) // "rxscribe resume 'my talk.spool' --spool-key-file spool.key"
 */
export function resumeLine(path: string, { keyFile, url, human }: ResumeLineOptions = {}): string {
  const words = ['rxscribe', 'resume', path.startsWith('-') ? `./${path}` : path];
  if (keyFile !== undefined) words.push('--spool-key-file', keyFile);
  if (url !== undefined) words.push('--url', url);
  if (human) words.push('--human');
  return words.map(shellWord).join(' ');
}
