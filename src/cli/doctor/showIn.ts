import { progressBar } from '../print/progressBar.ts';

/** Shows the steps of a task; how far it is, on a terminal only: elsewhere each change would be a line. */
export function showIn(task: { output: string }): (text: string, fraction?: number) => void {
  return (text, fraction) => {
    if (fraction === undefined) task.output = text;
    else if (process.stdout.isTTY) task.output = `${progressBar(fraction)} ${text}`;
  };
}
