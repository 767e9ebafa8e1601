/**
 * Replaces an invalid browser language. uPlot uses the language when it loads, and Chromium on a machine without a
 * locale has "en-US@posix", which number formats reject.
 */
export function ensureLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en' });
  }
}
