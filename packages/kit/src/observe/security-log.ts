import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requestLog } from '../http/request-log.ts';
import { keyedText, type Secrets } from '../secrets.ts';
import { logger, type Logger } from './logger.ts';

export interface SecurityEvent {
  /** `sign-in`, `refused`, `password-changed`… */
  what: string;
  outcome: 'done' | 'refused';
  /** The account, by its number, or the address that was typed. Written as a pseudonym. */
  account?: number | string | undefined;
  /** The network of the sender. Written as a pseudonym. */
  from?: string | undefined;
  requestId?: string | undefined;
  route?: string;
  status?: number;
  /** Why it was refused, or by which proof it was done. */
  code?: string | undefined;
}

export interface SecurityLogOptions {
  service: string;
  /** Makes pseudonyms: the same in all services, until it is rotated. */
  secret: Secrets;
  /** Files by day, `<service>-<pid>-2026-11-28.jsonl`; not set: lines with `"log":"security"` on standard output. */
  folder?: string | undefined;
  /** For how many days files are kept. */
  days: number;
  clock?: () => Date;
  /** Default: standard output. */
  log?: Logger;
}

const REFUSALS_A_SECOND = 100;
const DAY_MS = 24 * 3_600_000;

/** Replaces an account's number, an email address, or a network; `npm run pseudonym` computes it again. */
export const pseudonym = (secret: Secrets, of: number | string): string =>
  keyedText(secret, 'security log', String(of)).slice(0, 16);

/** Writes to a file of each day, and deletes those that are too old. By the service and its process: several may share the folder. */
function dailyFiles({ service, folder, days, clock = () => new Date() }: SecurityLogOptions & { folder: string }) {
  let today = '';
  return {
    write(line: string): void {
      const day = clock().toISOString().slice(0, 10);
      if (day !== today) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const oldest = new Date(clock().getTime() - days * DAY_MS).toISOString().slice(0, 10);
        for (const file of readdirSync(folder)) {
          const of = /-(\d{4}-\d\d-\d\d)\.jsonl$/.exec(file)?.[1];
          if (of !== undefined && of < oldest) rmSync(join(folder, file), { force: true });
        }
        today = day;
      }
      appendFileSync(join(folder, `${service}-${process.pid}-${day}.jsonl`), line, { mode: 0o600 });
    },
  };
}

function open(options: SecurityLogOptions): (event: SecurityEvent) => void {
  const { service, secret, folder } = options;
  const log =
    folder === undefined
      ? (options.log ?? logger(service)).child({ log: 'security' })
      : logger(service, 'info', dailyFiles({ ...options, folder }));
  // What was done is always written; a flood of what was refused is counted.
  const refused = requestLog<SecurityEvent & { status: number }>(log, REFUSALS_A_SECOND, 'refusal');
  return ({ account, from, ...event }) => {
    const line = {
      ...event,
      ...(account !== undefined && { account: pseudonym(secret, account) }),
      ...(from !== undefined && { from: pseudonym(secret, from) }),
    };
    if (event.outcome === 'refused') refused({ status: 0, ...line });
    else log.info(line, event.what);
  };
}

let write: ((event: SecurityEvent) => void) | undefined;

/** Once for a service. Until then nothing is recorded. */
export const openSecurityLog = (options: SecurityLogOptions): void => void (write = open(options));

/** Records who, from where (both as pseudonyms), what, and the outcome. */
export const recordSecurity = (event: SecurityEvent): void => write?.(event);

const REFUSALS = new Set([401, 403, 429]);

/** Records an answer that refuses: a wrong sign-in, access that is not allowed, a limit. */
export function recordRefusal(event: Omit<SecurityEvent, 'what' | 'outcome'> & { status: number }): void {
  if (REFUSALS.has(event.status)) recordSecurity({ what: 'refused', outcome: 'refused', ...event });
}
