import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ZodError, z } from 'zod';
import type { Problem } from '@beltway/contracts/common/basics';
import { Answer, CommandReused, Overloaded, Rejected } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';
import { isTransient } from '../postgres/transient.ts';
import { expectedOf } from './expected.ts';

// Before anything is parsed: whoever answers problems reads bodies.
z.config({ customError: expectedOf });

type FieldError = { field: string; message: string };

/** An answer that is an error (RFC 9457). `code` is kebab-case and stable. */
export class HttpProblem extends Answer {
  override name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  /** Nothing is wrong: no warning is logged. */
  readonly isExpected: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { errors?: FieldError[]; retryAfter?: number; isExpected?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = more.errors;
    this.isExpected = more.isExpected ?? false;
    // Whoever is told to come back is told when.
    this.retryAfter = more.retryAfter ?? (status === 429 || status === 503 ? 1 : undefined);
  }
}

export const notFound = (what = 'This page') => new HttpProblem(404, 'not-found', `${what} does not exist.`);
export const forbidden = (message = 'This is not yours to see or change.') =>
  new HttpProblem(403, 'forbidden', message);
export const unauthenticated = (message = 'Authentication required') =>
  new HttpProblem(401, 'unauthenticated', message);
/** A refusal for one field, by its name, so that a form can show it there. */
export const badField = (field: string, message: string, status = 400, code = 'invalid') =>
  new HttpProblem(status, code, message, { errors: [{ field, message }] });
export const unsupportedEncoding = () =>
  new HttpProblem(415, 'unsupported-encoding', 'This encoding of the body is not supported.');
/** 503: come back in a moment; nothing was done. */
export const unavailable = (message: string, retryAfter = 2) =>
  new HttpProblem(503, 'unavailable', message, { retryAfter });

/** 503 for a second: the message about the requested thing is on its way here. */
export const arriving = (message: string) =>
  new HttpProblem(503, 'unavailable', message, { retryAfter: 1, isExpected: true });

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Authentication required',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Took too long to arrive',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Unprocessable',
  429: 'Too many requests',
  500: 'Something went wrong',
  502: 'Bad gateway',
  503: 'Unavailable for a moment',
  504: 'Took too long',
};

/** The body of an answer that is an error, as text. */
export const problemText = (problem: HttpProblem, requestId?: string): string =>
  JSON.stringify({
    type: `https://beltway.test/problems/${problem.code}`,
    title: titles[problem.status] ?? 'Error',
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    ...(problem.errors && { errors: problem.errors }),
    ...(requestId && { requestId }),
  } satisfies Problem);

/** The headers that go with it. */
export const problemHeaders = (retryAfter: number | undefined): Array<[name: string, value: string]> => [
  ['content-type', 'application/problem+json; charset=utf-8'],
  ['cache-control', 'no-store'],
  ...(retryAfter === undefined ? [] : [['retry-after', String(retryAfter)] as [string, string]]),
];

const CODE = Symbol('problem code');
type Refused = import('node:http').ServerResponse & { [CODE]?: string };

/** The code of the problem that was answered here; undefined: none was, or another service's was passed on. */
export const problemCodeOf = (res: import('node:http').ServerResponse): string | undefined => (res as Refused)[CODE];
export const noteProblemCode = (res: import('node:http').ServerResponse, code: string): void =>
  void ((res as Refused)[CODE] = code);

/** Writes problem+json. Usable without Express. */
export function sendProblem(res: import('node:http').ServerResponse, problem: HttpProblem, requestId?: string): void {
  res.statusCode = problem.status;
  noteProblemCode(res, problem.code);
  for (const [name, value] of problemHeaders(problem.retryAfter)) res.setHeader(name, value);
  res.end(problemText(problem, requestId));
}

/** Of an answer: what is wrong with a body must not be larger than the body. */
const MAX_ISSUES = 20;
const MAX_KEYS = 3;
/** Letters of a name that the client chose, and of what is said of it. */
const NAME_LENGTH = 60;
const MESSAGE_LENGTH = 200;

const shorten = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed();

/** One entry for an issue. Unknown keys are one: the first is named as the field, and some more in the message. */
function fieldError(issue: ZodError['issues'][number]): FieldError {
  const nameOf = (...path: PropertyKey[]) => shorten(path.map(String).join('.'), NAME_LENGTH);
  if (issue.code !== 'unrecognized_keys')
    return { field: nameOf(...issue.path), message: shorten(issue.message, MESSAGE_LENGTH) };
  const [first = '', ...others] = issue.keys;
  const named = others.slice(0, MAX_KEYS - 1).map((key) => nameOf(...issue.path, key));
  const unnamed = others.length - named.length;
  if (unnamed > 0) named.push(`${unnamed} more`);
  const field = nameOf(...issue.path, first);
  return {
    field,
    message: named.length === 0 ? 'is not accepted here' : `is not accepted here, nor are ${named.join(', ')}`,
  };
}

/** Turns whatever was thrown into the problem the caller may see. Unknown errors say nothing of themselves. */
export function asProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof ZodError) {
    const errors = error.issues.slice(0, MAX_ISSUES).map(fieldError);
    const detail = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
    return new HttpProblem(400, 'invalid', detail, { errors });
  }
  if (error instanceof Rejected) return new HttpProblem(409, error.code, error.message);
  if (error instanceof CommandReused)
    return new HttpProblem(422, 'idempotency-key-reused', 'This idempotency key was used before for another request.');
  if (error instanceof Overloaded) return unavailable('Too many people at once. Please try again in a moment.', 1);
  if (isTransient(error))
    return unavailable('A part of Beltway does not answer right now. Nothing was lost; please try again.');
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large') return new HttpProblem(413, 'too-large', 'The request body is too large.');
  if (type === 'entity.parse.failed')
    return new HttpProblem(400, 'malformed-json', 'The request body is not valid JSON.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return new HttpProblem(415, 'unsupported-encoding', 'This encoding of the body is not supported.');
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return new HttpProblem(400, 'incomplete', 'The request body did not arrive whole.');
  if (error instanceof URIError) return new HttpProblem(400, 'malformed-path', 'The address is not well formed.');
  return new HttpProblem(500, 'internal', 'Something went wrong on our side. Please try again.');
}

/** The last middleware of every app. */
export function problems(log: Logger): ErrorRequestHandler {
  return (error: unknown, req: Request, res: Response, next) => {
    if (res.headersSent) return next(error);
    const problem = asProblem(error);
    if (problem.status >= 500 && problem.status !== 503)
      log.error({ err: error, requestId: res.locals['requestId'] }, 'request failed');
    else if (problem.status === 503)
      log[problem.isExpected ? 'debug' : 'warn'](
        { err: error, requestId: res.locals['requestId'] },
        'answered unavailable',
      );
    sendProblem(res, problem, res.locals['requestId'] as string | undefined);
  };
}

export const noSuchRoute: RequestHandler = (req) => {
  throw notFound(shorten(`${req.method} ${req.path}`, MESSAGE_LENGTH));
};
