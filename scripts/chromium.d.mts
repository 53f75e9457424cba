/** The path of a Chromium: CHROME_PATH, the usual folders, the PATH, Playwright's cache; undefined if there is none. */
export function findChromium(): string | undefined;
