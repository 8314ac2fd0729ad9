import koffi, { type LibraryHandle } from 'koffi';
import { RxscribeError } from '../../base/errors.ts';

/** An address that C gave out; null where C has NULL. */
export type Pointer = bigint | null;
type OutInt = [number];

/** The functions of PocketSphinx 0.8+5prealpha that we call, by their C names. */
export interface PocketSphinxLibrary {
  ps_args(): Pointer;
  cmd_ln_init(previous: null, definitions: Pointer, strict: number, ...typedStrings: unknown[]): Pointer;
  ps_init(config: Pointer): Pointer;
  ps_free(decoder: Pointer): number;
  ps_start_stream(decoder: Pointer): number;
  ps_start_utt(decoder: Pointer): number;
  ps_process_raw(
    decoder: Pointer,
    samples: Int16Array,
    count: number,
    noSearch: number,
    fullUtterance: number,
  ): number;
  ps_end_utt(decoder: Pointer): number;
  ps_get_config(decoder: Pointer): Pointer;
  ps_get_search(decoder: Pointer): string | null;
  ps_set_search(decoder: Pointer, name: string): number;
  ps_unset_search(decoder: Pointer, name: string): number;
  ps_get_lm(decoder: Pointer, search: string): Pointer;
  ps_set_lm(decoder: Pointer, search: string, model: Pointer): number;
  ps_add_word(decoder: Pointer, word: string, phones: string, update: number): number;
  ps_get_logmath(decoder: Pointer): Pointer;
  logmath_exp(logmath: Pointer, value: number): number;
  ngram_model_read(config: Pointer, path: string, type: number, logmath: Pointer): Pointer;
  ngram_model_retain(model: Pointer): Pointer;
  ngram_model_set_lookup(set: Pointer, name: null): Pointer;
  ngram_model_set_init(
    config: null,
    models: readonly Pointer[],
    names: readonly string[],
    weights: Float32Array,
    count: number,
  ): Pointer;
  ngram_wid(model: Pointer, word: string): number;
  ngram_unknown_wid(model: Pointer): number;
  ngram_probv(model: Pointer, word: string, ...typedHistory: unknown[]): number;
  ps_seg_iter(decoder: Pointer): Pointer;
  ps_seg_next(segment: Pointer): Pointer;
  ps_seg_word(segment: Pointer): string | null;
  ps_seg_frames(segment: Pointer, outStart: OutInt, outEnd: OutInt): void;
  ps_seg_prob(segment: Pointer, outAcoustic: OutInt, outLanguage: OutInt, outBackoff: OutInt): number;
  ps_nbest(decoder: Pointer): Pointer;
  ps_nbest_next(path: Pointer): Pointer;
  ps_nbest_seg(path: Pointer): Pointer;
  ps_nbest_free(path: Pointer): void;
  err_set_callback(callback: null, userData: null): void;
  err_set_logfile(path: string): number;
}

const PROTOTYPES: Readonly<Record<keyof PocketSphinxLibrary, string>> = {
  ps_args: 'void *ps_args()',
  cmd_ln_init: 'void *cmd_ln_init(void *, void *, int, ...)',
  ps_init: 'void *ps_init(void *)',
  ps_free: 'int ps_free(void *)',
  ps_start_stream: 'int ps_start_stream(void *)',
  ps_start_utt: 'int ps_start_utt(void *)',
  ps_process_raw: 'int ps_process_raw(void *, const int16_t *, size_t, int, int)',
  ps_end_utt: 'int ps_end_utt(void *)',
  ps_get_config: 'void *ps_get_config(void *)',
  ps_get_search: 'const char *ps_get_search(void *)',
  ps_set_search: 'int ps_set_search(void *, const char *)',
  ps_unset_search: 'int ps_unset_search(void *, const char *)',
  ps_get_lm: 'void *ps_get_lm(void *, const char *)',
  ps_set_lm: 'int ps_set_lm(void *, const char *, void *)',
  ps_add_word: 'int ps_add_word(void *, const char *, const char *, int)',
  ps_get_logmath: 'void *ps_get_logmath(void *)',
  logmath_exp: 'double logmath_exp(void *, int)',
  ngram_model_read: 'void *ngram_model_read(void *, const char *, int, void *)',
  ngram_model_retain: 'void *ngram_model_retain(void *)',
  ngram_model_set_lookup: 'void *ngram_model_set_lookup(void *, const char *)',
  ngram_model_set_init: 'void *ngram_model_set_init(void *, void **, const char **, const float *, int)',
  ngram_wid: 'int ngram_wid(void *, const char *)',
  ngram_unknown_wid: 'int ngram_unknown_wid(void *)',
  ngram_probv: 'int ngram_probv(void *, const char *, ...)',
  ps_seg_iter: 'void *ps_seg_iter(void *)',
  ps_seg_next: 'void *ps_seg_next(void *)',
  ps_seg_word: 'const char *ps_seg_word(void *)',
  ps_seg_frames: 'void ps_seg_frames(void *, _Out_ int *, _Out_ int *)',
  ps_seg_prob: 'int32_t ps_seg_prob(void *, _Out_ int32_t *, _Out_ int32_t *, _Out_ int32_t *)',
  ps_nbest: 'void *ps_nbest(void *)',
  ps_nbest_next: 'void *ps_nbest_next(void *)',
  ps_nbest_seg: 'void *ps_nbest_seg(void *)',
  ps_nbest_free: 'void ps_nbest_free(void *)',
  err_set_callback: 'void err_set_callback(void *, void *)',
  err_set_logfile: 'int err_set_logfile(const char *)',
};

/**
 * Loads the shared libraries, the last of which is PocketSphinx itself.
 *
 * For the process that decodes only: a wrong call ends the process that makes it.
 *
 * @param paths in load order: each finds those it needs among the ones before it or in the system
 * @throws RxscribeError `engine-failed` when one does not load, or when the version has another interface
 */
export function loadLibrary(paths: readonly string[]): PocketSphinxLibrary {
  try {
    const libraries = paths.map(path => koffi.load(path));
    const library = libraries.at(-1)!;
    refuseVersion5(library, paths.at(-1)!);
    const functions = Object.entries(PROTOTYPES).map(([name, prototype]) => [name, library.func(prototype)]);
    return Object.fromEntries(functions);
  } catch (cause) {
    if (cause instanceof RxscribeError) throw cause;
    throw new RxscribeError('engine-failed', `load PocketSphinx: ${paths.join(', ')} cannot be used`, {
      cause,
    });
  }
}

/** Version 5 is configured by `ps_config_init`. */
function refuseVersion5(library: LibraryHandle, path: string): void {
  try {
    library.func('void *ps_config_init(void *)');
  } catch {
    return;
  }
  throw new RxscribeError(
    'engine-failed',
    `load PocketSphinx: wanted version 0.8, found version 5 at ${path}`,
  );
}
