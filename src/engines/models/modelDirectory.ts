import {
  DEFAULT_ENGINE,
  ENGINE_NAMES,
  type EngineName,
  type ModelRole,
  RECOGNIZERS,
  type RecognizerModelKind,
} from '../../base/models.ts';

/**
 * Kind of a model, identified by its files.
 *
 * `online-` models recognise live speech, `offline-` models whole utterances. `offline-moonshine` is
 * sherpa-onnx's export in five files, `moonshine` that of Hugging Face in an encoder and a decoder.
 */
export type ModelKind = RecognizerModelKind | 'silero-vad';

/** A directory with a model. */
export interface ModelDirectory {
  /** Absolute path. */
  readonly path: string;
  readonly kind: ModelKind;
  /** Roles that it can serve. */
  readonly roles: readonly ModelRole[];
  /**
   * Absolute paths by purpose, such as `encoder`, `decoder`, `joiner`, `model`, `tokens`, `bpe`, `config`.
   */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Returns whether a recogniser needs a voice detector to find whole utterances; others find them themselves.
 */
export function takesVoiceDetector(recognizer: ModelDirectory | undefined): boolean {
  return recognizer !== undefined && /^(offline-|whisper$)/.test(recognizer.kind);
}

/** Returns the engine that runs a model; by default the one that needs none. */
export function engineOf(recognizer: ModelDirectory | undefined): EngineName {
  return (
    ENGINE_NAMES.find(name => RECOGNIZERS[name].some(kind => kind === recognizer?.kind)) ?? DEFAULT_ENGINE
  );
}
