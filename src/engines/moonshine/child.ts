/** The process that holds the model. A crash of the native library ends this process only. */
import { serveInference } from '../onnx/serveInference.ts';
import { loadDecoder } from './decoder.ts';

serveInference(loadDecoder);
