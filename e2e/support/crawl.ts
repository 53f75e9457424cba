/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { buttonsOf, controlAt, linksOf, settled, stateOf, type Control } from './looks.ts';
import { eventually } from './wait.ts';

/** Texts that no press may lead to. */
const FAILED = /Something went wrong|That didn’t work|You missed the exit|Couldn’t load/;
/** Controls that may be disabled, because the page shows the reason on the control or beside it. */
const SAYS_WHY = /^(Sold Out|Configure Livestream First|One less|One more|Previous|Next)/;
/** A control that ends the session, so it is pressed last. */
const LEAVES = /^Sign out/i;

export interface Findings {
  /** Controls whose press has no useful outcome, and why. */
  idle: string[];
  /** The URLs of the screens' links. */
  links: Set<string>;
}

interface CrawlOptions {
  /** Also presses the header and footer, including ‘Sign out’, so the session may have ended afterwards. */
  withFrame?: boolean;
  /** Kinds of controls in cards that were pressed on earlier screens. */
  pressed: Set<string>;
}

/** Presses every visible control of a screen. */
export async function crawl(page: Page, path: string, found: Findings, options: CrawlOptions): Promise<void> {
  const { withFrame = false, pressed } = options;
  const { pathname } = new URL(path, 'http://beltway.test');
  const open = async () => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await settled(page, 1_000);
  };
  /**
   * Closes the dialog or menu that the last control opened, which is ten times as fast as a page load. Other changes
   * that the control made stay.
   */
  const close = async () => {
    if (new URL(page.url()).pathname !== pathname) await page.goBack();
    for (let presses = 0; presses < 3; presses++) {
      await page.keyboard.press('Escape');
      await settled(page);
      if (!(await page.getByRole('dialog').first().isVisible())) break;
    }
    // Removes the focus, because otherwise any click would count as a change of focus.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  };
  // Sections load in any order, so a control's earlier index or card does not identify it.
  const find = async (kind: string) => (await buttonsOf(page)).find((one) => one.kind === kind && !one.disabled);
  /**
   * Presses a control of a page that was stable for `steadyMs`. Returns a forbidden text if one appeared, '' if the
   * page changed without such a text, or null if nothing changed.
   */
  const press = async (control: Control, steadyMs: number, timeoutMs: number): Promise<string | null> => {
    const button = controlAt(page, control);
    // Scrolling to the control does not count as a change.
    await button.scrollIntoViewIfNeeded({ timeout: timeoutMs });
    const before = await settled(page, steadyMs);
    let others = 0; // a window, or a file
    const came = () => others++;
    page.once('popup', came).once('download', came);
    await button.click({ timeout: timeoutMs });
    const isAnswered = async () => others > 0 || (await stateOf(page)) !== before;
    if (!(await eventually(isAnswered, { timeoutMs }).catch(() => false))) return null;
    const failure = FAILED.exec(await settled(page))?.[0] ?? '';
    return before.includes(failure) ? '' : failure;
  };
  /** Returns why the outcome is a dead end, or null if the visitor can continue. */
  const fault = async (failure: string): Promise<string | null> => {
    if (failure) return `ends in ‘${failure}’`;
    const dialog = page.getByRole('dialog').last();
    if (await dialog.isVisible())
      // The dialog's content may still load.
      return eventually(async () => (await dialog.locator(':is(button, a[href]):visible').count()) > 1, {
        timeoutMs: 20_000,
      }).then(
        () => null,
        () => 'opens a dialog without a way on',
      );
    if (new URL(page.url()).pathname === pathname) return null;
    const ways = page.locator('main :is(button:enabled, a[href]):visible').first();
    return ways.waitFor().then(
      () => null,
      () => `leads to ${page.url()}, a dead end`,
    );
  };

  await open();
  for (const link of await linksOf(page)) found.links.add(link);
  const controls = (await buttonsOf(page)).filter(
    ({ isInMain, isInCard, kind }) => (isInMain || withFrame) && !(isInCard && pressed.has(kind)),
  );
  const isLast = ({ label }: Control) => Number(LEAVES.test(label));
  for (const control of controls.sort((one, other) => isLast(one) - isLast(other))) {
    const { label, kind, disabled, isInCard, isOfForm } = control;
    const say = (what: string) => found.idle.push(`${path} ${label}: ${what}`);
    if (isInCard) pressed.add(kind);
    if (disabled) {
      if (!isOfForm && !SAYS_WHY.test(label)) say('disabled, without a reason');
      continue;
    }
    // First presses the control on the page that the previous control left behind. If the control is hidden or does
    // nothing there, reloads the page.
    const still = await close().then(() => find(kind));
    let outcome = still ? await press(still, 0, 2_000).catch(() => null) : null;
    if (outcome === null) {
      await open();
      const again = await eventually(() => find(kind), { what: `${path} ${label}` }).catch(() => undefined);
      // An earlier press removed the control, for example by dismissing a notice.
      if (!again || again.isChosen) continue;
      // Scrolling may load more of the page.
      outcome = await press(again, 1_000, 20_000);
    }
    if (outcome === null) say('nothing happens');
    else {
      const why = await fault(outcome);
      if (why) say(why);
    }
  }
}
