import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isLost } from '../stream/main-feed.js';
import { NotConnected } from './empty-state.js';

/** Returns a view that loads its code when it is first shown, and again if the connection was lost. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined;
  return function Lazy() {
    const [, setLoaded] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined || isLost.value) return;
      load().then(
        (view) => {
          loaded = view;
          setLoaded(true);
        },
        () => undefined,
      );
    }, [isLost.value]);
    const View = loaded;
    if (View !== undefined) return <View />;
    return isLost.value ? <NotConnected /> : null;
  };
}
