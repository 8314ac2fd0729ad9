export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
/** Defaults of logging. */
export const LOG_DEFAULTS = { level: 'info' } as const satisfies { level: LogLevel };

export const LOG_FORMATS = ['plain', 'json'] as const;
