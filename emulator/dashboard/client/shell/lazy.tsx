import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Returns a view that loads its code when it is first shown. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy() {
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      void load().then((view) => {
        loaded = view;
        setLoaded(true);
      });
    }, []);
    const View = loaded;
    return View === undefined ? null : <View />;
  };
}
