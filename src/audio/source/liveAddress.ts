import { type Clock, systemClock } from '../../base/clock.ts';
import { InvalidArgumentError, RxscribeError, refuseIf } from '../../base/errors.ts';
import { withDeadline } from '../../base/wait/withTimeout.ts';
import { readBody } from '../../web/readBody.ts';
import { FORMATS } from './decode.ts';

/** Schemes of live addresses, with the protocols and formats that ffmpeg may use for them. */
const SCHEMES = {
  rtmp: { protocols: 'rtmp,tcp', formats: 'flv,live_flv', options: [] },
  rtmps: { protocols: 'rtmps,tls,tcp', formats: 'flv,live_flv', options: [] },
  srt: { protocols: 'srt', formats: FORMATS, options: [] },
  rtsp: { protocols: 'rtp,srtp,udp,tcp', formats: 'rtsp,rtp', options: ['-rtsp_flags', 'prefer_tcp'] },
  rtsps: { protocols: 'rtp,srtp,udp,tcp,tls', formats: 'rtsp,rtp', options: ['-rtsp_flags', 'prefer_tcp'] },
  udp: { protocols: 'udp', formats: FORMATS, options: [] },
  // Without `file`, a playlist cannot name files of this machine.
  http: { protocols: 'http,https,httpproxy,tcp,tls,crypto', formats: `hls,${FORMATS}`, options: [] },
  https: { protocols: 'http,https,httpproxy,tcp,tls,crypto', formats: `hls,${FORMATS}`, options: [] },
} as const;

type Scheme = keyof typeof SCHEMES;

/** An address of live audio, as ffmpeg opens it. */
export interface LiveAddress {
  /** Scheme and host for messages: the rest may hold secrets. */
  readonly name: string;
  readonly scheme: Scheme;
  readonly url: string;
  readonly isPlaylist: boolean;
  /** A sender connects to this machine. */
  readonly listens: boolean;
}

const SCHEME = /^([a-z]+):\/\//i;

/** Returns whether a text is an address that is live by its scheme or, for HLS, by the ending of its path. */
export function isLiveAddress(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase() ?? '';
  return isScheme(scheme) && (!scheme.startsWith('http') || isPlaylistName(text));
}

function isScheme(text: string): text is Scheme {
  return Object.hasOwn(SCHEMES, text);
}

function isPlaylistName(url: string): boolean {
  return /\.m3u8$/i.test(URL.parse(url)?.pathname ?? '');
}

/** Returns the scheme and the host of an address, for messages. */
export function addressName(url: string): string {
  const [, scheme = '', host = ''] = /^([a-z]+):\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(url) ?? [];
  return `'${scheme.toLowerCase()}://${host}'`;
}

/**
 * Reads an address of live audio. With `listen=1` in an RTMP address, and `mode=listener` in an SRT address, ffmpeg waits for a
 * sender, such as OBS.
 *
 * @throws InvalidArgumentError for another scheme, and for an address without a host where one is needed
 */
export function readLiveAddress(url: string, options: { isPlaylist?: boolean } = {}): LiveAddress {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase() ?? '';
  if (!isScheme(scheme)) {
    const known = Object.keys(SCHEMES).join(', ');
    throw new InvalidArgumentError(
      `Live audio cannot be read from an address that begins with '${scheme}' (supported: ${known}).`,
    );
  }
  const name = addressName(url);
  const [address = url, query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const listens =
    (scheme.startsWith('rtmp') && parameters.get('listen') === '1') ||
    (scheme === 'srt' && parameters.get('mode') === 'listener');
  refuseIf(!listens && /:\/\/'$|:\/\/:/.test(name), `The address ${name} has no host.`);
  const { isPlaylist = isPlaylistName(url) } = options;
  // The parameter is ours: ffmpeg would take it as part of the name of the stream.
  const isOurs = listens && scheme.startsWith('rtmp');
  return { name, scheme, url: isOurs ? address : url, isPlaylist, listens };
}

/** Descriptor on which ffmpeg reports the time of the first packet. */
export const ORIGIN_FD = 3;

/**
 * Time for ffmpeg to find the streams: by default it takes five seconds. A playlist starts with its last segment, so that the
 * audio is not older than it must be.
 */
const QUICK = ['-probesize', '500000', '-analyzeduration', '1000000'];

/** Returns the arguments with which ffmpeg writes the audio of an address as WAV. */
export function liveArguments({ scheme, url, isPlaylist, listens }: LiveAddress): readonly string[] {
  const { protocols, formats, options } = SCHEMES[scheme];
  // The WAV header on the pipe carries the rate and the channels of the input.
  const audio = ['-map', '0:a:0', '-c:a', 'pcm_f32le', '-flush_packets', '1', '-f', 'wav', 'pipe:1'];
  const firstPacket = ['-map', '0:a:0', '-c', 'copy', '-frames:a', '1', '-flush_packets', '1'];
  return [
    ...['-nostdin', '-nostats', '-loglevel', 'error'],
    ...['-protocol_whitelist', protocols, '-format_whitelist', formats],
    ...QUICK,
    ...options,
    ...(listens && scheme.startsWith('rtmp') ? ['-listen', '1'] : []),
    ...(isPlaylist ? ['-live_start_index', '-1', '-copyts'] : []),
    ...['-i', url],
    ...audio,
    ...(isPlaylist ? [...firstPacket, '-f', 'framecrc', `pipe:${ORIGIN_FD}`] : []),
  ];
}

/** Maximum number of bytes of a playlist that are read, and the time for it. */
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
  const { timeoutMs } = PLAYLIST_LIMITS;
  const lateError = () =>
    new RxscribeError('timeout', `Cannot read the playlist: no answer within ${timeoutMs / 1000} s.`);
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
  const text = new TextDecoder().decode(await readBody(answer.body, PLAYLIST_LIMITS.bytes));
  return { url: answer.url, text: answer.ok ? text : '' };
}

/** Returns the address of the first variant of a multivariant playlist; undefined for any other text. */
export function firstVariant(text: string): string | undefined {
  // Each line matches in one way only, so that a playlist of empty lines takes linear time.
  return /^#EXT-X-STREAM-INF:.*\r?\n(?:[^\S\n]*(?:#.*\r?)?\n)*([^#\s].*)/m.exec(text)?.[1]?.trim();
}

function isEnded(text: string): boolean {
  return /^#EXTM3U/.test(text) && /^#EXT-X-ENDLIST\s*$/m.test(text);
}
