import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { expect, test } from 'vitest';
import { limitUploads } from './limit-uploads.ts';

const gate = limitUploads(2, (req) => req.ip!);

/** Passes the limit as this sender. Returns a function that frees the slot. Throws any error of the limit. */
function enter(ip: string): () => void {
  const res = new EventEmitter();
  let passed = false;
  void gate({ ip, resume: () => undefined } as unknown as Request, res as Response, () => (passed = true));
  expect(passed).toBe(true);
  return () => void res.emit('close');
}

test('limits each sender separately', () => {
  const [leave] = [enter('ann'), enter('ann'), enter('bob')];
  expect(() => enter('ann')).toThrow(expect.objectContaining({ status: 503, retryAfter: 2 }));
  leave?.();
  enter('ann');
  expect(() => enter('ann')).toThrow();
});

test('a client that disconnected before it was admitted takes no slot', () => {
  const gone = Object.assign(new EventEmitter(), { destroyed: true });
  for (let time = 0; time < 2; time++)
    void gate({ ip: 'cat', resume: () => undefined } as unknown as Request, gone as unknown as Response, () => {
      throw new Error('let in');
    });
  [enter('cat'), enter('cat')].forEach((leave) => leave());
});
