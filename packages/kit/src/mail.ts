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
  subject: string;
  text: string;
  html: string;
  attachments: Attachment[];
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

/** SMTP when there is a server, else the folder. nodemailer is loaded when the first mail goes out. */
export function openMailer({
  smtpUrl,
  folder,
  from,
}: {
  smtpUrl?: string | undefined;
  folder: string;
  from: string;
}): Mailer {
  if (!smtpUrl) return { send: (mail) => store(folder, from, mail) };
  let transport: Promise<import('nodemailer').Transporter> | undefined;
  return {
    send: async ({ id, to, subject, text, html, attachments }) => {
      transport ??= import('nodemailer').then(({ createTransport }) =>
        createTransport({ url: smtpUrl, connectionTimeout: 10_000, socketTimeout: 30_000 } as never),
      );
      await (await transport).sendMail({ from, to, subject, text, html, attachments, messageId: `<${id}@beltway>` });
    },
  };
}

const fileOf = (folder: string, id: string) => join(folder, `${id.replace(/[^\w-]/g, '_')}.json`);

async function store(folder: string, from: string, mail: Mail): Promise<void> {
  await mkdir(folder, { recursive: true });
  const stored: StoredMail = {
    ...mail,
    from,
    at: new Date().toISOString(),
    attachments: mail.attachments.map(({ content, ...rest }) => ({ ...rest, content: content.toString('base64') })),
  };
  // Written aside and renamed: a crash leaves no half mail, and the same id replaces itself.
  const file = fileOf(folder, mail.id);
  await writeFile(`${file}.part`, JSON.stringify(stored));
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
