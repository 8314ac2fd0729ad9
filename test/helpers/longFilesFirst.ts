import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, in this order: begun last, each would leave the other workers idle at the end. */
const LONG_FILES = [
  'service/jobs/killedStepsOnServers',
  'service/jobs/killedSteps',
  'engines/moonshine/recognizer',
  'samples/deploy/image',
  'engines/moonshine/wasm',
  'captions/outputs/page/pageInChromium',
  'engines/alignment/differingTexts',
  'client/stream/recovery/recoverySuspended',
  'cli/commands/serve',
  'samples/deploy/installation',
  'client/stream/recovery/suspendedRecognizer',
  'cli/live/captionRestart',
  'engines/moonshine/processes',
  'captions/outputs/hls/hlsPlayed',
];

/** Starts long files first, then the others as usual. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const index = LONG_FILES.findIndex(name => moduleId.endsWith(`/test/${name}.test.ts`));
      return index === -1 ? LONG_FILES.length : index;
    };
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
