import type { Clock } from '../../../base/clock.ts';
import { RxscribeError } from '../../../base/errors.ts';
import type { CaptionStep } from '../../captionStep.ts';
import { initialDisplayState, nextDisplay } from '../../rows/captionDisplay.ts';
import type { RollUpShape } from '../../rows/rollUp.ts';
import { LatestDelivery } from '../latestDelivery.ts';
import { codeOf, type ObsNotes, type ObsPart } from './obsPart.ts';
import type { ObsSession } from './obsSession.ts';

/** Status of a request for a source that does not exist. */
const NOT_FOUND = 600;
/** Kinds of the text sources of OBS on Windows and elsewhere, all versions. */
const TEXT_KINDS = /^text_(?:gdiplus|ft2_source)/;
/** Minimum number of milliseconds between texts: OBS draws a text anew for each. */
const MIN_INTERVAL_MS = 50;

/**
 * Checks that a source exists and shows the text of its settings.
 *
 * @throws RxscribeError `not-found`, or `invalid-argument` for another kind of source
 */
export async function checkTextSource(session: ObsSession, source: string): Promise<void> {
  const { inputKind, inputSettings } = await inputOf(session, source);
  if (!TEXT_KINDS.test(inputKind)) {
    throw new RxscribeError(
      'invalid-argument',
      `Source '${source}' of OBS is of kind '${inputKind}'. Name a text source.`,
    );
  }
  const { from_file: ofFreeType, read_from_file: ofGdi } = inputSettings;
  if (ofFreeType === true || ofGdi === true) {
    throw new RxscribeError(
      'invalid-argument',
      `Source '${source}' of OBS reads its text from a file. Turn that off in its properties.`,
    );
  }
}

async function inputOf(session: ObsSession, inputName: string) {
  try {
    return await session.call('GetInputSettings', { inputName });
  } catch (error) {
    throw missing(error, `OBS has no source '${inputName}'. Add a text source of this name to a scene.`);
  }
}

/** Returns the error of a request, with a clear message where something does not exist. */
export function missing(error: unknown, message: string): unknown {
  return codeOf(error) === NOT_FOUND ? new RxscribeError('not-found', message, { cause: error }) : error;
}

export interface TextSourceOptions extends RollUpShape {
  /** Name of the source. */
  readonly source: string;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly notes: ObsNotes;
}

/** Captions in a text source of OBS, which need no stream. A source that is missing is used as soon as it exists. */
export class TextSource implements ObsPart {
  readonly #options: TextSourceOptions;
  readonly #delivery: LatestDelivery<string>;
  #state = initialDisplayState;
  #text = '';
  #session: ObsSession | undefined;
  #isChecked = false;

  constructor(options: TextSourceOptions) {
    this.#options = options;
    this.#delivery = new LatestDelivery({
      name: 'obs',
      clock: options.clock,
      // A request without an answer fails earlier, with a better reason.
      timeoutMs: options.timeoutMs + 1000,
      minIntervalMs: MIN_INTERVAL_MS,
      send: (text, signal) => this.#send(text, signal),
    });
  }

  take(step: CaptionStep): void {
    this.#state = nextDisplay(this.#state, step, this.#options);
    const text = this.#state.display.rows.join('\n');
    const isNew = text !== this.#text;
    this.#text = text;
    if (!this.#session) return;
    if (step.type === 'off') this.#delivery.pushNow('');
    else if (isNew) this.#delivery.push(text);
  }

  connected(session: ObsSession): void {
    this.#session = session;
    const showAnew = () => {
      if (session !== this.#session) return;
      this.#isChecked = false;
      // Also an empty text is sent: it replaces that of an earlier run, which may have been killed.
      this.#delivery.pushNow(this.#text);
    };
    session.events.on('CurrentSceneCollectionChanged', showAnew);
    session.events.on('InputCreated', ({ inputName }) => {
      if (inputName === this.#options.source) showAnew();
    });
    session.events.on('InputNameChanged', ({ inputName, oldInputName }) => {
      if (inputName === this.#options.source || oldInputName === this.#options.source) showAnew();
    });
    showAnew();
  }

  disconnected(): void {
    this.#session = undefined;
    this.#delivery.drop();
  }

  report() {
    return this.#delivery.report();
  }

  async close(): Promise<void> {
    this.#text = '';
    if (this.#session) this.#delivery.pushNow('');
    await this.#delivery.close();
  }

  async #send(text: string, signal: AbortSignal): Promise<void> {
    const session = this.#session;
    // The text is sent when OBS is connected.
    if (!session) return;
    const { source, notes } = this.#options;
    try {
      if (!this.#isChecked) await checkTextSource(session, source);
      this.#isChecked = true;
      if (!signal.aborted) await this.#setText(session, text);
      notes.works('source');
    } catch (error) {
      this.#isChecked = false;
      if (session.ended.aborted) return;
      notes.fails('source', error);
      throw error;
    }
    // OBS may have taken a replaced text after the one that replaced it.
    if (signal.aborted && text !== this.#text) this.#delivery.push(this.#text);
  }

  async #setText(session: ObsSession, text: string): Promise<void> {
    const { source: inputName } = this.#options;
    await session.call('SetInputSettings', { inputName, inputSettings: { text }, overlay: true });
  }
}
