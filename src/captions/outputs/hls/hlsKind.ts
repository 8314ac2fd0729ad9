import { checkDirectory } from '../../files/replaceFile.ts';
import type { OutputKind } from '../outputKind.ts';
import { checkHls, type HlsOptions, hlsMediaLine, requireHlsOptions } from './hlsOptions.ts';

/** Values of the flags of HLS. */
export interface HlsValues {
  readonly hls?: string;
  readonly hlsClock?: string;
}

/** The output of segmented WebVTT beside an HLS video. */
export const hlsKind: OutputKind<HlsValues> = {
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
  named({ hls: directory, hlsClock: video, language }) {
    if (directory === undefined || video === undefined) return undefined;
    const hls: HlsOptions = { directory, video, language };
    return {
      places: [`Directory '${directory}'`],
      // The second on its own, to be copied as a whole: a line of a playlist cannot be broken.
      setupLines: [
        'Line for the multivariant playlist, whose streams need SUBTITLES="captions":',
        hlsMediaLine(hls),
      ],
      checkOptions: () => requireHlsOptions(hls),
      async check(clock) {
        await checkDirectory(directory);
        return checkHls({ ...hls, clock });
      },
      async open(options) {
        return (await import('./hlsOutput.ts')).hlsOutput({ ...hls, ...options });
      },
    };
  },
};
