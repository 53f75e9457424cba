import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AD_PACKAGES } from '@beltway/contracts/payments/ads';
import { expect, test } from 'vitest';
import { adMail, type AdMailKind } from '../mail.ts';
import type { AdOrder } from '../orders.ts';
import { adWordsIn } from './words.ts';

const SITE = { publicUrl: 'https://beltway.test', support: 'help@beltway.test' };
const ORDER: AdOrder = {
  ...{ id: 'a-1', packageId: 'premium', userId: null, linkKey: 'k', language: 'en' },
  ...{ businessName: 'The Wharf <b>', contactEmail: 'ann@example.com', phone: '+1 202 555 0100' },
  ...{ eventTitle: 'Salsa', eventDescription: 'Three bands', specialRequests: 'Red' },
};
const DETAILS: Record<AdMailKind, string> = {
  ...{
    ready: '',
    approved: '2030-01-02T05:00:00.000Z',
    rejected: 'Too <i>loud</i>',
    refused: 'No such ads',
    booked: '',
  },
};
const mailOf = (kind: AdMailKind, change: Partial<AdOrder> = {}) =>
  adMail({ id: 'm1', kind, detail: DETAILS[kind] }, { ...ORDER, ...change }, SITE)!;

test.each([
  [
    'ready',
    'Your ad on Beltway: send us your photo and link',
    ['Hello The Wharf <b>,', 'Package: Premium Boost, 2 weeks\nEvent: Salsa\nPaid: $49.99, all included'],
  ],
  ['approved', 'Your ad is live on Beltway', ['Runs until: Wednesday, January 2, 2030', 'See how it’s doing: https']],
  ['rejected', 'Your ad needs a change', ['Why: Too <i>loud</i>', 'Update your ad: https://beltway.test/ad/a-1#key=k']],
  [
    'refused',
    'We didn’t approve your ad: you get a refund',
    ['Why: No such ads', 'Questions? Email help@beltway.test.'],
  ],
] as const)('in English: %s', (kind, subject, texts) => {
  const mail = mailOf(kind);
  expect(mail.subject).toBe(subject);
  for (const text of texts) expect(mail.text).toContain(text);
  expect(mail.html).toContain('<html lang="en">');
});

test.each([
  [
    'ready',
    'Tu anuncio en Beltway: envíanos la imagen y el enlace',
    [
      ...['Hola, The Wharf <b>:', 'Paquete: Impulso premium, 2 semanas\nEvento: Salsa\nPagado: $49.99, todo incluido'],
      ...['Enviar imagen y enlace: https://beltway.test/ad/a-1#key=k', '¿Preguntas? Escribe a help@beltway.test.'],
    ],
  ],
  ['approved', 'Tu anuncio ya se muestra en Beltway', ['Se muestra hasta el: miércoles, 2 de enero de 2030']],
  ['rejected', 'Tu anuncio necesita un cambio', ['Motivo: Too <i>loud</i>', 'Actualizar tu anuncio: https']],
  ['refused', 'No aprobamos tu anuncio: recibes un reembolso', ['Motivo: No such ads']],
] as const)('in Spanish: %s', (kind, subject, texts) => {
  const mail = mailOf(kind, { language: 'es' });
  expect(mail.subject).toBe(subject);
  for (const text of texts) expect(mail.text).toContain(text);
  expect(mail.html).toContain('<html lang="es">');
  expect(mail.html).not.toMatch(/<b>|<i>/);
  expect(mail.text).not.toMatch(/\b(your|Hello|Package|Questions)\b/);
});

test('mail to the team is in English, whatever the buyer’s language', () => {
  const mail = mailOf('booked', { language: 'es' });
  expect(mail).toEqual(mailOf('booked'));
  expect(mail.subject).toBe('An ad was booked');
  expect(mail.text).toContain('Package: Premium Boost, 2 weeks');
});

test('packages have the same Spanish names as in the frontend', () => {
  const said = readFileSync(
    fileURLToPath(new URL('../../../../../frontend/src/lib/ads/packages.names.es.ts', import.meta.url)),
    'utf8',
  );
  const inSpanish = (id: string) => new RegExp(`^  '?${id}'?: '(.*)',$`, 'm').exec(said)?.[1];
  for (const one of AD_PACKAGES)
    expect(adWordsIn.es.bought(one)).toBe(`${inSpanish(one.id)}, ${inSpanish(`${one.id}-time`)}`);
});
