import { HttpProblem } from '@beltway/kit/problems';

export const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Visible ASCII with one leading slash (two may be read as a host), and no backslash or `#`. */
const UNAMBIGUOUS = /^\/(?!\/)[\x21\x22\x24-\x5b\x5d-\x7e]*$/;
/** What a service could parse as another path than we do: empty segments, encoded slashes, backslashes and NULs. */
const AMBIGUOUS = /\/\/|%(2f|5c|00)/i;
/** `.` and `..`, spelt out or encoded. */
const DOTS = /\/(\.|%2e){1,2}(?=\/|$)/i;

/**
 * Why a request is refused by its method and target, or undefined. The gateway chooses a service by the raw path and
 * forwards it unchanged, so it accepts only paths that every parser reads in the same way.
 */
export function badTarget(method: string, url: string): HttpProblem | undefined {
  if (!METHODS.has(method)) return new HttpProblem(405, 'method-not-allowed', { params: { method } });
  const path = pathOf(url);
  const plain = UNAMBIGUOUS.test(path) && !AMBIGUOUS.test(path) && !DOTS.test(path) && isText(path);
  return plain && !/[^\x21-\x7e]|#/.test(url) ? undefined : new HttpProblem(400, 'malformed-path');
}

function isText(path: string): boolean {
  try {
    return !path.includes('%') || decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** The path as it stands in the request, without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
