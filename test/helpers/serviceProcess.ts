import { onTestFinished } from 'vitest';
import { launchService, type ServiceProcess } from './launchService.ts';

export type { ServiceProcess } from './launchService.ts';

/**
 * A service in a process of its own, which ends with the test.
 *
 * @throws Error with what the process wrote when it ends instead of listening
 */
export function startServiceProcess(...options: Parameters<typeof launchService>): Promise<ServiceProcess> {
  const { listening, kill } = launchService(...options);
  onTestFinished(kill);
  return listening;
}
