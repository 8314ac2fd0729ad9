export interface ResumeLineOptions {
  /** File with the key that the spool is sealed with. */
  readonly keyFile?: string | undefined;
  /** The service that is to be used. */
  readonly url?: string | undefined;
}

/**
 * The command that finishes a spool, as a shell takes it.
 *
 * @example
 * resumeLine('my talk.spool', { keyFile: 'spool.key' }) // "rxscribe resume 'my talk.spool' --spool-key-file spool.key"
 */
export function resumeLine(path: string, { keyFile, url }: ResumeLineOptions = {}): string {
  const words = ['rxscribe', 'resume', path.startsWith('-') ? `./${path}` : path];
  if (keyFile !== undefined) words.push('--spool-key-file', keyFile);
  if (url !== undefined) words.push('--url', url);
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
