/**
 * Makes sure that the browser's language is one. uPlot makes a number format of it when it is loaded, and Chromium on a
 * machine without a locale calls it "en-US@posix", which no format takes.
 */
export function ensureLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en' });
  }
}
