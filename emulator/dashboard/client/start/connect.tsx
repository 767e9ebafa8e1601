import { consumers } from '../consumers/consumers-state.js';
import { CodeForms } from '../shell/code-forms.js';
import { clientsOf, streamClient } from './clients.js';
import './start.css';

/** Programs that connect to this emulator, and whether a consumer has done so. */
export function Connect() {
  const { value } = consumers.loaded.value;
  if (value === undefined) return null;
  const { bootstrap_servers: servers, groups, stream } = value;
  const joined =
    groups.find(({ members }) => members.length > 0)?.id ?? stream.find(({ connected }) => connected)?.name;
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/events`;
  return (
    <section class="card connect" aria-label="Connect a consumer">
      <CodeForms
        title="Connect your consumer"
        about="A consumer"
        forms={servers === null ? [['TypeScript', streamClient(address)]] : clientsOf(servers)}
      />
      <p class={`state ${joined === undefined ? 'waiting' : 'live'}`} role="status" data-testid="joined">
        {joined === undefined ? 'Waiting for your consumer' : `Consumer ${joined} is connected`}
      </p>
    </section>
  );
}
