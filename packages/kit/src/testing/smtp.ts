import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail server for tests. The callback sends, withholds or delays each response. `mails` are the accepted mails. */
export async function smtpServer(say: (answer: string, socket: Socket) => void) {
  const mails: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)).on('error', () => undefined));
    let data: string | undefined;
    say('220 test', socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (data !== undefined && line !== '.') data += `${line}\n`;
        else if (data !== undefined) {
          mails.push(data);
          data = undefined;
          say('250 taken', socket);
        } else if (line === 'DATA') {
          data = '';
          say('354 go on', socket);
        } else say(line === 'QUIT' ? '221 bye' : '250 fine', socket);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, mails, sockets, close: () => server.close() };
}
