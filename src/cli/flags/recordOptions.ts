import { liveOptions } from './liveOptions.ts';
import { type FlagsOf, optionGroup } from './optionGroup.ts';
import { RECOVERY_OPTIONS } from './recoveryOptions.ts';
import { serviceOptions } from './serviceOptions.ts';
import { SESSION_RETENTION_OPTIONS, SPEECH_OPTIONS } from './speechOptions.ts';

/** Options of `rxscribe record`. */
export const RECORD_OPTIONS = [
  optionGroup('Output', {
    '--out <file>': { help: 'cassette to write, such as talk.cassette.jsonl', required: true },
    '--audio <where>': {
      help: 'audio in its own file or in the cassette',
      choices: ['beside', 'inside'],
      default: 'beside',
    },
    '--audio-format <kind>': {
      help: 'audio format (flac requires ffmpeg)',
      choices: ['wav', 'flac'],
      default: 'wav',
    },
    '--overwrite': 'replace an existing cassette',
  }),
  ...liveOptions('record'),
  ...serviceOptions(),
  SPEECH_OPTIONS,
  SESSION_RETENTION_OPTIONS,
  RECOVERY_OPTIONS,
] as const;

/** Flags of `rxscribe record`. */
export type RecordFlags = FlagsOf<typeof RECORD_OPTIONS>;
