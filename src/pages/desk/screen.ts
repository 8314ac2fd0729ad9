/** A screen of the page. */
export type Screen =
  | { readonly name: 'queue' }
  | { readonly name: 'admin' }
  | { readonly name: 'job'; readonly jobId: string };

/** Returns the fragment of the address of a screen. */
export function addressOf(screen: Screen): string {
  if (screen.name === 'job') return `#/jobs/${encodeURIComponent(screen.jobId)}`;
  return screen.name === 'admin' ? '#/admin' : '#/';
}

/** Reads the fragment of an address. An unknown fragment means the queue. */
export function readScreen(hash: string): Screen {
  const jobId = /^#\/jobs\/([\w%.~-]{1,200})$/.exec(hash)?.[1];
  if (jobId) return { name: 'job', jobId: decoded(jobId) };
  return { name: hash === '#/admin' ? 'admin' : 'queue' };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
