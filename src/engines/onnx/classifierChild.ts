/** The process that holds a text classifier. What a broken model does to it ends this process only. */
import { serveInference } from './serveInference.ts';
import { loadTextClassifier } from './textClassifier.ts';

serveInference(loadTextClassifier);
