import { type FaultCarrier, faultKinds } from '../../replay/play/faults/faultKinds.ts';
import { collect, integerFrom } from './optionValues.ts';

/** Returns the option of a command that lets connections fail; `parseFaults` reads its texts. */
export const faultOption = (carrier?: FaultCarrier) => ({
  help: `make a connection fail, the first one or the one of that number; may be repeated: [NUMBER:]KIND[,NAME=VALUE…], such as cut,after_seconds=5 or 2:http-status,status=503 (kinds: ${faultKinds(carrier).join(', ')})`,
  parse: collect(String),
});

/** The option for the seed of random faults. */
export const SEED = {
  help: 'seed of the random choices',
  parse: integerFrom(0, 2 ** 32 - 1),
  default: 1,
};
