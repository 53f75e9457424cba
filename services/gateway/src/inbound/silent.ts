import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Connections that have not said anything yet. Browsers open some in advance; Node takes them for busy, so that a server that is
 * to close waits for them until their headers are overdue. Answers how to end them.
 */
export function watchSilent(server: Server): () => void {
  const silent = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  const speaks = (req: IncomingMessage) => void silent.delete(req.socket);
  for (const event of ['request', 'upgrade', 'checkContinue']) server.prependListener(event, speaks);
  return () => silent.forEach((socket) => socket.destroy());
}
