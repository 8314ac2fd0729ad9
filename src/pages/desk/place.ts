import { loadText, parseObject, saveText } from '../stored.ts';

/** The place of a person in a job. */
export interface Place {
  /** Seconds of the audio. */
  readonly at: number;
  readonly speed: number;
  /** Positions of the cursor and of the first visible line, as the editor has them. */
  readonly cursor: number;
  readonly top: number;
}

const NAME = 'rxscribe.desk.places';
const MAX_JOBS = 30;

type Places = Readonly<Record<string, Place>>;

/** Returns the last place in a job; the beginning if the job was never open. */
export function loadPlace(jobId: string): Place {
  return readPlaces(loadText(NAME))[jobId] ?? { at: 0, speed: 1, cursor: 0, top: 0 };
}

export function savePlace(jobId: string, place: Place): void {
  saveText(NAME, JSON.stringify(withPlace(readPlaces(loadText(NAME)), jobId, place)));
}

/** Returns the places with that of a job as the latest; the oldest are left out. */
export function withPlace(places: Places, jobId: string, place: Place): Places {
  const { [jobId]: _, ...others } = places;
  return Object.fromEntries([...Object.entries(others), [jobId, place] as const].slice(-MAX_JOBS));
}

/** Reads stored places. Anything else is left out. */
export function readPlaces(text: string): Places {
  const entries = Object.entries(parseObject(text)).filter((entry): entry is [string, Place] =>
    isPlace(entry[1]),
  );
  return Object.fromEntries(entries);
}

function isPlace(value: unknown): boolean {
  const { at, speed, cursor, top } = (value ?? {}) as Record<string, unknown>;
  const areCounts = [at, cursor, top].every(number => Number.isFinite(number) && (number as number) >= 0);
  return areCounts && typeof speed === 'number' && speed >= 0.5 && speed <= 2;
}
