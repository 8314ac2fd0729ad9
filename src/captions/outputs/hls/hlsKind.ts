import { checkDirectory } from '../../files/checkDirectory.ts';
import { outputKind, type TextValues } from '../outputKind.ts';
import { checkHls, type HlsOptions, hlsMediaLine, requireHlsOptions } from './hlsOptions.ts';

/** Values of the flags of HLS. */
export interface HlsValues {
  readonly hls?: string;
  readonly hlsClock?: string;
}

/** The output of segmented WebVTT beside an HLS video. */
export const hlsKind = outputKind({
  name: 'hls',
  flags: [
    {
      name: 'hls',
      value: 'directory',
      description: 'write segmented WebVTT for an HLS video',
      needs: ['hls-clock'],
    },
    {
      name: 'hls-clock',
      value: 'playlist',
      description: 'media playlist of that video, a file or an address',
      needs: ['hls'],
    },
  ],
  showsFinals: true,
  optionsOf({ hls: directory, hlsClock: video, language }: HlsValues & TextValues) {
    if (directory === undefined || video === undefined) return undefined;
    return { directory, video, language } satisfies HlsOptions;
  },
  placesOf: ({ directory }) => [`Directory '${directory}'`],
  checkOptions: requireHlsOptions,
  async check(options) {
    await checkDirectory(options.directory);
    return checkHls(options);
  },
  async open(options) {
    options.onNote?.(`Line for the multivariant playlist: ${hlsMediaLine(options)}`);
    return (await import('./hlsOutput.ts')).hlsOutput(options);
  },
});
