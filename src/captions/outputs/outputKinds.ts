import { type HlsValues, hlsKind } from './hls/hlsKind.ts';
import { type ObsValues, obsKind } from './obs/obsKind.ts';
import type { OutputKind } from './outputKind.ts';
import { type YouTubeValues, youtubeKind } from './youtube.ts';
import { type ZoomValues, zoomKind } from './zoom.ts';

/** Values of the flags of all kinds of outputs. */
export type OutputValues = ObsValues & YouTubeValues & ZoomValues & HlsValues;

/**
 * The kinds of outputs that a command line can name, in the order of the help. Flags, keys of the configuration, checks and
 * names in messages follow from this list.
 */
export const OUTPUT_KINDS: readonly OutputKind<OutputValues>[] = [obsKind, youtubeKind, zoomKind, hlsKind];
