import { type Clock, systemClock } from '../../base/clock.ts';
import { RxscribeError } from '../../base/errors.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';

/** Most bytes of a playlist that are read, and the time for it. */
const PLAYLIST_LIMITS = { bytes: 4 * 1024 * 1024, timeoutMs: 10_000 } as const;

/**
 * Resolves with whether an HLS playlist has ended, as that of a recording has from the start. Of several variants the first one
 * is looked at. A playlist that cannot be read has not ended.
 */
export async function hasEnded(
  url: string,
  options: { readonly clock?: Clock; readonly signal?: AbortSignal } = {},
): Promise<boolean> {
  const { clock = systemClock, signal } = options;
  const lateError = () => new RxscribeError('timeout', 'The playlist did not come in time.');
  const { timeoutMs } = PLAYLIST_LIMITS;
  try {
    return await withDeadline({ clock, signal, timeoutMs, lateError }, async ended => {
      const playlist = await fetchPlaylist(url, ended);
      const variant = firstVariant(playlist.text);
      if (variant === undefined) return isEnded(playlist.text);
      return isEnded((await fetchPlaylist(new URL(variant, playlist.url).href, ended)).text);
    });
  } catch {
    return false;
  }
}

async function fetchPlaylist(url: string, signal: AbortSignal) {
  const answer = await fetch(url, { signal });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > PLAYLIST_LIMITS.bytes) break;
  }
  return { url: answer.url, text: answer.ok ? text : '' };
}

function firstVariant(text: string): string | undefined {
  return /^#EXT-X-STREAM-INF:[^\n]*\r?\n(?:#[^\n]*\n|\s*\n)*([^#\s][^\r\n]*)/m.exec(text)?.[1];
}

function isEnded(text: string): boolean {
  return /^#EXTM3U/.test(text) && /^#EXT-X-ENDLIST\s*$/m.test(text);
}
