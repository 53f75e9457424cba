import type { Request, RequestHandler, Response } from 'express';
import { HttpProblem, forbidden } from '@beltway/kit/problems';
import { ownCookie } from './own-cookie.ts';

export interface RefreshCookie {
  read(req: Request): string | undefined;
  set(res: Response, token: string, endsAt: Date): void;
  clear(res: Response): void;
  /** Required before every route that reads or sets the cookie: only our own frontend may call these routes. */
  guard: RequestHandler;
}

/** The cookie with the refresh token. Scripts cannot read it, and browsers send it only to the sign-in routes. */
export function refreshCookie(publicUrl: string): RefreshCookie {
  const { origin } = new URL(publicUrl);
  const own = ownCookie(publicUrl, 'beltway_refresh');
  return {
    read: (req) => own.read(req)?.match(/^[\w-]{43}$/)?.[0],
    set: (res, token, endsAt) => void res.cookie(own.name, token, { ...own.options, expires: endsAt }),
    clear: (res) => void res.clearCookie(own.name, own.options),
    /**
     * CSRF defense in depth, in addition to SameSite. A form on another site can send neither JSON nor a custom header:
     * the browser would send a preflight request, which we never allow. Browsers also send the page's origin. A page
     * under another name of this machine (127.0.0.1 instead of localhost) is ours if the browser sends `same-origin` in
     * `Sec-Fetch-Site`, which scripts cannot set.
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
