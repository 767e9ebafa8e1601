import type { Fork } from '../../what-if.js';
import { count } from '../instants.js';
import { Link } from '../shell/link.js';
import { go } from '../view-route.js';
import type { Moment } from './moments.js';
import type { Bar } from './waterfall.js';

/** Returns a bar for each instance with shown moments, with its progress and its decisions. */
export function barsOf(moments: readonly Moment[], shown: readonly Moment[], forks: readonly Fork[]): Bar[] {
  const all = Map.groupBy(moments, ({ instance }) => instance);
  return [...Map.groupBy(shown, ({ instance }) => instance)].map(([instance, shownOfInstance]) => {
    const own = all.get(instance) ?? [];
    const of = (which: Moment['state']) => own.filter(({ state }) => state === which).length;
    const [ahead, missing, gone] = [of('expected'), of('missing'), of('gone')];
    const ownForks = forks.filter((fork) => fork.instance === instance);
    const other = ({ branch, others: [outcome = ''] }: Fork) => ({ instead: { instance, branch, outcome } });
    const head = (
      <>
        <b class="mono">{instance}</b>{' '}
        <span class="quiet">
          {count(of('sent'))} sent
          {ahead > 0 && `, ${count(ahead)} expected`}
          {missing > 0 && `, ${count(missing)} not sent`}
          {gone > 0 && `, ${count(gone)} no longer kept`}
        </span>{' '}
        {Object.entries(own[0]?.branches ?? {}).map(([branch, outcome]) => {
          const fork = ownForks.find((each) => each.branch === branch);
          const text = (
            <>
              {branch} <b>{outcome}</b>
            </>
          );
          return fork === undefined ? (
            <span class="decision" key={branch}>
              {text}
            </span>
          ) : (
            <Link class="decision" key={branch} to={other(fork)} title={`What if not ${outcome}?`}>
              {text}
            </Link>
          );
        })}
      </>
    );
    return {
      id: instance,
      head,
      moments: shownOfInstance,
      forks: ownForks.map((fork) => ({
        at: fork.at,
        label: `${fork.branch} ${fork.outcome}`,
        choose: () => go(other(fork)),
      })),
    };
  });
}
