import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { ZodError, z } from 'zod';
import type { Problem, Said } from '@beltway/contracts/common/basics';
import {
  codeOf,
  type ArgumentsOf,
  type Params,
  type ParamsOf,
  type PlainText,
  type ProblemText,
} from '@beltway/contracts/problems/texts';
import { Answer, CommandReused, Overloaded, Rejected } from '@beltway/event-store';
import type { Logger } from '../observe/logger.ts';
import { isTransient } from '../postgres/transient.ts';
import { Rejected as TextRejected } from '../rejected.ts';
import { english, saidBy } from './english.ts';
import { expectedOf } from './expected.ts';

// Set before anything is parsed, because every module that returns problems imports this module.
z.config({ customError: expectedOf });

/** An invalid field and the reason: the English text and its key in the table. */
export type FieldError = NonNullable<Problem['errors']>[number];

interface More {
  errors?: FieldError[];
  retryAfter?: number;
  /** True if the problem is not a fault, so that no warning is logged. */
  isExpected?: boolean;
  /** Overrides the text's own code. */
  code?: string;
  /** Appended to the text, in English only. */
  ending?: string;
}

/** A problem that another process returned. */
type Received = Partial<Pick<Problem, 'detail' | 'text' | 'params' | 'errors'>> & { code: string };

type MoreOf<Text extends ProblemText> = [Text] extends [PlainText]
  ? [more?: More]
  : [more: More & { params: ParamsOf<Text> }];

/** An error response (RFC 9457) with a text of the table (docs/decisions/0112). `code` is kebab-case and stable. */
export class HttpProblem<Text extends ProblemText = ProblemText> extends Answer {
  override name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  readonly text: string | undefined;
  readonly params: Params | undefined;
  readonly errors: FieldError[] | undefined;
  readonly retryAfter: number | undefined;
  readonly isExpected: boolean;

  constructor(status: number, said: Text | Received, ...[more = {}]: MoreOf<Text>) {
    const { params, ending = '' } = more as More & { params?: Params };
    super(typeof said === 'string' ? english(said, params) + ending : (said.detail ?? said.code));
    this.status = status;
    this.code = more.code ?? (typeof said === 'string' ? codeOf(said) : said.code);
    this.text = typeof said === 'string' ? said : said.text;
    this.params = typeof said === 'string' ? params : said.params;
    this.errors = more.errors ?? (typeof said === 'string' ? undefined : said.errors);
    this.isExpected = more.isExpected ?? false;
    // 429 and 503 always have Retry-After.
    this.retryAfter = more.retryAfter ?? (status === 429 || status === 503 ? 1 : undefined);
  }

  /** Recreates a problem as another process returned it. */
  static received(status: number, problem: Received, retryAfter?: number): HttpProblem {
    return new HttpProblem<PlainText>(status, problem, retryAfter === undefined ? {} : { retryAfter });
  }
}

/** The suffix after the code in the keys of one code: `event` of `not-found.event`. */
type ReasonOf<Code extends string> = PlainText extends infer Text
  ? Text extends `${Code}.${infer Reason}`
    ? Reason
    : never
  : never;

export const notFound = (what: ReasonOf<'not-found'> = 'page') => new HttpProblem(404, `not-found.${what}`);
export const forbidden = (why?: ReasonOf<'forbidden'>) =>
  new HttpProblem<PlainText>(403, why === undefined ? 'forbidden' : `forbidden.${why}`);
export const unauthenticated = (why?: ReasonOf<'unauthenticated'>) =>
  new HttpProblem<PlainText>(401, why === undefined ? 'unauthenticated' : `unauthenticated.${why}`);
export const unsupportedEncoding = () => new HttpProblem(415, 'unsupported-encoding');
/** A 503 problem: the request had no effect, and the client should retry in a moment. */
export const unavailable = (why: ReasonOf<'unavailable'>, retryAfter = 2) =>
  new HttpProblem<PlainText>(503, `unavailable.${why}`, { retryAfter });
/** Possible reasons of a 503. */
export type Unavailable = ReasonOf<'unavailable'>;
/** The kinds of things that a 404 problem can name. */
export type Named = ReasonOf<'not-found'>;

/** A 503 problem with a retry after one second: the message about the requested thing is still in transit. */
export const arriving = (why: ReasonOf<'unavailable'>) =>
  new HttpProblem<PlainText>(503, `unavailable.${why}`, { retryAfter: 1, isExpected: true });

/** A text of the table in a response that is not a problem. */
export const said = <Text extends ProblemText>(text: Text, ...[params]: ArgumentsOf<Text>): Said => ({
  message: english(text, params),
  text,
  ...(params !== undefined && { params }),
});

/** The error entry of a field. */
export const fieldError = <Text extends ProblemText>(
  field: string,
  text: Text,
  ...params: ArgumentsOf<Text>
): FieldError => ({ field, ...said(text, ...params) });

type BadField<Text extends ProblemText> = [Text] extends [PlainText]
  ? [more?: { status?: number; code?: string }]
  : [more: { status?: number; code?: string; params: ParamsOf<Text> }];
/** A problem about one field. */
export const ofField = (
  status: number,
  { code, message: detail, text, params }: HttpProblem,
  field: string,
): HttpProblem => {
  const said = { ...(text !== undefined && { text }), ...(params !== undefined && { params }) };
  return HttpProblem.received(status, { code, detail, ...said, errors: [{ field, message: detail, ...said }] });
};

/** A problem of one named field, so that a form can show the problem at that field. Default status 400. */
export function badField<Text extends ProblemText>(
  field: string,
  text: Text,
  ...[more = {}]: BadField<Text>
): HttpProblem {
  const { status = 400, code, params } = more as { status?: number; code?: string; params?: Params };
  const errors = [{ field, message: english(text, params), text, ...(params !== undefined && { params }) }];
  const said = { ...(code !== undefined && { code }), ...(params !== undefined && { params }), errors };
  return new HttpProblem<PlainText>(status, text as PlainText, said);
}

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

/** The JSON body of an error response. */
export const problemText = (problem: HttpProblem, requestId?: string): string =>
  JSON.stringify({
    type: `https://beltway.test/problems/${problem.code}`,
    title: titles[problem.status] ?? 'Error',
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    ...(problem.text !== undefined && { text: problem.text }),
    ...(problem.params !== undefined && { params: problem.params }),
    ...(problem.errors && { errors: problem.errors }),
    ...(requestId && { requestId }),
  } satisfies Problem);

/** The headers of an error response. */
export const problemHeaders = (retryAfter: number | undefined): Array<[name: string, value: string]> => [
  ['content-type', 'application/problem+json; charset=utf-8'],
  ['cache-control', 'no-store'],
  ...(retryAfter === undefined ? [] : [['retry-after', String(retryAfter)] as [string, string]]),
];

const CODE = Symbol('problem code');
type Refused = import('node:http').ServerResponse & { [CODE]?: string };

/**
 * The code of the problem that this process returned; undefined if this process returned no problem, or forwarded the
 * problem of another service.
 */
export const problemCodeOf = (res: import('node:http').ServerResponse): string | undefined => (res as Refused)[CODE];
export const noteProblemCode = (res: import('node:http').ServerResponse, code: string): void =>
  void ((res as Refused)[CODE] = code);

/** Writes a problem+json response. Works without Express. */
export function sendProblem(res: import('node:http').ServerResponse, problem: HttpProblem, requestId?: string): void {
  res.statusCode = problem.status;
  noteProblemCode(res, problem.code);
  for (const [name, value] of problemHeaders(problem.retryAfter)) res.setHeader(name, value);
  res.end(problemText(problem, requestId));
}

/** Limits of a response, so that the errors of a body are not larger than the body. */
const MAX_ISSUES = 20;
const MAX_KEYS = 3;
/** Maximum length of a client-chosen name, and of the message. */
const NAME_LENGTH = 60;
const MESSAGE_LENGTH = 200;

const shorten = (text: string, max: number): string =>
  (text.length > max ? `${text.slice(0, max - 1)}…` : text).toWellFormed();

/**
 * One entry per issue. All unknown keys are one entry: the entry's field is the first key, and its message contains
 * some of the other keys.
 */
export function fieldErrorOf(issue: ZodError['issues'][number]): FieldError {
  const nameOf = (...path: PropertyKey[]) => shorten(path.map(String).join('.'), NAME_LENGTH);
  if (issue.code !== 'unrecognized_keys') {
    const said = saidBy(issue.message);
    return { field: nameOf(...issue.path), ...said, message: shorten(said.message, MESSAGE_LENGTH) };
  }
  const [first = '', ...others] = issue.keys;
  const named = others.slice(0, MAX_KEYS - 1).map((key) => nameOf(...issue.path, key));
  const unnamed = others.length - named.length;
  if (unnamed > 0) named.push(`${unnamed} more`);
  const field = nameOf(...issue.path, first);
  return named.length === 0
    ? fieldError(field, 'invalid.not-accepted')
    : fieldError(field, 'invalid.not-accepted-either', { others: named.join(', ') });
}

/** Converts any error to the problem that the caller may see. Reveals no details of unknown errors. */
export function asProblem(error: unknown): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof ZodError) {
    const errors = error.issues.slice(0, MAX_ISSUES).map(fieldErrorOf);
    const detail = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
    return HttpProblem.received(400, { code: 'invalid', detail, errors });
  }
  if (error instanceof Rejected) return HttpProblem.received(409, rejection(error));
  if (error instanceof CommandReused) return new HttpProblem(422, 'idempotency-key-reused');
  if (error instanceof Overloaded) return unavailable('too-many-people', 1);
  if (isTransient(error)) return unavailable('part-away');
  const type = error instanceof Error && 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large') return new HttpProblem(413, 'too-large');
  if (type === 'entity.parse.failed') return new HttpProblem(400, 'malformed-json');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return unsupportedEncoding();
  if (type === 'request.aborted' || type === 'request.size.invalid') return new HttpProblem(400, 'incomplete');
  if (error instanceof URIError) return new HttpProblem(400, 'malformed-path');
  return new HttpProblem(500, 'internal');
}

/** Recreates a rejection that another process returned. */
export const rejectedBy = ({ code, message, text, params }: HttpProblem): Rejected =>
  text === undefined
    ? new Rejected(code, message)
    : new TextRejected(text as PlainText, ...((params === undefined ? [] : [params]) as []));

/** The problem for a rejected command. */
export const rejection = (error: Rejected) => ({
  code: error.code,
  detail: error.message,
  ...(error instanceof TextRejected && {
    text: error.text,
    ...(error.params !== undefined && { params: error.params }),
  }),
});

/** The error handler of every app; mount it last. */
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

/** The 404 problem for a path without a route. */
export const noRoute = ({ method, path }: Pick<Request, 'method' | 'path'>) =>
  new HttpProblem(404, 'not-found.route', { params: { route: shorten(`${method} ${path}`, MESSAGE_LENGTH) } });

export const noSuchRoute: RequestHandler = (req) => {
  throw noRoute(req);
};
