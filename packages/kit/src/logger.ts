import { pino } from 'pino';

export type Logger = import('pino').Logger;

/** JSON lines on standard output. Secrets and cards never reach a log: what carries them is named here. */
export const logger = (name: string, level = 'info'): Logger =>
  pino({
    name,
    level,
    redact: ['*.password', '*.token', '*.authorization', '*.cookie', '*.client_secret', '*.clientSecret'],
    timestamp: pino.stdTimeFunctions.isoTime,
  });
