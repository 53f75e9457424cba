import { createConnection, type Socket } from 'node:net';
import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
  /** Set: shown inside the HTML as `cid:<id>`. */
  cid?: string;
}

export interface Mail {
  /** The same mail sent again carries the same id: mail servers and readers show it once. */
  id: string;
  to: string;
  /** Whom an answer goes to; a checked address. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments: Attachment[];
  /** Further headers, `List-Unsubscribe`; nothing that anybody typed. */
  headers?: Record<string, string>;
}

/** A mail as the folder keeps it; contents in base64. */
export interface StoredMail extends Omit<Mail, 'attachments'> {
  from: string;
  at: string;
  attachments: Array<Omit<Attachment, 'content'> & { content: string }>;
}

export interface Mailer {
  /** Resolves when the server, or the folder, has it. */
  send(mail: Mail): Promise<void>;
}

const CONNECT_MS = 10_000;
/** A server may think for ten minutes about a mail it has (RFC 5321, 4.5.3.2.6): who leaves before sends it twice. */
const SILENCE_MS = 600_000;
const EXCHANGE_MS = 660_000;

/** SMTP when there is a server, else the folder. nodemailer is loaded when the first mail goes out. */
export function openMailer({
  smtpUrl,
  folder,
  from,
  exchangeMs = EXCHANGE_MS,
}: {
  smtpUrl?: string | undefined;
  folder: string;
  from: string;
  /** How long one mail may take in all, however busily the server talks: then the connection is cut, and nothing goes out later. */
  exchangeMs?: number;
}): Mailer {
  if (!smtpUrl) return { send: (mail) => store(folder, from, mail) };
  return {
    send: async ({ id, to, replyTo, subject, text, html, attachments, headers }) => {
      const { createTransport } = await import('nodemailer');
      const { socket, connected } = connect(smtpUrl);
      const limit = setTimeout(() => socket.destroy(new Error('the mail server took too long')), exchangeMs);
      try {
        const getSocket = (_options: object, done: (error: Error | null, options?: object) => void) =>
          void connected.then(() => done(null, { connection: socket }), done);
        const transport = createTransport({ url: smtpUrl, getSocket, socketTimeout: SILENCE_MS } as never);
        await transport.sendMail({
          ...{ from, to, subject, text, html, attachments },
          ...(replyTo && { replyTo }),
          ...(headers && { headers }),
          messageId: `<${id}@beltway>`,
        });
      } catch (error) {
        socket.destroy();
        throw withoutRecipients(error);
      } finally {
        clearTimeout(limit);
      }
    },
  };
}

/** A server that refuses quotes whom; what it said is kept in rows and logs, also when that account is long erased. */
function withoutRecipients(error: unknown): Error {
  const { message = String(error), code, responseCode } = error as Error & { code?: string; responseCode?: number };
  const said = message.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…@…');
  return Object.assign(new Error(said), code !== undefined && { code }, responseCode !== undefined && { responseCode });
}

/** Our own connection, so that it can be cut: nodemailer ends one only when nothing is said on it for a while. */
function connect(smtpUrl: string): { socket: Socket; connected: Promise<void> } {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  // As nodemailer chooses where none is named: submission, with TLS from the start or without.
  const socket = createConnection({ host, port: Number(port) || (protocol === 'smtps:' ? 465 : 587) });
  const limit = setTimeout(() => socket.destroy(new Error('the mail server does not answer')), CONNECT_MS);
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).on('error', reject);
  }).finally(() => clearTimeout(limit));
  return { socket, connected };
}

const fileOf = (folder: string, id: string) => join(folder, `${id.replace(/[^\w-]/g, '_')}.json`);

async function store(folder: string, from: string, mail: Mail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stored: StoredMail = {
    ...mail,
    from,
    at: new Date().toISOString(),
    attachments: mail.attachments.map(({ content, ...rest }) => ({ ...rest, content: content.toString('base64') })),
  };
  // Written aside and renamed: a crash leaves no half mail, and the same id replaces itself.
  const file = fileOf(folder, mail.id);
  // A reader of a mail can use its links.
  await writeFile(`${file}.part`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

const LISTED = 100;

/** The newest mails of the folder, newest first: after a sold-out arena all of them would fill the memory. */
export async function storedMails(folder: string, limit = LISTED): Promise<StoredMail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const files = names.map((name) => join(folder, name));
  const written = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  const newest = written.sort((a, b) => b.at - a.at).slice(0, limit);
  return Promise.all(newest.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8')) as StoredMail));
}

export const storedMail = async (folder: string, id: string): Promise<StoredMail | undefined> =>
  readFile(fileOf(folder, id), 'utf8').then(
    (text) => JSON.parse(text) as StoredMail,
    () => undefined,
  );
