import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Starts the embedded broker in a child process. */
export async function forkBroker() {
  const child = fork(new URL('./broker-process.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started] = (await once(child, 'message')) as [
    { readonly bootstrapServers: string; readonly port: number; readonly startedIn: number },
  ];
  return {
    ...started,
    /** Returns the resident memory of the process, in bytes. */
    async rss(): Promise<number> {
      child.send('rss');
      const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
      return rss;
    },
    async stop(): Promise<void> {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
