import type { RoomFigures, RoomView } from '../../captions/control/operatorMessage.ts';

/** Sentences on reasons why there are no captions. A start is no fault. */
const PROBLEMS: Readonly<Record<NonNullable<RoomFigures['problem']>, string | undefined>> = {
  starting: undefined,
  'digital silence': 'The audio is digital silence: the microphone is muted or not connected.',
  'no audio': 'No audio comes from the source.',
  'no service': 'There is no connection to the service.',
  failed: 'The source has failed.',
};

/** Returns the faults of a source as sentences; words are late after `limit` seconds beyond the delay of the output. */
export function faultsOf({ state, figures }: RoomView, limit: number): readonly string[] {
  const problem = figures?.problem && PROBLEMS[figures.problem];
  const { name, isOther = false } = figures?.microphone ?? {};
  const moved = isOther ? [`The sound comes from another microphone: ${name}.`] : [];
  const failing = state.outputs.flatMap(({ name, failure }) =>
    failure ? [`${name} fails: ${failure}.`] : [],
  );
  const late = state.outputs
    .filter(
      ({ failure, wordDelay, delaySeconds }) => !failure && (wordDelay?.p95 ?? 0) - delaySeconds > limit,
    )
    .map(({ name }) => name);
  // The text lacks the present figure, as a screen reader would repeat it at each change.
  const lateness = late.length > 0 ? [`Words are more than ${limit} s late on ${late.join(', ')}.`] : [];
  return [...(problem === undefined ? [] : [problem]), ...moved, ...failing, ...lateness];
}

/** Seconds between two tones of a fault, and the length of one. */
const TONE = { everySeconds: 3, seconds: 0.25, hertz: 880 } as const;

/** Starts the tones of a fault, and returns a function that ends them. */
export function startTones(context: AudioContext): () => void {
  const play = () => {
    const tone = new OscillatorNode(context, { frequency: TONE.hertz });
    tone.connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + TONE.seconds);
  };
  play();
  const timer = setInterval(play, TONE.everySeconds * 1000);
  return () => clearInterval(timer);
}
