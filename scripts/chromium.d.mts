/** The path of a Chromium: CHROME_PATH, the usual places, the PATH, Playwright's cache; undefined where there is none. */
export function findChromium(): string | undefined;
