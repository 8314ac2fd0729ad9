/** Exit codes of a command that submits a job and prints its result. */
export const JOB_EXIT_CODES = `
Exit codes: 0 done, 2 wrong usage, 3 input cannot be read, 4 service unreachable or failed, 5 refused (token, credit,
request), 130 interrupted.`;

/** Exit codes of a command that reads or changes records of a service. */
export const RECORD_EXIT_CODES =
  'Exit codes: 0 done, 2 wrong usage, 4 service unreachable, 5 refused, 130 interrupted.';
