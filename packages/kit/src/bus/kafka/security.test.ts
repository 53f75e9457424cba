import { expect, test } from 'vitest';
import { brokerSocket } from './security.ts';

test('disconnecting a closed socket many times adds no listeners', async () => {
  // No process listens on port 1.
  const socket = brokerSocket({}, { host: '127.0.0.1', port: 1, onConnect: () => {} }).on('error', () => {});
  await new Promise((resolve) => socket.once('close', resolve));
  for (let n = 0; n < 20; n++) socket.unref();
  expect(socket.listenerCount('connect')).toBeLessThan(2);
});
