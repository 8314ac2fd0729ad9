import { RxscribeError, refuseIf } from '../../../base/errors.ts';
import { codeOf, ObsDisplay, type ObsDisplayOptions } from './obsPart.ts';
import type { ObsSession } from './obsSession.ts';

/** Statuses of a request for a source that does not exist, that is a scene or a group, or that has no sound. */
const [NOT_FOUND, NOT_INPUT, NO_SOUND] = [600, 602, 604];
/** Kinds of the text sources of OBS on Windows and elsewhere, all versions. */
const TEXT_KINDS = /^text_(?:gdiplus|ft2_source)/;
/** Minimum number of milliseconds between texts: OBS draws a text anew for each. */
const MIN_INTERVAL_MS = 50;

/**
 * Checks that a source exists and shows the text of its settings.
 *
 * @throws RxscribeError `not-found`
 * @throws InvalidArgumentError for another kind of source
 */
export async function checkTextSource(session: ObsSession, source: string): Promise<void> {
  const { inputKind, inputSettings } = await inputOf(session, source);
  const name = `Source '${source}' of OBS`;
  refuseIf(!TEXT_KINDS.test(inputKind), `${name} is of kind '${inputKind}'. Name a text source.`);
  const { from_file: ofFreeType, read_from_file: ofGdi } = inputSettings;
  const readsFile = ofFreeType === true || ofGdi === true;
  refuseIf(readsFile, `${name} reads its text from a file. Turn that off in its properties.`);
}

async function inputOf(session: ObsSession, inputName: string) {
  try {
    return await session.call('GetInputSettings', { inputName });
  } catch (error) {
    throw noSource(error, inputName);
  }
}

/** Returns the error of a request for a text source. */
function noSource(error: unknown, name: string): unknown {
  const isScene = codeOf(error) === NOT_INPUT;
  refuseIf(isScene, `Source '${name}' of OBS is a scene or a group. Name a text source.`);
  return missing(error, `OBS has no source '${name}'. Add a text source of this name to a scene.`);
}

/** Returns the error of a request, with a clear message where something does not exist, or is of another kind. */
export function missing(error: unknown, message: string): unknown {
  const isMissing = [NOT_FOUND, NOT_INPUT, NO_SOUND].includes(codeOf(error) ?? 0);
  return isMissing ? new RxscribeError('not-found', message, { cause: error }) : error;
}

export interface TextSourceOptions extends Omit<ObsDisplayOptions, 'use' | 'minIntervalMs'> {
  /** Name of the source. */
  readonly source: string;
}

/** Captions in a text source of OBS, which need no stream. A source that is missing is used as soon as it exists. */
export class TextSource extends ObsDisplay {
  readonly #source: string;
  #isChecked = false;

  constructor(options: TextSourceOptions) {
    super({ ...options, use: 'source', minIntervalMs: MIN_INTERVAL_MS });
    this.#source = options.source;
  }

  connected(session: ObsSession): void {
    const showAnew = () => {
      if (session.ended.aborted) return;
      this.#isChecked = false;
      this.show(session);
    };
    session.events.on('CurrentSceneCollectionChanged', showAnew);
    session.events.on('InputCreated', ({ inputName }) => {
      if (inputName === this.#source) showAnew();
    });
    session.events.on('InputNameChanged', ({ inputName, oldInputName }) => {
      if (inputName === this.#source || oldInputName === this.#source) showAnew();
    });
    showAnew();
  }

  protected async send(session: ObsSession, text: string, signal: AbortSignal): Promise<void> {
    if (!this.#isChecked) await checkTextSource(session, this.#source);
    if (signal.aborted) return;
    const inputSettings = { text };
    this.#isChecked = false;
    try {
      await session.call('SetInputSettings', { inputName: this.#source, inputSettings, overlay: true });
    } catch (error) {
      throw noSource(error, this.#source);
    }
    this.#isChecked = true;
  }
}
