import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { CATEGORIES } from '@beltway/contracts/catalog/categories';
import { act, render, screen } from '@testing-library/react';
import { startTransition, Suspense, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { inSpanish } from '../../testing/in-spanish.ts';
import { renderAt } from '../../testing/render.tsx';
import { catalog, textsNow, useTexts } from './catalog.ts';
import { categoryLabel } from '../events/event-lines.tsx';
import { fieldErrorsOf } from '../forms/form.ts';
import { sayFault } from '../forms/say-fault.ts';
import { formatAge, formatCents, formatCount, formatDate, formatMoment, formatTimes, sayMoment } from './format.ts';
import { explain, get } from '../http/http.ts';
import { chooseLanguage, language, pathIn, sharedPath, speak } from './language.ts';

/** Runs the script of index.html with these inputs and returns the chosen language. */
function chosen({ search = '', tab = {}, kept = {}, languages = ['en-US'] }: Partial<Record<string, unknown>>): string {
  const html = readFileSync(join(import.meta.dirname, '../../../index.html'), 'utf8');
  const [, script] = /<script>(.*?)<\/script>/s.exec(html)!;
  const root = { dataset: {}, lang: '' };
  const storage = (items: object) => ({
    getItem: (key: string) => (items as Record<string, string>)[key] ?? null,
    setItem: (key: string, value: string) => void Object.assign(items, { [key]: value }),
  });
  runInNewContext(script!, {
    document: { documentElement: root, querySelector: () => ({}) },
    location: { search },
    navigator: { languages },
    sessionStorage: storage(tab as object),
    localStorage: storage(kept as object),
    matchMedia: () => ({ matches: false }),
    addEventListener: () => undefined,
  });
  return root.lang;
}
const KEY = 'beltway.language';

test.each([
  [{}, 'en'],
  [{ languages: ['am', 'es-MX', 'en'] }, 'es'],
  [{ languages: ['fr'] }, 'en'],
  [{ languages: ['esu', 'est-EE'] }, 'en'],
  [{ kept: { [KEY]: 'es' } }, 'es'],
  [{ kept: { [KEY]: 'xx' }, languages: ['es-419'] }, 'es'],
  [{ kept: { [KEY]: 'es' }, tab: { [KEY]: 'en' } }, 'en'],
  [{ search: '?q=jazz&lang=es', kept: { [KEY]: 'en' } }, 'es'],
  [{ search: '?lang=español', languages: ['en'] }, 'en'],
  [{ search: '?slang=es' }, 'en'],
])('the first language of address, tab, stored choice and browser is used: %j is %s', (what, wanted) =>
  expect(chosen(what)).toBe(wanted),
);

test('a link’s language stays in its tab', () => {
  const tab = {};
  chosen({ search: '?lang=es', tab });
  expect(tab).toEqual({ [KEY]: 'es' });
  expect(chosen({ tab })).toBe('es');
});

test('texts, dates, numbers and money are in the page’s language', async () => {
  const now = new Date('2026-11-21T15:00:00Z');
  const said = () => [
    formatAge('2026-11-21T13:00:00Z', now),
    formatDate('2026-11-28T05:00:00.000Z'),
    formatMoment('2026-11-29T00:05:00Z').replaceAll(/\s/g, ' '),
    formatTimes('19:00', '23:30').replaceAll(/\s/g, ' '),
    sayMoment('2026-11-22T00:30:00.000Z', now).replaceAll(/\s/g, ' '),
    formatCents(125_050),
    formatCount(12_500),
  ];
  expect(said()).toEqual([
    ...['2 hours ago', '11/28/2026', '11/28/2026, 7:05 PM', '7 PM – 11:30 PM', 'Today, 7:30 PM', '$1,250.50', '12,500'],
  ]);
  await inSpanish();
  expect(said()).toEqual([
    ...['Hace 2 horas', '28 nov 2026', '28 nov 2026, 7:05 p.m.', '7 p.m. – 11:30 p.m.', 'Hoy, 7:30 p.m.'],
    ...['$1,250.50', '12,500'],
  ]);
});

test('categories have the labels that the contracts define', () => {
  for (const { name, label } of CATEGORIES) expect(categoryLabel(name)).toBe(label);
});

test('the page shows known problems in Spanish with their values, and unknown problems in English', async () => {
  const fail = async (status: number, code: string, more: Record<string, unknown>) => {
    fakeApi({ 'GET /api/events': problem(status, code, more) });
    return get('/api/events').catch((error: unknown) => error);
  };
  const taken = await fail(409, 'email-taken', { detail: 'Email may already be in use.' });
  const text = 'not-enough-left';
  const few = await fail(409, text, { detail: 'Only 3 tickets are left.', text, params: { free: 3 } });
  const why = { text: 'event-over.not-postponed', detail: 'You can no longer postpone it.' };
  const over = await fail(409, 'event-over', why);
  const until = { text: 'account-suspended.until', params: { until: '2026-12-05' }, detail: 'Until December 5, 2026.' };
  const suspended = await fail(403, 'account-suspended', until);
  const other = await fail(409, 'nobody-knows', { detail: 'The moon is full.' });
  const errors = [{ field: 'name', message: 'Name is required', text: 'invalid.name' }];
  const field = await fail(400, 'invalid', { detail: 'name: Name is required', errors });
  const all = () => [
    ...[taken, few, over, suspended, other, field].map(explain),
    ...[fieldErrorsOf(field)['name'], sayFault('invalid.too-long {"max":500}'), sayFault('Too small')],
  ];
  expect(all()).toEqual([
    ...['Email may already be in use.', 'Only 3 tickets are left.', why.detail, until.detail, 'The moon is full.'],
    ...['name: Name is required', 'Name is required', 'must have at most 500 characters', 'Too small'],
  ]);
  await inSpanish();
  expect(all()).toEqual([
    ...['Es posible que este correo electrónico ya esté en uso.', 'Solo quedan 3 boletos.'],
    'Este evento ya terminó. Ya no se puede posponer.',
    expect.stringContaining('hasta el 5 de diciembre de 2026.'),
    ...['The moon is full.', 'El nombre es obligatorio', 'El nombre es obligatorio'],
    ...['debe tener como máximo 500 caracteres', 'Too small'],
  ]);
});

test('a component suspends until its texts are loaded; if loading fails, its texts are English', async () => {
  let load: (module: { texts: { hello: string } }) => void = () => undefined;
  const known = catalog({ hello: 'Hello' }, { es: () => new Promise((resolve) => (load = resolve)) });
  const Hello = () => useTexts(known)('hello');
  speak('es');
  await act(async () =>
    render(
      <Suspense fallback="…">
        <Hello />
      </Suspense>,
    ),
  );
  expect(screen.getByText('…')).toBeTruthy();
  expect(textsNow(known)('hello')).toBe('Hello');
  await act(async () => load({ texts: { hello: 'Hola' } }));
  expect(await screen.findByText('Hola')).toBeTruthy();
  expect(textsNow(known)('hello')).toBe('Hola');

  vi.useFakeTimers();
  const lost = catalog({ hello: 'Hello' }, { es: () => Promise.reject(new Error('no network')) });
  const waiting = lost.inLanguage('es') as Promise<(key: 'hello') => string>;
  await vi.runAllTimersAsync();
  vi.useRealTimers();
  expect((await waiting)('hello')).toBe('Hello');
});

test('a component in a transition waits for two catalogs', async () => {
  const one = catalog({ one: 'One' }, { es: async () => ({ texts: { one: 'Uno' } }) });
  const two = catalog({ two: 'Two' }, { es: async () => ({ texts: { two: 'Dos' } }) });
  const Both = () => `${useTexts(one)('one')} ${useTexts(two)('two')}`;
  let go = () => undefined as void;
  const Pages = () => {
    const [isThere, setThere] = useState(false);
    go = () => startTransition(() => setThere(true));
    return isThere ? <Both /> : 'Before';
  };
  speak('es');
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  render(
    <Suspense>
      <Pages />
    </Suspense>,
    { onRecoverableError: said },
  );
  await act(async () => go());
  expect(await screen.findByText('Uno Dos')).toBeTruthy();
  expect(said).not.toHaveBeenCalled();
});

test('the footer links to this page in the other language, and stores the choice', async () => {
  fakeApi({ 'GET /api/events': [], 'GET /api/events/featured': [] });
  renderAt('/terms?from=mail');
  const languages = await screen.findByRole('navigation', { name: 'Language' });
  const [other, ...more] = [...languages.querySelectorAll('a')];
  expect(more).toEqual([]);
  expect(languages.querySelector('[aria-current]')?.textContent).toBe('English');
  expect([other?.textContent, other?.lang, other?.hreflang]).toEqual(['Español', 'es', 'es']);
  expect(other?.getAttribute('href')).toBe('/terms?from=mail&lang=es');
  other!.addEventListener('click', (press) => press.preventDefault());
  other!.click();
  expect([localStorage.getItem(KEY), sessionStorage.getItem(KEY)]).toEqual(['es', 'es']);
  // The page changes only after a reload.
  expect(language()).toBe('en');
});

test('the layout is in Spanish, and shared links open in Spanish', async () => {
  await inSpanish();
  fakeApi({ 'GET /api/events': [], 'GET /api/events/featured': [] });
  renderAt('/terms');
  expect(await screen.findByRole('link', { name: 'Saltar al contenido' })).toBeTruthy();
  expect(screen.getByRole('navigation', { name: 'Idioma' })).toBeTruthy();
  expect(document.documentElement.lang).toBe('es');
  expect(sharedPath('/event/7')).toBe('/event/7?lang=es');
  expect(pathIn(undefined, '/event/7#comments')).toBe('/event/7#comments');
  chooseLanguage('en');
  expect(localStorage.getItem(KEY)).toBe('en');
});
