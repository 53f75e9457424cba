import type { RequestHandler } from 'express';
import { comparable } from '../inbound/target.ts';
import { calls } from './document.ts';

const patterns = calls.map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`, 'i'),
}));

/** The methods of a public path, `HEAD` beside `GET`. None: no call has this path. */
export function methodsOf(path: string): string[] {
  const methods = patterns.filter(({ pattern }) => pattern.test(comparable(path))).map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** OPTIONS, answered here: what one of several routers behind us would say of a path is only its own part. */
export const optionsRoute: RequestHandler = (req, res, next) => {
  const methods = req.method === 'OPTIONS' ? methodsOf(req.path) : [];
  if (methods.length === 0) return next();
  res
    .set('allow', [...methods, 'OPTIONS'].join(', '))
    .status(204)
    .end();
};
