import { expect, test } from 'vitest';
import { composeMail, type Content } from './layout.ts';

const HEAD = { id: 'one', to: 'maya@beltway.test' };

/** A mail with all parts. `text` creates their texts. */
const compose = (text: (name: string) => string) => {
  const url = (name: string) => `https://beltway.test/?q=${text(name)}`;
  const content: Required<Content> = {
    language: 'en',
    title: text('title'),
    preview: text('preview'),
    paragraphs: [text('paragraph')],
    emphasis: text('emphasis'),
    rows: [{ name: text('name'), value: text('value'), links: [{ text: text('link'), url: url('row') }] }],
    items: [{ title: text('news'), text: text('about'), url: url('item') }],
    action: { text: text('action'), url: url('action') },
    codes: [{ name: text('ticket'), code: text('code'), alt: text('alt'), cid: text('cid') }],
    notes: [text('note'), { text: text('foot'), url: url('foot') }],
    poster: Buffer.from('jpeg'),
  };
  return composeMail(HEAD, content);
};

/** The tags with the names of their attributes. */
const structureOf = (html: string): string[] =>
  [...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/="[^"]*"/g, ''));

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style></title></td></table><h1>Free</h1>',
  '<!-- &amp; &#60;b&#62; ]]>',
  '${process.env.SMTP_URL}',
])('no text changes the elements or attributes of a mail: %s', (hostile) => {
  const [mail, plain] = [compose((name) => `${name} ${hostile}`), compose((name) => name)];
  expect(structureOf(mail.html)).toEqual(structureOf(plain.html));
  expect(mail.html).not.toContain(hostile.replace('${process.env.SMTP_URL}', 'undefined'));
  // Plain text needs no escaping.
  expect(mail.text).toContain(`paragraph ${hostile}`);
  expect(mail.subject).toBe(`title ${hostile}`);
});

test('the HTML and the plain text of a mail each contain all its texts', () => {
  const { html, text } = compose((name) => `<${name}>`);
  for (const name of 'title paragraph emphasis name value link news about action ticket code note foot'.split(' ')) {
    expect(html).toContain(`&#60;${name}&#62;`);
    expect(text).toContain(`<${name}>`);
  }
});

test('a mail is complete without images: each has a size and alternative text; QR codes are also text', () => {
  const { html, attachments } = compose((name) => name);
  const images = [...html.matchAll(/<img ([^>]*)>/g)].map(([, attributes]) => attributes!);
  expect(images).toHaveLength(3);
  for (const image of images) expect(image).toMatch(/src="cid:[^"]+" width="\d+".* alt="/);
  expect(images.at(-1)).toContain('alt="alt"');
  // A mail client loads nothing from a server when the mail is opened.
  expect(html).not.toMatch(/(src|background|srcset)="(?!cid:)|url\(|<link|@import/);
  expect(attachments.map(({ filename }) => filename)).toEqual(['beltway.png', 'poster.jpg']);
});

test('a mail has colors for the dark theme', () => {
  const { html } = compose((name) => name);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme: dark)');
});

test('line breaks are kept', () => {
  const { html, text } = composeMail(HEAD, { language: 'es', title: 'Hola', paragraphs: ['one\n<two>'] });
  expect(html).toContain('one<br>&#60;two&#62;');
  expect(text).toBe('BELTWAY\nHola\n\none\n<two>');
});
