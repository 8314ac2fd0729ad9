/** The process that holds a text classifier, so that a broken model crashes only this process. */
import { serveWork } from '../process/serveWork.ts';
import { type ClassifierSetup, loadTextClassifier } from './textClassifier.ts';

export interface ClassifierMethods {
  /** Returns the probabilities of the labels for each sentence. */
  classify(sentences: readonly string[]): Promise<readonly (readonly number[])[]>;
}

serveWork<ClassifierSetup, ClassifierMethods>(async setup => {
  const classify = await loadTextClassifier(setup);
  return () => ({ classify });
});
