import { openCaptionPage } from '../../../../src/captions/outputs/page/captionPage.ts';
import { spokenSteps } from './pageClient.ts';

/** A program with a caption page, where somebody speaks four words a second, each first uncertain. It prints its address. */
const page = await openCaptionPage({ port: 0 });
const output = page.track('');
// An hour that is over.
const steps = spokenSteps();
for (let index = 0; index < 9000; index++) output.take(steps.next().value);
setInterval(() => output.take(steps.next().value), 125);
process.stdout.write(`${page.url}\n`);
