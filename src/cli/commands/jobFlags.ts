import type { TranscriptFormat } from '../files/transcriptFormats.ts';
import type { ServiceFlags } from '../flags/serviceOptions.ts';

/** The areas of a client, as `--area` names them. */
export const DELETABLE_AREA_NAMES = ['transcription', 'language-id', 'alignment', 'sentiment'] as const;
export const AREA_NAMES = [...DELETABLE_AREA_NAMES, 'legacy'] as const;

export type AreaName = (typeof AREA_NAMES)[number];

export interface JobFlags extends ServiceFlags {
  readonly area: AreaName;
  readonly json?: boolean;
}

export interface JobTranscriptFlags extends ServiceFlags {
  readonly format: TranscriptFormat;
  readonly speakerChannel?: number;
}
