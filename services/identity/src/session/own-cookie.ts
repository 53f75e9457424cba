import type { CookieOptions, Request } from 'express';

export interface OwnCookie {
  name: string;
  options: CookieOptions;
  read(req: Request): string | undefined;
}

/**
 * A cookie that no script can read. With https it is `__Host-`, which browsers accept from this host alone, never from another subdomain
 * (RFC 6265bis). Such a cookie has the path `/`; the gateway forwards cookies to `/api/auth` only.
 */
export function ownCookie(publicUrl: string, plainName: string): OwnCookie {
  const secure = new URL(publicUrl).protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  return {
    name,
    options: { httpOnly: true, sameSite: 'strict', secure, path: secure ? '/' : '/api/auth' },
    read: (req) =>
      (req.get('cookie') ?? '')
        .split(/;\s*/)
        .find((part) => part.startsWith(`${name}=`))
        ?.slice(name.length + 1),
  };
}
