import type { OutputKind } from '../outputKind.ts';
import { checkObsOptions, type ObsOutputOptions } from './obsOptions.ts';

/** Values of the flags of OBS. */
export interface ObsValues {
  readonly obs?: string;
  readonly obsPassword?: string;
  readonly obsSource?: string;
  readonly obsCaptions?: boolean;
  readonly obsFollow?: string;
  readonly obsFollowScene?: boolean;
}

/** The output to OBS. RxJS and the client of OBS are loaded when it is opened or checked. */
export const obsKind: OutputKind<ObsValues> = {
  name: 'obs',
  flags: [
    {
      name: 'obs',
      value: 'url',
      description: 'OBS to write to, such as ws://127.0.0.1:4455',
      needs: ['obs-source', 'obs-captions', 'obs-follow'],
    },
    {
      name: 'obs-source',
      value: 'name',
      description: 'text source of OBS that shows the captions',
      needs: ['obs'],
    },
    { name: 'obs-captions', description: 'send them as captions of the stream of OBS', needs: ['obs'] },
    {
      name: 'obs-follow',
      value: 'input',
      description: 'caption only while this audio input of OBS is not muted',
      needs: ['obs'],
      isOfSource: true,
    },
    {
      name: 'obs-follow-scene',
      description: 'and only while that input is in the scene of the program',
      needs: ['obs-follow'],
      isOfSource: true,
    },
    {
      name: 'obs-password',
      value: 'word',
      description: 'password of OBS',
      env: 'RXSCRIBE_OBS_PASSWORD',
      isPassword: true,
    },
  ],
  named(values) {
    const { obs: url, obsPassword: password, obsSource: source, obsCaptions: captions } = values;
    const { obsFollow: input, obsFollowScene: inScene = false } = values;
    if (url === undefined) return undefined;
    const follow = input === undefined ? undefined : { input, inScene };
    const obs: ObsOutputOptions = { url, password, source, captions, follow };
    return {
      places: [
        ...(source === undefined ? [] : [`Source '${source}' of '${url}'`]),
        ...(captions ? [`Stream of '${url}'`] : []),
      ],
      checkOptions: () => checkObsOptions(obs),
      check: async clock => (await import('./obsOutput.ts')).checkObs({ ...obs, clock }),
      open: async options => (await import('./obsOutput.ts')).obsOutput({ ...obs, ...options }),
    };
  },
};
