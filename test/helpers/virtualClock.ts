export { VirtualClock } from '../../src/replay/time/virtualClock.ts';
