import { expect, test } from 'vitest';
import { isReservedName } from './reserved-names.ts';

test.each([
  ...['Beltway', 'admin', 'ADMIN', 'Support', 'The Organizer', 'Staff', 'Beltway Support', 'the Beltway team'],
  ...['Organizers', 'Official Support Team', 'Beltway Customer Service', 'Soporte', 'Administradora', 'El organizador'],
  ...['mod', 'root', 'Host', 'Moderators', 'Security'],
])('%s is reserved', (name) => expect(isReservedName(name)).toBe(true));

test.each([
  ['invisible characters', 'Ad\u200bmin'],
  ['a soft hyphen and a direction mark', 'Sup\u00adport\u202e'],
  ['a joiner and a variation selector', 'B\u200deltway\ufe0f'],
  ['an invisible letter', 'Beltway\u3164'],
  ['accents', 'Ádmín'],
  ['stacked accents', 'A\u0301\u0300dmin'],
  ['Cyrillic letters', 'Аdmіn'],
  ['only Cyrillic and Greek letters', 'ЅυрроΓτ'.replace('Γ', 'г')],
  ['Greek letters', 'Βeltwαy'],
  ['wide letters', 'Ａｄｍｉｎ'],
  ['letters of mathematics', '𝐒𝐮𝐩𝐩𝐨𝐫𝐭'],
  ['letters in circles', 'Ⓐⓓⓜⓘⓝ'],
  ['small capitals', 'ᴀᴅᴍɪɴ'],
  ['flags', '🇦🇩🇲🇮🇳'],
  ['squares', '🅐🅳🅼🅘🅽'],
  ['digits', '4dm1n'],
  ['signs', '$upp0rt'],
  ['a capital I for l', 'BeItway'],
  ['rn for m', 'adrnin'],
  ['blanks', 'B e l t w a y'],
  ['dots', 'a.d.m.i.n'],
  ['a number behind it', 'Admin 24'],
  ['stars around it', '★ Admin ★'],
  ['words joined', 'BeltwaySupport'],
  ['a dash', 'admin-team'],
])('%s do not hide a reserved name', (_how, name) => expect(isReservedName(name)).toBe(true));

test.each([
  ...['Ann', 'Demo Admin', 'Demo Business', 'Demo Explorer', 'Beltway Brewing', 'Capital Beltway Runners', 'Modesto'],
  ...['Ann Organ', 'Rooter', 'Hostettler', 'Administrative Arts Trio', 'Supporters of Jazz', 'Maya', 'Gil', 'Teamster'],
  ...['José', 'Борис', 'Ελένη', '李明', 'محمد', '★', '123', 'Steff', 'The Care Team', 'Service', 'Al Bert', 'Mo D'],
])('%s is free', (name) => expect(isReservedName(name)).toBe(false));

test('a long name is checked quickly', () => {
  const start = performance.now();
  for (const part of ['support', 'the', 'admins', 'a', 's', 'es']) isReservedName(part.repeat(100).slice(0, 100) + 'x');
  expect(performance.now() - start).toBeLessThan(2_000);
});
