/**
 * The signed token of an `Authorization` header (RFC 6750, RFC 7519). undefined if there is no header or the header has
 * another form.
 */
export const bearerToken = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : /^Bearer ([\w-]+\.[\w-]+\.[\w-]*)$/i.exec(authorization)?.[1];
