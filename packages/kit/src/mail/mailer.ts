import { createConnection, type Socket } from 'node:net';
import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GiveUp } from '../jobs/queue.ts';
import type { RefusedAddresses } from './refused.ts';

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
  /**
   * Only bulk mail has it: a POST to it ends mails of this kind, without signing in (RFC 8058). An address that a mail server refused
   * permanently gets no bulk mail.
   */
  unsubscribeUrl?: string;
}

/** A mail as the folder keeps it; contents in base64. */
export interface StoredMail extends Omit<Mail, 'attachments'> {
  from: string;
  at: string;
  attachments: Array<Omit<Attachment, 'content'> & { content: string }>;
}

export interface Mailer {
  /**
   * Resolves when the server, or the folder, has it, and for bulk mail to a refused address, which is not sent. Throws `AddressRefused` when
   * the server refuses the address permanently.
   */
  send(mail: Mail): Promise<void>;
}

/** The mail server refuses the address permanently: another attempt would be refused, too. */
export class AddressRefused extends GiveUp {}

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
  refused,
}: {
  smtpUrl?: string | undefined;
  folder: string;
  from: string;
  /** Remembers which addresses are refused. */
  refused?: RefusedAddresses;
  /** How long one mail may take in all, however busily the server talks: then the connection is cut, and nothing goes out later. */
  exchangeMs?: number;
}): Mailer {
  if (!smtpUrl) return { send: (mail) => store(folder, from, mail) };
  return {
    send: async ({ id, to, replyTo, subject, text, html, attachments, unsubscribeUrl }) => {
      if (unsubscribeUrl && (await refused?.has(to))) return;
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
          ...(unsubscribeUrl && {
            headers: {
              'List-Unsubscribe': `<${unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            },
          }),
          messageId: `<${id}@beltway>`,
        });
      } catch (error) {
        socket.destroy();
        const failure = withoutRecipients(error);
        if (failure instanceof AddressRefused) await refused?.add(to);
        throw failure;
      } finally {
        clearTimeout(limit);
      }
      await refused?.remove(to);
    },
  };
}

/**
 * An answer to RCPT TO by which the address does not exist or takes no mail. Other permanent refusals are about the sender or the mail, like
 * 554 5.7.1, or pass, like 552 5.2.2 of a full mailbox (RFC 5321, 4.2.3; RFC 3463, 3.2 and 3.3).
 */
const isAddressRefused = ({ command, response = '' }: SmtpError): boolean =>
  command === 'RCPT TO' && /^(5\d\d[ -]5\.(1\.\d+|2\.1)\b|(550|551|553)[ -](?!\d\.\d+\.\d+))/.test(response);

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/** A server that refuses quotes the address; its answer is kept in rows and logs, also when that account is long erased. */
function withoutRecipients(error: unknown): Error {
  const smtp = error as SmtpError;
  const { message = String(error), code, responseCode } = smtp;
  const safe = message.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '…@…');
  return Object.assign(
    isAddressRefused(smtp) ? new AddressRefused(safe) : new Error(safe),
    code !== undefined && { code },
    responseCode !== undefined && { responseCode },
  );
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

export const asStored = (from: string, mail: Mail): StoredMail => ({
  ...mail,
  from,
  at: new Date().toISOString(),
  attachments: mail.attachments.map(({ content, ...rest }) => ({ ...rest, content: content.toString('base64') })),
});

async function store(folder: string, from: string, mail: Mail): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stored = asStored(from, mail);
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
