import type { View } from '../view-route.js';

const paths = {
  mark: 'M2 4.5h12M4 5v8M8 5v8M12 5v8',
  theme: 'M8 2a6 6 0 1 0 0 12V2',
  live: 'M1 8h3l2-5 4 10 2-5h3',
  journeys: 'M2 12h4l4-8h4',
  world: 'M8 2a6 6 0 1 0 0 12A6 6 0 1 0 8 2M2 8h12M8 2c-4 4-4 8 0 12M8 2c4 4 4 8 0 12',
  compose: 'M2 14l1-4 8-8 3 3-8 8-4 1',
  run: 'M4 2.5v11L13 8z',
  consumers: 'M2 3h12v4H2zM2 9h12v4H2z',
} satisfies Readonly<Record<View | 'mark' | 'theme', string>>;

export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
