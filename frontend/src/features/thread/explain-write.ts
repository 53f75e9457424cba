import { explain, HttpError } from '../../lib/http/http.ts';
import { sayProblem } from '../../lib/i18n/problems.ts';

/**
 * Like `explain`, but uses the server's text for a rate limit, which contains the limit and the time when writing is
 * possible again.
 */
export const explainWrite = (error: unknown): string =>
  error instanceof HttpError && error.status === 429 && error.problem?.detail
    ? sayProblem(error.problem)
    : explain(error);
