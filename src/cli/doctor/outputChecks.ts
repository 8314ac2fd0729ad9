import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { checkHook } from '../../captions/hook/textHook.ts';
import { checkHls } from '../../captions/outputs/hls/hlsOptions.ts';
import { checkObs } from '../../captions/outputs/obs/obsOutput.ts';
import { checkYouTube } from '../../captions/outputs/youtube.ts';
import { checkZoom } from '../../captions/outputs/zoom.ts';
import { checkOut, type OutFlags } from '../flags/outOptions.ts';
import { hlsOptions, obsOptions, type TrackFlags } from '../live/captionOutputs.ts';
import type { CaptionRun } from '../live/captionSource.ts';
import { checkDirectory, type NamedCheck } from './namedCheck.ts';

/** Returns the checks of the outputs of a source, and of its hooks with theirs. */
export function outputChecks(run: CaptionRun, clock: Clock): readonly NamedCheck[] {
  const { record, language, tracks } = run;
  return [
    ...trackChecks(run, clock),
    ...(record === undefined ? [] : [{ name: 'record', run: () => checkDirectory(record) }]),
    ...tracks.flatMap(track => [
      { name: track.name, run: () => checkHook({ target: track.hook, language, clock }) },
      ...trackChecks(track, clock).map(check => ({ ...check, name: `${track.name}/${check.name}` })),
    ]),
  ];
}

function trackChecks(flags: TrackFlags & OutFlags, clock: Clock): readonly NamedCheck[] {
  const { youtube, zoom, language, out } = flags;
  return [
    ...obsOptions(flags).map(options => ({ name: 'obs', run: () => checkObs({ ...options, clock }) })),
    ...hlsOptions(flags).map(options => ({
      name: 'hls',
      async run() {
        await checkDirectory(options.directory);
        return checkHls({ ...options, clock });
      },
    })),
    ...(youtube === undefined
      ? []
      : [{ name: 'youtube', run: () => checkYouTube({ address: youtube, clock }) }]),
    ...(zoom === undefined
      ? []
      : [{ name: 'zoom', run: () => checkZoom({ address: zoom, language, clock }) }]),
    ...out.map(path => ({ name: 'file', run: () => checkFile(path, flags) })),
  ];
}

/** @throws InvalidArgumentError for a file that would be overwritten, cannot be continued, or cannot be written */
async function checkFile(path: string, flags: OutFlags): Promise<string> {
  await checkOut({ ...flags, out: [path] }, true);
  await checkDirectory(dirname(path));
  const exists = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const verb = exists ? (flags.continue ? 'continued' : 'replaced') : 'created';
  return `'${path}' will be ${verb}.`;
}
