import { Router } from 'express';
import { ClientErrorReport, MAX_REPORT_BYTES } from '@beltway/contracts/ops/client-errors';
import type { Logger } from '@beltway/kit/logger';
import { counter } from '@beltway/kit/metrics';
import { jsonOf } from './json.ts';
import { EMAIL, QUERY, withoutContacts } from './without-people.ts';

/** A release that fails in every browser must not fill the disk. Reports beyond this number are only counted. */
const MAX_LINES_PER_SECOND = 20;

const reports = counter('client_errors_total', 'Errors that browsers reported');

const LONG_WORD = /[\w-]{24,}(\.m?js\b)?/g;
/**
 * Whether a word is a name in code, which stays in the text: a file of the build, or a word of fewer than 40 characters
 * without digits.
 */
const isName = (word: string, script?: string) => script !== undefined || (word.length < 40 && !/\d/.test(word));

/** Removes text that may be personal or secret: queries, email addresses, long numbers and tokens. */
export const scrub = (text: string): string =>
  withoutContacts(
    text
      .replace(QUERY, '?…')
      .replace(EMAIL, '…@…')
      .replace(LONG_WORD, (word: string, script?: string) => (isName(word, script) ? word : '…')),
  );

/** POST /api/client-errors: counts the report and logs it in one line, which does not identify the sender. */
export function clientErrorRoutes(log: Logger, clock = () => performance.now()): Router {
  let lines = 0;
  let second = 0;
  const router = Router();
  router.post('/api/client-errors', async (req, res) => {
    const { message, stack, path, release } = ClientErrorReport.parse(await jsonOf(req, MAX_REPORT_BYTES));
    reports.inc();
    const now = Math.floor(clock() / 1_000);
    if (now !== second) [second, lines] = [now, 0];
    if (++lines <= MAX_LINES_PER_SECOND) {
      const clientError = {
        message: scrub(message),
        stack: stack && scrub(stack),
        path: scrub(path),
        release: release && scrub(release),
      };
      log.warn({ clientError, requestId: String(res.locals['requestId']) }, 'an error in a browser');
    }
    res.status(204).end();
  });
  return router;
}
