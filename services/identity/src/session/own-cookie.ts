import type { CookieOptions, Request } from 'express';

export interface OwnCookie {
  name: string;
  options: CookieOptions;
  read(req: Request): string | undefined;
}

/**
 * A cookie that scripts cannot read. Under https its name has the prefix `__Host-`: browsers accept such a cookie only
 * from this host, not from another subdomain (RFC 6265bis). The prefix requires the path `/`, but the gateway forwards
 * cookies only to `/api/auth`.
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
