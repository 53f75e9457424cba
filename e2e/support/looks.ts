/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually } from './wait.ts';

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const BEHIND_A_DIALOG = '#root[aria-hidden=true]';
/** A page reads it in half the time that the source with comments takes. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * What axe finds on this page on a phone and on a desk, dark and light, and whether anything is wider than the screen. Of a page behind a
 * modal dialog axe sees the dialog alone: a page of 2,000 elements takes it five times as long, and is looked at without the dialog.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  // The theme in the outer loop, and sizes back again: a change of it costs as much as looking.
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const size of theme === 'dark' ? SIZES : SIZES.toReversed()) {
      await page.setViewportSize(size);
      await page.locator(`html[data-theme=${theme}]`).waitFor();
      await page.waitForFunction(() => !document.getAnimations().some((one) => one instanceof CSSTransition));
      // Only contrast, among all rules, depends on colors.
      const { violations } = await (await axeOn(page, theme === 'dark' ? RULES : 'color-contrast')).analyze();
      for (const { id, nodes } of violations)
        for (const { target, failureSummary } of nodes)
          faults.push(`${size.width} ${theme} ${id}: ${target.join(' ')} ${failureSummary ?? ''}`);
      const wide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (wide > 0) faults.push(`${size.width}: ${wide} pixels wider than the screen`);
    }
  }
  return faults;
}

/** Axe with rules of these tags, or one rule. Its source is read once per document, and only what fails is described. */
async function axeOn(page: Page, rules: string[] | string): Promise<AxeBuilder> {
  const has = await Promise.all(page.frames().map((frame) => frame.evaluate(() => 'axe' in window).catch(() => false)));
  const axe = new AxeBuilder({ page, axeSource: has.every(Boolean) ? 'void 0' : axeSource })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] });
  if ((await page.locator(BEHIND_A_DIALOG).count()) > 0) axe.exclude(BEHIND_A_DIALOG);
  return typeof rules === 'string' ? axe.withRules(rules) : axe.withTags(rules);
}

/** How many pixels of one element lie under another. */
export async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = await Promise.all([one.boundingBox(), other.first().boundingBox()]);
  if (!a || !b) throw new Error(`${a ? other : one} is not on the screen`);
  const along = (from: 'x' | 'y', size: 'width' | 'height') =>
    Math.max(0, Math.min(a[from] + a[size], b[from] + b[size]) - Math.max(a[from], b[from]));
  return Math.round(along('x', 'width') * along('y', 'height'));
}

/** What reaches over the left or the right edge of the screen, and is neither scrolled within it nor there for readers only. */
export const beyondTheEdge = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    const isScrolled = ({ parentElement: frame }: Element): boolean => {
      if (frame === null) return false;
      const { overflowX, clipPath } = getComputedStyle(frame);
      return /auto|scroll/.test(overflowX) || clipPath !== 'none' || isScrolled(frame);
    };
    return [...document.body.querySelectorAll('*')]
      .filter((part) => {
        const { left, right, width, height } = part.getBoundingClientRect();
        return width > 1 && height > 1 && (right > edge + 0.5 || left < -0.5) && !isScrolled(part);
      })
      .map((part) => `${part.tagName} ${part.getAttribute('class')}: ${part.textContent.slice(0, 30)}`);
  });

/** The buttons of a dialog that a toast covers: what of them is not scrolled away lies, at least in part, below it. */
export const coveredButtons = async (dialog: Locator, toast: Locator): Promise<string[]> =>
  dialog.evaluate(
    (panel, over) => {
      const cover = over!.getBoundingClientRect();
      const clips = (part: Element | null): Element[] =>
        part === null
          ? []
          : [...(/auto|scroll/.test(getComputedStyle(part).overflowY) ? [part] : []), ...clips(part.parentElement)];
      return [...panel.querySelectorAll('button')]
        .filter((button) => {
          if (over!.contains(button)) return false;
          const rects = [button, ...clips(button.parentElement)].map((part) => part.getBoundingClientRect());
          const most = (side: 'left' | 'top') => Math.max(cover[side], ...rects.map((rect) => rect[side]));
          const least = (side: 'right' | 'bottom') => Math.min(cover[side], ...rects.map((rect) => rect[side]));
          return most('left') < least('right') && most('top') < least('bottom');
        })
        .map((button) => button.ariaLabel ?? button.textContent);
    },
    await toast.elementHandle(),
  );

/** Whether the first and the last letter of a text are visible: neither scrolled away nor covered. */
export const isInSight = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const seen = (x: number, y: number) => element.contains(document.elementFromPoint(x, y));
    return seen(left + 2, top + 4) && seen((left + right) / 2, bottom - 4);
  });

/** Presses Tab until the element with this name has the focus, as a keyboard user does. */
export async function tabTo(page: Page, name: RegExp | string): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      if (!element || element === document.body) return null;
      const labels = (element as HTMLInputElement).labels;
      return {
        name: (
          element.getAttribute('aria-label') ??
          (labels?.length ? [...labels].map((label) => label.textContent).join(' ') : element.textContent) ??
          ''
        ).trim(),
        isSeen: element.matches(':focus-visible'),
      };
    });
    passed.push(focused?.name ?? 'nothing');
    if (!focused || !(typeof name === 'string' ? focused.name === name : name.test(focused.name))) continue;
    expect(focused.isSeen, `the focus is seen on ${focused.name}`).toBe(true);
    return;
  }
  throw new Error(`${name} is not reached by Tab; passed ${passed.join(' | ')}`);
}

export interface Control {
  /** The how-manieth visible button of the page. */
  at: number;
  label: string;
  /** Its label, without what differs from card to card or from one press to the next. */
  kind: string;
  disabled: boolean;
  /** It is the chosen one of several, such as ‘All’ or ‘List’: to press it again changes nothing. */
  isChosen: boolean;
}

/** The buttons in sight: of those that all cards have, one each. */
export const buttonsOf = (page: Page): Promise<Control[]> =>
  page.locator('button:visible').evaluateAll((all) => {
    const seen = new Set<string>();
    return all.flatMap((element, at) => {
      const label = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim();
      const kind = element.closest('article')
        ? label.replace(/^(Share|Save|Like) .*/s, '$1').replace(/\$[\d.]+/, '')
        : label.replace(/, \d+ unread$|(light|dark) (?=theme$)/, '');
      if (seen.has(kind)) return [];
      seen.add(kind);
      const isChosen = [element.ariaPressed, element.ariaSelected, element.ariaChecked].includes('true');
      return [{ at, label, kind, disabled: (element as HTMLButtonElement).disabled, isChosen }];
    });
  });

/** The addresses that the links of a page lead to. */
export const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]:visible')
    .evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))]);

/** What a person could notice of a page: its address, theme, words, what is open or pressed, where one types, how far down one is. */
export const stateOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const active = document.activeElement;
    return JSON.stringify([
      location.href,
      document.documentElement.dataset['theme'],
      document.getElementById('root')?.innerText,
      all('[role=dialog], [role=menu], [role=alert]').length,
      all('[aria-pressed], [aria-expanded]').map((one) => [one.ariaPressed, one.ariaExpanded]),
      all('input').map((one) => (one as HTMLInputElement).value),
      active?.tagName === 'INPUT' ? active.id : '',
      Math.round(window.scrollY),
    ]);
  });

/** Waits until nothing has moved for this long: late loading would look like the result of a click. */
export async function settled(page: Page, steadyMs = 0): Promise<string> {
  let before = '';
  let since = 0;
  return eventually(
    async () => {
      const now = await stateOf(page);
      if (now !== before) since = performance.now();
      const same = now === before && performance.now() - since >= steadyMs && now;
      before = now;
      return same;
    },
    { what: 'the page settles', timeoutMs: 20_000 },
  );
}
