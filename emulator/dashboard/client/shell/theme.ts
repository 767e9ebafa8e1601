import { computed, effect, signal } from '@preact/signals';

type Theme = 'light' | 'dark';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const system = signal<Theme>(prefersDark.matches ? 'dark' : 'light');
prefersDark.addEventListener('change', ({ matches }) => (system.value = matches ? 'dark' : 'light'));

const stored = inStorage((storage) => storage.getItem('theme'));
const chosen = signal<Theme | undefined>(stored === 'light' || stored === 'dark' ? stored : undefined);

/** The user's choice; without one, that of the system. */
export const theme = computed(() => chosen.value ?? system.value);

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function switchTheme(): void {
  const next = theme.peek() === 'dark' ? 'light' : 'dark';
  chosen.value = next;
  inStorage((storage) => storage.setItem('theme', next));
}

/** Returns undefined in a browser that refuses to store data. */
export function inStorage<T>(access: (storage: Storage) => T): T | undefined {
  try {
    return access(localStorage);
  } catch {
    return undefined;
  }
}
