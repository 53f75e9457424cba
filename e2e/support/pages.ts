/// <reference lib="dom" />
import type { Session } from '@beltway/contracts/identity/accounts';
import type { Page } from 'playwright-core';
import { CARD } from './api.ts';

/** Registers a new person on the page. */
export async function register(page: Page, name: string, email: string, business = false): Promise<void> {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Register' }).click();
  const form = page.getByRole('form', { name: 'Register' });
  await form.getByLabel('Name', { exact: true }).fill(name);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password', { exact: true }).fill('orange-line-42');
  // The styled radio covers the native one, so click its label.
  if (business) await form.getByText('Business Owner').click();
  await form.getByRole('button', { name: 'Register' }).click();
  await page.getByText('Welcome to Beltway!').first().waitFor();
}

/** Makes the page signed in from its next load on. */
export const signedIn = (page: Page, { token, user }: Session): Promise<unknown> =>
  page.addInitScript(
    ([key, account]) => {
      localStorage.setItem('beltway.token', key!);
      localStorage.setItem('beltway.user', account!);
    },
    [token, JSON.stringify(user)],
  );

/** Waits for the sections of the home page that load after the list of events. The system needs demo data. */
export async function homeLoaded(page: Page): Promise<void> {
  for (const name of ['Live streams', 'Beltway in numbers', 'Happening Now'])
    await page.getByRole('region', { name, exact: true }).waitFor();
  await page.getByRole('heading', { name: /^Weather in/ }).waitFor();
}

/** Chooses a place of the gazetteer in the form of an event. */
export async function choosePlace(page: Page, name: string): Promise<void> {
  await page.getByLabel('Event location').fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

/** Completes the checkout's details step, up to the payment form. */
export async function fillDetails(page: Page, name: string, email: string, quantity = 1): Promise<void> {
  await page.getByLabel('Name on the tickets').fill(name);
  await page.getByLabel('Email').fill(email);
  for (let more = 1; more < quantity; more++) await page.getByRole('button', { name: 'One more' }).click();
  await page.getByRole('button', { name: /^Continue to payment/ }).click();
  await page.getByLabel('Card number').waitFor();
}

export async function fillCard(page: Page, number = CARD): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 34');
  await page.getByLabel('Security code').fill('123');
}

export const pay = (page: Page): Promise<void> => page.getByRole('button', { name: /^Pay \$/ }).click();

/** The visible QR codes. */
export const codes = (page: Page) => page.getByRole('img', { name: /^QR code of ticket / });
