import type { ModelRole } from '../../base/models.ts';

/**
 * What a model directory holds, told from its files.
 *
 * `online-` models recognise while somebody speaks, `offline-` ones what has been said. `offline-moonshine` is the export
 * of sherpa-onnx in five files, `moonshine` that of Hugging Face in an encoder and a decoder.
 */
export type ModelKind =
  | 'online-transducer'
  | 'online-nemo-transducer'
  | 'online-paraformer'
  | 'online-zipformer2-ctc'
  | 'online-nemo-ctc'
  | 'offline-transducer'
  | 'offline-nemo-transducer'
  | 'offline-paraformer'
  | 'offline-nemo-ctc'
  | 'offline-zipformer-ctc'
  | 'offline-sense-voice'
  | 'offline-moonshine'
  | 'moonshine'
  | 'whisper'
  | 'silero-vad'
  | 'punctuation'
  | 'speaker-diarization'
  | 'text-classification';

/** A directory with a model. */
export interface ModelDirectory {
  /** Absolute. */
  readonly path: string;
  readonly kind: ModelKind;
  /** What it can be used for. */
  readonly roles: readonly ModelRole[];
  /** Absolute paths by what they are, such as `encoder`, `decoder`, `joiner`, `model`, `tokens`, `bpe`, `config`. */
  readonly files: Readonly<Record<string, string>>;
}

/** Whether a recogniser hears whole utterances, which a voice detector has to find; others find them themselves. */
export function takesVoiceDetector(recognizer: ModelDirectory | undefined): boolean {
  return recognizer !== undefined && /^(offline-|whisper$)/.test(recognizer.kind);
}
