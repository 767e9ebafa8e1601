import { WebSocket } from 'ws';

/** A task for the process of clients. */
export interface ClientsTask {
  readonly url: string;
  readonly clients: number;
  /** Number of records of each client, including the missed records that a gap announces. */
  readonly records: number;
  /** `frames` for `busbar.v1`, `messages` for one record per message. */
  readonly protocol: 'frames' | 'messages';
  /** Whether clients stop reading until `resume`. */
  readonly paused?: boolean;
}

export type ClientsReport = { readonly is: 'ready' } | (ClientsTotal & { readonly is: 'done' });

export interface ClientsTotal {
  readonly received: number;
  readonly missed: number;
}

/** Clients in a child process, so that the server has its own core. They do not parse records. */
process.on('message', (task: ClientsTask | 'resume') => {
  if (task === 'resume') for (const socket of sockets) socket.resume();
  else void attend(task).then((total) => report({ is: 'done', ...total }));
});

const sockets = new Set<WebSocket>();

async function attend(task: ClientsTask): Promise<ClientsTotal> {
  sockets.clear();
  let ready = 0;
  const isReady = () => {
    if (++ready === task.clients) report({ is: 'ready' });
  };
  const totals = await Promise.all(Array.from({ length: task.clients }, () => connect(task, isReady)));
  return {
    received: totals.reduce((sum, { received }) => sum + received, 0),
    missed: totals.reduce((sum, { missed }) => sum + missed, 0),
  };
}

function connect(
  { url, records, protocol, paused }: ClientsTask,
  isReady: () => void,
): Promise<ClientsTotal> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, 'busbar.v1', { perMessageDeflate: false });
    sockets.add(socket);
    const total = { received: 0, missed: 0 };
    const begin = () => {
      if (paused === true) socket.pause();
      isReady();
    };
    socket.on('open', () => {
      if (protocol === 'messages') begin();
      else socket.send('{"type":"subscribe","mode":"observe"}');
    });
    socket.on('message', (data: Buffer) => {
      if (protocol === 'messages') total.received++;
      else if (data.includes('"type":"batch"')) total.received += lines(data);
      else {
        const head = JSON.parse(data.toString()) as { type: string; count: number };
        if (head.type === 'welcome') begin();
        else if (head.type === 'gap') total.missed += head.count;
      }
      if (total.received + total.missed < records) return;
      socket.close();
      resolve(total);
    });
  });
}

function lines(data: Buffer): number {
  let count = 0;
  for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) count++;
  return count;
}

function report(message: ClientsReport): void {
  process.send?.(message);
}
