/** The signed token in an `Authorization` header (RFC 6750, RFC 7519); undefined for no header and for anything else in it. */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization)?.[1];
