/** Sounds that nobody would take for speech. */

const TURN = 2 * Math.PI;

/** A sound as a function of time in seconds, from -1 to 1. */
export type Wave = (seconds: number) => number;
/** From -1 to 1, the same each time. */
type Random = () => number;

const sine =
  (hertz: number): Wave =>
  seconds =>
    Math.sin(TURN * hertz * seconds);

/** Sines of some frequencies, each as loud as the others. */
function chord(...frequencies: readonly number[]): Wave {
  const waves = frequencies.map(sine);
  return seconds => waves.reduce((sum, wave) => sum + wave(seconds), 0) / waves.length;
}

/** Mains hum, with harmonics that get softer. */
function hum(hertz: number): Wave {
  const waves = [1, 2, 3, 4, 5, 6, 7, 8].map(factor => ({ wave: sine(hertz * factor), factor }));
  return seconds => waves.reduce((sum, { wave, factor }) => sum + wave(seconds) / factor, 0) / 2;
}

/** A sound that is on for some seconds, then off for some. */
const gated =
  (wave: Wave, on: number, off: number): Wave =>
  seconds =>
    seconds % (on + off) < on ? wave(seconds) : 0;

/** One wave after the other, each for a time. */
const inTurn =
  (waves: readonly Wave[], each: number): Wave =>
  seconds =>
    waves[Math.floor(seconds / each) % waves.length]!(seconds);

/** Begins each beat loudly, and dies away. */
const plucked =
  (wave: Wave, beat: number, decay: number): Wave =>
  seconds =>
    wave(seconds) * Math.exp(-(seconds % beat) / decay);

/** Goes from one frequency to another in each period, evenly for the ear. */
function sweep(from: number, to: number, period: number): Wave {
  const rate = Math.log(to / from) / period;
  return seconds => Math.sin((TURN * from * (Math.exp(rate * (seconds % period)) - 1)) / rate);
}

export function createRandom(seed = 1): Random {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Noise that loses 3 dB an octave, by Paul Kellet's filter. */
function pink(random: Random): Wave {
  const poles = [0.99886, 0.99332, 0.969, 0.8665, 0.55, -0.7616];
  const gains = [0.0555179, 0.0750759, 0.153852, 0.3104856, 0.5329522, -0.016898];
  const states = poles.map(() => 0);
  return () => {
    const white = random();
    for (const [index, pole] of poles.entries())
      states[index] = pole * states[index]! + gains[index]! * white;
    return (states.reduce((sum, state) => sum + state, 0) + white * 0.5362) / 8;
  };
}

/** Noise through a low pass: 6 dB an octave. */
function brown(random: Random, leak = 0.02): Wave {
  let last = 0;
  return () => {
    last += leak * (random() - last);
    return 6 * last;
  };
}

/** The two tones of a key of a telephone. */
function dial(key: number): Wave {
  const rows = [697, 770, 852, 941];
  const columns = [1209, 1336, 1477];
  return chord(rows[Math.floor(key / 3) % 4]!, columns[key % 3]!);
}

/** The sounds by name; those of noise change with each call. */
export function waves(): Readonly<Record<string, Wave>> {
  const random = createRandom();
  const white = () => random();
  const [minor, major] = [chord(220, 261.6, 329.6), chord(261.6, 329.6, 392)];
  const scale = [261.6, 293.7, 329.6, 349.2, 392, 440, 493.9, 523.3].map(sine);
  const drum = plucked(seconds => 0.6 * sine(60)(seconds) + 0.4 * random(), 0.5, 0.06);
  const strings = plucked(inTurn([minor, major, chord(196, 246.9, 293.7)], 1.2), 1.2, 0.9);
  return {
    silence: () => 0,
    'white noise': white,
    'pink noise': pink(random),
    'brown noise': brown(random),
    rumble: brown(random, 0.004),
    'hum of 50 Hz': hum(50),
    'hum of 60 Hz': hum(60),
    'a tone of 440 Hz': sine(440),
    'a slow sweep': sweep(80, 7000, 8),
    'quick chirps': gated(sweep(1500, 4000, 0.15), 0.15, 0.35),
    clicks: gated(() => 1, 0.001, 0.4),
    'a ticking clock': plucked(white, 0.5, 0.004),
    'bursts of noise': gated(white, 0.4, 0.8),
    'reversed bursts': seconds => white() * Math.exp(((seconds % 1) - 1) * 6),
    'a square wave': seconds => Math.sign(sine(150)(seconds)),
    'a saw-tooth wave': seconds => 2 * ((seconds * 110) % 1) - 1,
    'keys of a telephone': gated(inTurn([4, 1, 7, 0, 9, 2].map(dial), 0.3), 0.15, 0.15),
    'a dial tone': chord(350, 440),
    'a ringback tone': gated(chord(440, 480), 2, 4),
    'a busy tone': gated(chord(480, 620), 0.5, 0.5),
    'a siren': seconds =>
      Math.sin(TURN * (700 * seconds + (250 / TURN) * Math.sin(TURN * 0.5 * seconds) * 2)),
    'noise that swells': seconds => white() * (0.5 + 0.5 * sine(4)(seconds)),
    'noise as loud as syllables': seconds => white() * Math.max(0, sine(3)(seconds)) ** 2,
    'an engine': seconds => 0.7 * hum(33)(seconds) + 0.3 * random(),
    chords: strings,
    'a scale': plucked(inTurn(scale, 0.4), 0.4, 0.3),
    drums: drum,
    'a small band': seconds =>
      0.5 * strings(seconds) + 0.3 * drum(seconds) + 0.2 * inTurn(scale, 0.3)(seconds),
  };
}
