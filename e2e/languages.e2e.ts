/// <reference lib="dom" />
import { expect, test } from 'vitest';
import { beyondTheEdge, faultsOf, tabTo } from './support/looks.ts';
import { sharedStage } from './support/stage.ts';

const here = sharedStage({ demo: true });

const PHONE = { width: 390, height: 844 };

test('events in Amharic and Arabic fit a phone’s screen, left to right and right to left', async () => {
  const [amharic, arabic] = await Promise.all([
    here.api.organize({ title: 'የኢትዮጵያ ሙዚቃ ምሽት በዋሽንግተን ዲሲ', description: 'ሙዚቃ፣ ምግብ እና ዳንስ። ሁላችሁም ተጋብዛችኋል።' }),
    here.api.organize({ title: 'ليلة الموسيقى العربية في واشنطن', description: 'موسيقى وطعام ورقص. الجميع مدعوون.' }),
  ]);
  const page = await here.visitor({ viewport: PHONE });
  const lettersOf = (family: string) =>
    page.evaluate((name) => [...document.fonts].find((face) => face.family.includes(name))?.status, family);
  await page.goto('/contact');
  await page.getByRole('contentinfo').waitFor();
  expect(await lettersOf('Ethiopic')).toBe('unloaded');
  for (const { event } of [amharic, arabic])
    for (const dir of ['ltr', 'rtl']) {
      await page.goto(`/event/${event.id}`);
      await page.getByRole('heading', { level: 1, name: event.title }).waitFor();
      // The script has replaced the HTML of the first screen.
      await page.getByRole('contentinfo').waitFor();
      await page.evaluate((side) => (document.documentElement.dir = side), dir);
      expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe(dir);
      if (event === amharic.event) await expect.poll(() => lettersOf('Ethiopic')).toBe('loaded');
      expect(await beyondTheEdge(page), `${event.title}, ${dir}`).toEqual([]);
      // The brand is at the start of the line.
      const { x } = (await page.getByRole('banner').getByRole('link', { name: 'Beltway' }).boundingBox())!;
      expect(x > PHONE.width / 2, dir).toBe(dir === 'rtl');
    }
});

test('a visitor with a Spanish browser registers in Spanish, from the home page to the mail', async () => {
  const page = await here.visitor({ locale: 'es-US', viewport: PHONE });
  await page.goto('/');
  await page.getByRole('heading', { name: 'Tu noche está a una salida.' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('es');
  await page.getByRole('article').nth(1).waitFor();
  expect(await beyondTheEdge(page), 'home').toEqual([]);

  await page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' }).click();
  await page.getByRole('tab', { name: 'Registrarse' }).click();
  const form = page.getByRole('form', { name: 'Registrarse' });
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await form.getByText('El nombre es obligatorio').waitFor();
  await form.getByText('Escribe tu correo electrónico').waitFor();
  expect(await beyondTheEdge(page), 'registration').toEqual([]);
  expect(await faultsOf(page), 'registration').toEqual([]);
  await page.setViewportSize(PHONE);

  const email = `rosa-${Date.now()}@example.com`;
  await form.getByLabel('Nombre', { exact: true }).fill('Rosa');
  await form.getByLabel('Correo electrónico').fill(email);
  await form.getByLabel('Contraseña', { exact: true }).fill('123');
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await form.getByText('La contraseña debe tener al menos 6 caracteres').waitFor();
  await form.getByLabel('Contraseña', { exact: true }).fill('linea-naranja-42');
  await form.getByRole('button', { name: 'Registrarse' }).click();
  await page.getByText('¡Te damos la bienvenida a Beltway!').first().waitFor();

  const mail = await here.api.accountMailTo(email);
  expect(mail.subject).toBe('Confirma tu correo electrónico para Beltway');
});

test('a Spanish link opens in Spanish, and switching to English by keyboard persists', async () => {
  const page = await here.visitor();
  await page.goto('/auth?lang=es');
  await page.getByRole('heading', { name: 'Pasa, adelante.' }).waitFor();
  // The heading is in the HTML; the script sets the title.
  await expect.poll(() => page.title()).toBe('Iniciar sesión · Beltway');
  // The tab keeps the language.
  await page.goto('/auth');
  await page.getByRole('heading', { name: 'Pasa, adelante.' }).waitFor();
  await tabTo(page, 'English');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Come on in.' }).waitFor();
  expect(new URL(page.url()).search).toBe('?lang=en');
  await page.goto('/my-tickets');
  await page.getByRole('heading', { name: 'Come on in.' }).waitFor();
});
