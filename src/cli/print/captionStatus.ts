import type { CaptionReport, RoomReport } from './captionMetrics.ts';

/** Returns a report as one line for people. */
export function statusText({ rooms, computeRatio, viewers }: CaptionReport): string {
  const compute = `${computeRatio.toFixed(2)}x`;
  const shared = [compute, ...(viewers === undefined ? [] : [`${viewers} viewers`])];
  return [...rooms.map(roomText), ...shared].join(' · ');
}

function roomText({ name, figures, outputs }: RoomReport): string {
  const { words, lagSeconds, reconnects, coverage, level, problem } = figures;
  const failing = outputs.filter(({ failure }) => failure !== undefined).map(output => output.name);
  const parts = [
    ...(level ? [meter(level.peakDb)] : []),
    problem ?? `lag ${lagSeconds.toFixed(1)} s`,
    `${words} words`,
    ...(reconnects > 0 ? [`${reconnects} reconnects`] : []),
    ...(coverage < 0.9995 ? [`${(coverage * 100).toFixed(1)} % covered`] : []),
    ...(failing.length > 0 ? [`failing: ${failing.join(', ')}`] : []),
  ];
  return `${name === '' ? '' : `${name}: `}${parts.join(' · ')}`;
}

const BARS = '▁▂▃▄▅▆▇█';
/** Level in dB of an empty meter. */
const METER_FLOOR_DB = -60;

/** Returns a bar for a level. */
function meter(peakDb: number): string {
  const share = Math.max(0, Math.min(1, 1 - peakDb / METER_FLOOR_DB));
  return BARS[Math.round(share * (BARS.length - 1))]!;
}
