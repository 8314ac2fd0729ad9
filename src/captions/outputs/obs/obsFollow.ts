import { BehaviorSubject, distinctUntilChanged, map, type Observable } from 'rxjs';
import type { ObsFollow } from './obsOptions.ts';
import type { ObsNotes, ObsPart } from './obsPart.ts';
import type { ObsSession } from './obsSession.ts';
import { missing } from './textSource.ts';

/** State of a followed input; unknown values are absent. */
interface FollowState {
  readonly isMuted?: boolean;
  readonly isActive?: boolean;
}

/** Returns whether there are captions: never before OBS has answered, so that nothing is captioned by mistake. */
export function isOnAir({ isMuted, isActive }: FollowState, { inScene = false }: ObsFollow): boolean {
  return isMuted === false && (!inScene || isActive === true);
}

/**
 * Asks for the state of an input.
 *
 * @throws RxscribeError `not-found`
 */
export async function followedState(
  session: ObsSession,
  { input, inScene = false }: ObsFollow,
): Promise<FollowState> {
  try {
    const { inputMuted: isMuted } = await session.call('GetInputMute', { inputName: input });
    if (!inScene) return { isMuted };
    // This call takes hidden items, groups and nested scenes into account.
    const { videoActive: isActive } = await session.call('GetSourceActive', { sourceName: input });
    return { isMuted, isActive };
  } catch (error) {
    throw missing(error, `OBS has no audio input '${input}'.`);
  }
}

/** The state of an input as a condition for captions. While the connection is lost, its last state counts. */
export class FollowedInput implements ObsPart {
  readonly #follow: ObsFollow;
  readonly #notes: ObsNotes;
  readonly #state$ = new BehaviorSubject<FollowState>({});
  #session: ObsSession | undefined;
  #events = 0;

  constructor(follow: ObsFollow, notes: ObsNotes) {
    this.#follow = follow;
    this.#notes = notes;
  }

  get onAir$(): Observable<boolean> {
    return this.#state$.pipe(
      map(state => isOnAir(state, this.#follow)),
      distinctUntilChanged(),
    );
  }

  take(): void {}

  connected(session: ObsSession): void {
    this.#session = session;
    const { events } = session;
    events.on('InputMuteStateChanged', ({ inputName, inputMuted: isMuted }) =>
      this.#change(session, inputName, { isMuted }),
    );
    events.on('InputActiveStateChanged', ({ inputName, videoActive: isActive }) =>
      this.#change(session, inputName, { isActive }),
    );
    const ask = () => this.alive(session);
    const changes = [
      'CurrentSceneCollectionChanged',
      'InputCreated',
      'InputRemoved',
      'InputNameChanged',
    ] as const;
    for (const name of changes) events.on(name, ask);
    ask();
  }

  /** Asks for the state, in case an event was missed. */
  alive(session: ObsSession): void {
    void this.#ask(session);
  }

  disconnected(): void {
    this.#session = undefined;
  }

  report() {
    return { shown: 0, skipped: 0, failures: 0 };
  }

  async close(): Promise<void> {
    this.#session = undefined;
    this.#state$.complete();
  }

  #change(session: ObsSession, inputName: string, change: FollowState): void {
    if (inputName !== this.#follow.input || session !== this.#session) return;
    this.#events++;
    this.#state$.next({ ...this.#state$.value, ...change });
  }

  async #ask(session: ObsSession): Promise<void> {
    const events = this.#events;
    try {
      const state = await followedState(session, this.#follow);
      if (session !== this.#session) return;
      // An event during the requests may be newer than the answers.
      if (events !== this.#events) return this.alive(session);
      this.#state$.next(state);
      this.#notes.works('follow');
    } catch (error) {
      if (session !== this.#session || session.ended.aborted) return;
      this.#state$.next({});
      this.#notes.fails('follow', error);
    }
  }
}
