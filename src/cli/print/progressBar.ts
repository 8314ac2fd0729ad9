const WIDTH = 24;

/** How much of something is done, from 0 to 1, as a bar and a number. */
export function progressBar(fraction: number): string {
  const filled = Math.round(fraction * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.round(fraction * 100)} %`;
}
