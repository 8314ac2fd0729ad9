import { shellWord } from '../../base/text.ts';

export interface ResumeLineOptions {
  /** Address of the service to use. */
  readonly url?: string | undefined;
  /** True when people transcribe the missing parts. */
  readonly human?: boolean | undefined;
}

/**
 * Returns the shell command that finishes a spool.
 *
 * @example
 * resumeLine('my talk.spool', { human: true }) // "rxscribe resume 'my talk.spool' --human"
 */
export function resumeLine(path: string, { url, human }: ResumeLineOptions = {}): string {
  const words = ['rxscribe', 'resume', path.startsWith('-') ? `./${path}` : path];
  if (url !== undefined) words.push('--url', url);
  if (human) words.push('--human');
  return words.map(shellWord).join(' ');
}
