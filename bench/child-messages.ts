import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';

/** Returns the messages of a process until it disconnects. @throws Error when the process fails */
export async function* messagesOf<Message>(child: ChildProcess): AsyncGenerator<Message> {
  const ended = new AbortController();
  child.once('disconnect', () => ended.abort());
  const exit = once(child, 'exit');
  try {
    for await (const [message] of on(child, 'message', { signal: ended.signal })) yield message as Message;
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    const [code] = await exit;
    if (code !== 0)
      throw new Error(`A process of the benchmark ended with ${String(code)}.`, { cause: error });
  } finally {
    child.kill();
  }
}
