export { type Random, seeded } from '../../src/base/seeded.ts';
