import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requestLog } from '../http/request-log.ts';
import { keyedText, type Secrets } from '../secrets.ts';
import { logger, type Logger } from './logger.ts';

export interface SecurityEvent {
  /** `sign-in`, `refused`, `password-changed`… */
  what: string;
  outcome: 'done' | 'refused';
  /** The account's id, or the typed email address. Written as a pseudonym. */
  account?: number | string | undefined;
  /** The sender's network. Written as a pseudonym. */
  from?: string | undefined;
  requestId?: string | undefined;
  route?: string;
  status?: number;
  /** The reason for a rejection, or the proof of identity that was used. */
  code?: string | undefined;
}

export interface SecurityLogOptions {
  service: string;
  /** The secret for pseudonyms. All services have the same secret until it is rotated. */
  secret: Secrets;
  /**
   * The folder for daily files, `<service>-<pid>-2026-11-28.jsonl`. Not set: writes lines with `"log":"security"` to
   * standard output.
   */
  folder?: string | undefined;
  /** Number of days for which files are kept. */
  days: number;
  clock?: () => Date;
  /** The logger to use without a folder. Default: standard output. */
  log?: Logger;
}

const REFUSALS_A_SECOND = 100;
const DAY_MS = 24 * 3_600_000;

/** The pseudonym of an account's id, an email address, or a network. `npm run pseudonym` computes the same value. */
export const pseudonym = (secret: Secrets, of: number | string): string =>
  keyedText(secret, 'security log', String(of)).slice(0, 16);

/**
 * Writes one file per day and deletes old files. File names contain service and process, because several processes may
 * share the folder.
 */
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
  // Successful actions are always written; a flood of rejections is only counted.
  const refused = requestLog<SecurityEvent & { status: number }>(log, REFUSALS_A_SECOND, 'refusal');
  return ({ account, from, ...event }) => {
    const line = {
      ...event,
      ...(account !== undefined && { account: pseudonym(secret, account) }),
      ...(from !== undefined && { from: pseudonym(secret, from) }),
    };
    if (event.outcome === 'done') return log.info(line, event.what);
    const { status = 0 } = event;
    if (refused.admits(status)) refused.write({ ...line, status });
  };
}

let write: ((event: SecurityEvent) => void) | undefined;

/** Must be called once per service. Before that, events are not recorded. */
export const openSecurityLog = (options: SecurityLogOptions): void => void (write = open(options));

/** Records an action and its outcome, with account and network as pseudonyms. */
export const recordSecurity = (event: SecurityEvent): void => write?.(event);

const REFUSALS = new Set([401, 403, 429]);

/** Records a rejection: a failed sign-in, a forbidden access, an exceeded limit. */
export function recordRefusal(event: Omit<SecurityEvent, 'what' | 'outcome'> & { status: number }): void {
  if (REFUSALS.has(event.status)) recordSecurity({ what: 'refused', outcome: 'refused', ...event });
}
