import { explain, HttpError } from '../../lib/http/http.ts';
import { sayProblem } from '../../lib/i18n/problems.ts';

/** As `explain`, but of a limit the server’s own sentence: it says which one it is, and when one may write again. */
export const explainWrite = (error: unknown): string =>
  error instanceof HttpError && error.status === 429 && error.problem?.detail
    ? sayProblem(error.problem)
    : explain(error);
