import { decodedWords } from './decodedWords.ts';
import type { DecodedSpan } from './decodeUtterance.ts';
import { decodeOnce, decodeUtterance, isNoSpeech, isSuspicious } from './decodeUtterance.ts';
import type { DecodedUtterance, DecodeRequest, MoonshineRequest, MoonshineSetup } from './messages.ts';
import { loadMoonshine, type MoonshineModel } from './model.ts';
import { createNativeRuntime } from './nativeRuntime.ts';
import { createFavour, type Favour } from './phraseTrie.ts';
import { createWasmRuntime } from './wasmRuntime.ts';

/** Loads the model, and returns what answers requests. */
export async function loadDecoder({
  files,
  library,
}: MoonshineSetup): Promise<(request: MoonshineRequest) => Promise<DecodedUtterance | undefined>> {
  const runtime = library ? createNativeRuntime(library) : await createWasmRuntime();
  const model = await loadMoonshine(runtime, files);
  const favours = new Map<number, Favour>();
  return async request => {
    switch (request.type) {
      case 'learn':
        favours.set(request.id, createFavour(request.phrases));
        return undefined;
      case 'forget':
        favours.delete(request.id);
        return undefined;
      case 'decode':
        return decode(model, request, favours.get(request.phrases ?? -1));
    }
  };
}

async function decode(
  model: MoonshineModel,
  request: DecodeRequest,
  favour: Favour | undefined,
): Promise<DecodedUtterance> {
  const { effort, prefix } = request;
  const options = { prefix, favour };
  const spans =
    effort === 'full'
      ? await decodeUtterance(model, request, options)
      : [await decodeOnce(model, request, options)];
  return {
    words: spans.flatMap(span => decodedWords(span, request.samples)),
    tokens: spans.flatMap(({ hypothesis }) => hypothesis.tokens),
    isLoop: spans.some(({ hypothesis }) => hypothesis.stop === 'loop'),
    isSuspicious: spans.some(needsAnotherTry),
  };
}

function needsAnotherTry(span: DecodedSpan): boolean {
  return isSuspicious(span) && !isNoSpeech(span);
}
