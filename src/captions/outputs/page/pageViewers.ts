import type { ServerResponse } from 'node:http';
import type { Clock } from '../../../base/clock.ts';
import { createId } from '../../../base/ids.ts';
import { type PlaceUse, SharedPlaces } from '../../../web/serverLimits.ts';

/** Milliseconds without an answer to a ping after which a viewer may lose its place: those of four pings. */
const IDLE_MS = 60_000;

interface Viewer {
  readonly response: ServerResponse;
  /** Id of the last ping. */
  ping: string;
  /** True once it has answered a ping. */
  hasRead: boolean;
  /** Time at which it connected, or last answered a ping. */
  heardAt: number;
}

/**
 * The places of viewers. A viewer shows that it reads by the id of its last ping, which nobody else knows. For a minute from then
 * on, it counts as active; connections that never read leave first when room is needed.
 */
export class PageViewers {
  readonly #clock: Clock;
  readonly #places: SharedPlaces<Viewer>;
  readonly #byPing = new Map<string, Viewer>();

  constructor(limit: number, clock: Clock) {
    this.#clock = clock;
    const evict = ({ response }: Viewer) => void response.destroy();
    this.#places = new SharedPlaces(limit, evict, viewer => this.#useOf(viewer));
  }

  get count(): number {
    return this.#places.count;
  }

  get isFull(): boolean {
    return this.#places.isFull;
  }

  /** Returns a function that returns the id of the next ping of the viewer; undefined when there is no place. */
  take(address: string, response: ServerResponse): (() => string) | undefined {
    const viewer: Viewer = { response, ping: '', hasRead: false, heardAt: this.#clock.now() };
    const leave = this.#places.take(address, viewer);
    if (!leave) return undefined;
    response.on('close', () => {
      leave();
      this.#byPing.delete(viewer.ping);
    });
    return () => {
      this.#byPing.delete(viewer.ping);
      viewer.ping = createId();
      this.#byPing.set(viewer.ping, viewer);
      return viewer.ping;
    };
  }

  /** Takes the answer to a ping. Each id counts once; an unknown one has no effect. */
  answer(ping: string): void {
    const viewer = this.#byPing.get(ping);
    if (!viewer) return;
    this.#byPing.delete(ping);
    viewer.hasRead = true;
    viewer.heardAt = this.#clock.now();
  }

  #useOf({ hasRead, heardAt }: Viewer): PlaceUse {
    if (this.#clock.now() - heardAt > IDLE_MS) return 'idle';
    return hasRead ? 'active' : 'unknown';
  }
}
