import type { Request, RequestHandler, Response } from 'express';
import { HttpProblem, forbidden } from '@beltway/kit/problems';

const NAME = 'beltway_refresh';
const PATH = '/api/auth';

export interface RefreshCookie {
  read(req: Request): string | undefined;
  set(res: Response, token: string, endsAt: Date): void;
  clear(res: Response): void;
  /** Before every route that reads or sets the cookie: only our own pages may call it. */
  guard: RequestHandler;
}

/** The refresh token travels in a cookie no script can read, and to no address but the sign-in calls. */
export function refreshCookie(publicUrl: string): RefreshCookie {
  const { origin, protocol } = new URL(publicUrl);
  const options = { httpOnly: true, sameSite: 'strict', secure: protocol === 'https:', path: PATH } as const;
  return {
    read: (req) => {
      const pair = (req.get('cookie') ?? '').split(/;\s*/).find((part) => part.startsWith(`${NAME}=`));
      return pair?.slice(NAME.length + 1).match(/^[\w-]{43}$/)?.[0];
    },
    set: (res, token, endsAt) => void res.cookie(NAME, token, { ...options, expires: endsAt }),
    clear: (res) => void res.clearCookie(NAME, options),
    /**
     * SameSite already keeps the cookie at home; this is the second lock. A form of another site can send neither JSON nor a header
     * of its own (a browser would have to ask us first, and we never say yes), and a browser names the page's origin. A page under
     * another name of this machine (127.0.0.1 for localhost) is ours when the browser itself says so (`Sec-Fetch-Site`, which no
     * script can set).
     */
    guard: (req, _res, next) => {
      const from = req.get('origin');
      const site = req.get('sec-fetch-site');
      const ours = (from === undefined || from === origin || site === 'same-origin') && site !== 'cross-site';
      if (!ours) throw forbidden('beltway');
      const deliberate =
        /^application\/json\b/i.test(req.get('content-type') ?? '') ||
        req.get('x-requested-with') ||
        req.get('authorization');
      if (!deliberate) throw new HttpProblem(415, 'json-only.header');
      next();
    },
  };
}
