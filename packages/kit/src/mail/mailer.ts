import { createConnection, type Socket } from 'node:net';
import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GiveUp } from '../jobs/queue.ts';
import type { RefusedAddresses } from './refused.ts';

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
  /** If set, the HTML refers to the image as `cid:<id>`. */
  cid?: string;
}

export interface Mail {
  /** A mail that is sent again has the same id, so that servers and clients show it once. */
  id: string;
  to: string;
  /** The email address for replies, which must be verified. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  attachments: Attachment[];
  /**
   * Only for bulk mail: a POST to this URL unsubscribes from this kind of mail without signing in (RFC 8058). An email
   * address that a mail server rejected permanently gets no bulk mail.
   */
  unsubscribeUrl?: string;
}

/** A mail as stored in the folder, with attachments in base64. */
export interface StoredMail extends Omit<Mail, 'attachments'> {
  from: string;
  at: string;
  attachments: Array<Omit<Attachment, 'content'> & { content: string }>;
}

export interface Mailer {
  /**
   * Resolves when the server or the folder has stored the mail. Also resolves, without sending, for bulk mail to a
   * rejected email address. Throws `AddressRefused` if the server rejects the email address permanently.
   */
  send(mail: Mail): Promise<void>;
}

/** The mail server rejects the email address permanently, so a retry would be rejected too. */
export class AddressRefused extends GiveUp {}

const CONNECT_MS = 10_000;
/**
 * A server may take ten minutes to accept a mail (RFC 5321, 4.5.3.2.6). A client that gives up earlier sends the mail
 * twice.
 */
const SILENCE_MS = 600_000;
const EXCHANGE_MS = 660_000;

/**
 * Sends by SMTP if a server is configured, otherwise writes mails to the folder. Loads nodemailer for the first mail.
 */
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
  /** Stores rejected email addresses. */
  refused?: RefusedAddresses;
  /**
   * Total time limit of one mail in ms, even if the server is active. After this time, the connection is closed, so
   * that no part of the mail is sent later.
   */
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
 * True for a response to RCPT TO which states that the email address does not exist or accepts no mail. Other permanent
 * rejections concern the sender or the mail (554 5.7.1), or are temporary (552 5.2.2, a full mailbox) (RFC 5321, 4.2.3;
 * RFC 3463, 3.2 and 3.3).
 */
const isAddressRefused = ({ command, response = '' }: SmtpError): boolean =>
  command === 'RCPT TO' && /^(5\d\d[ -]5\.(1\.\d+|2\.1)\b|(550|551|553)[ -](?!\d\.\d+\.\d+))/.test(response);

type SmtpError = Error & { code?: string; command?: string; response?: string; responseCode?: number };

/**
 * Removes email addresses from an error. A rejection quotes the recipient's email address, and rows and logs keep the
 * error even after the account was erased.
 */
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

/**
 * Opens the connection here instead of in nodemailer, so that the connection can be closed at any time. nodemailer
 * closes a connection only after silence.
 */
function connect(smtpUrl: string): { socket: Socket; connected: Promise<void> } {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  // nodemailer's default ports: submission, with or without implicit TLS.
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
  // Written to a temporary file and renamed, so that a crash leaves no partial mail. A mail with the same id replaces
  // the earlier file.
  const file = fileOf(folder, mail.id);
  // Only the owner may read the file, because a reader of a mail could use its links.
  await writeFile(`${file}.part`, JSON.stringify(stored), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

const LISTED = 100;

/**
 * The newest mails of the folder, newest first. The number is limited, because after a sold-out arena all mails would
 * not fit into memory.
 */
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
