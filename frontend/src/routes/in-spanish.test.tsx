import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { sessionStore } from '../lib/storage/session-store.ts';
import { fakeApi, problem } from '../testing/fake-api.ts';
import { eventFixture, sessionFixture } from '../testing/fixtures.ts';
import { showInSpanish } from '../testing/in-spanish.ts';

vi.mock('socket.io-client', () => ({
  io: () => ({ connected: false, on: () => undefined, off: () => undefined, emit: () => undefined }),
}));

const title = (name: string) => screen.findByRole('heading', { level: 1, name });

test.each([
  ['/privacy', 'Privacidad', 'beltway_refresh: mantiene tu sesión iniciada.'],
  ['/terms', 'Términos', 'Beltway se queda con el 5% de cada pedido.'],
  ['/refunds', 'Reembolsos', 'Te devolvemos el precio completo automáticamente.'],
  ['/accessibility', 'Accesibilidad', 'WCAG) 2.2, nivel AA'],
])('%s states that the English text applies, and links to it', async (path, name, text) => {
  fakeApi({});
  await showInSpanish(path);
  const page = (await title(name)).closest('article')!;
  expect(document.title).toBe(`${name} · Beltway`);
  expect(page.textContent).toContain(text);
  expect(page.textContent).toMatch(/Última actualización: \d+ de noviembre de 2026Esta es una traducción\./);
  expect(within(page).getByRole('link', { name: 'texto en inglés' }).getAttribute('href')).toBe(`${path}?lang=en`);
  await userEvent.click(within(page).getAllByRole('link', { name: /^escríbenos$/i })[0]!);
  expect(await screen.findByRole('dialog', { name: 'Contáctanos' })).toBeTruthy();
});

test('the not-found page', async () => {
  fakeApi({ 'GET /api/events': [] });
  await showInSpanish('/nowhere');
  await title('Te pasaste de la salida');
  expect(screen.getByRole('link', { name: 'Volver a los eventos' })).toBeTruthy();
  expect(document.title).toBe('Página no encontrada · Beltway');
});

test('the empty list of saved events', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'GET /api/me/bookmarks': { items: [], nextCursor: null } });
  await showInSpanish('/saved');
  await title('Guardados');
  expect(await screen.findByText('Toca el marcador de un evento para guardarlo aquí.')).toBeTruthy();
});

const past = eventFixture({ id: 8, title: 'Long ago', userId: 12, eventDate: '2020-01-01T05:00:00.000Z' });

test('an organizer with upcoming and past events', async () => {
  fakeApi({
    'GET /api/organizers/12': { id: 12, name: 'Wharf Nights', followers: 3 },
    'GET /api/organizers/12/events': {
      ...{ upcoming: [eventFixture({ userId: 12 })], upcomingCount: 1_300, past: [past], pastCount: 2 },
    },
    'GET /api/organizers/13': problem(404, 'not-found'),
  });
  const { navigate } = await showInSpanish('/organizer/12');
  await title('Wharf Nights');
  expect(
    within(await screen.findByRole('region', { name: 'Próximos' })).getByText('Los próximos: 1 de 1,300 eventos.'),
  ).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'Pasados' })).getByText('Los últimos: 1 de 2 eventos.'),
  ).toBeTruthy();
  navigate('/organizer/13');
  await title('No encontramos a quien organiza');
});

test('followed organizers', async () => {
  sessionStore.set(sessionFixture());
  fakeApi({ 'GET /api/me/following': { organizers: [{ id: 12, name: 'Wharf Nights' }], upcoming: [] } });
  await showInSpanish('/following');
  await title('Siguiendo');
  expect(await screen.findByText('Por ahora nadie de tu lista ha anunciado nada.')).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'A quién sigues' })).getByRole('link', { name: 'Wharf Nights' }),
  ).toBeTruthy();
});

test('codes at sign-in: date, remaining recovery codes, and a refusal', async () => {
  sessionStore.set(sessionFixture({ role: 'business' }));
  const since = '2030-07-01T12:00:00.000Z';
  fakeApi({
    'GET /api/auth/totp': { isOn: true, mayTurnOn: true, since, recoveryCodesLeft: 1 },
    'POST /api/auth/totp/off': problem(409, 'totp-off', { detail: 'Your account doesn’t ask for a code at sign-in.' }),
  });
  await showInSpanish('/account');
  const codes = within(await screen.findByRole('region', { name: 'Códigos al iniciar sesión Activados' }));
  expect(await codes.findByText(/^Desde el 1 jul 2030, .* Queda un código de recuperación\.$/)).toBeTruthy();
  await userEvent.click(codes.getByRole('button', { name: 'Desactivar los códigos' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Desactivar los códigos al iniciar sesión' }));
  await userEvent.type(dialog.getByLabelText('Código'), 'abc{Enter}');
  expect(
    await dialog.findByText('Escribe los seis dígitos que muestra tu aplicación o un código de recuperación.'),
  ).toBeTruthy();
  await userEvent.clear(dialog.getByLabelText('Código'));
  await userEvent.type(dialog.getByLabelText('Código'), '123456{Enter}');
  expect((await dialog.findByRole('alert')).textContent).toBe('Al iniciar sesión en tu cuenta no se pide un código.');
});

test('passkeys: the list, and adding a passkey', async () => {
  vi.stubGlobal('PublicKeyCredential', class {});
  sessionStore.set(sessionFixture());
  const key = { id: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', name: 'Mi teléfono', addedAt: '2030-07-01T12:00:00.000Z' };
  fakeApi({ 'GET /api/auth/passkeys': { items: [{ ...key, usedAt: null }] } });
  await showInSpanish('/account');
  const passkeys = within(await screen.findByRole('region', { name: 'Llaves de acceso' }));
  expect(await passkeys.findByText(/^Agregada: 1 jul 2030, .*; todavía sin usar$/)).toBeTruthy();
  expect(passkeys.getByRole('button', { name: 'Eliminar Mi teléfono' })).toBeTruthy();
  await userEvent.click(passkeys.getByRole('button', { name: 'Agregar una llave de acceso' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Agregar una llave de acceso' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Continuar' }));
  expect(await dialog.findByText('Ponle un nombre a la llave de acceso')).toBeTruthy();
});
