import type { RunningConsumer } from 'busbar';
import { type OperationsOptions, serveOperations } from 'busbar/operations';
import { onTestFinished } from 'vitest';

/** The operations of a run on a free port, and how to ask them. */
export async function served(
  running: Pick<RunningConsumer, 'health'>,
  options: Partial<OperationsOptions> = {},
) {
  const operations = await serveOperations(running, { port: 0, ...options });
  onTestFinished(() => operations.stop());
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(operations.url + path, init);
    return { response, status: response.status, text: await response.text() };
  };
  const statusOf = async (path: string) => {
    const { status, text } = await ask(path);
    return { code: status, ...(JSON.parse(text) as { status: string; reasons: string[] }) };
  };
  return { ...operations, ask, statusOf };
}

/** The samples of a page of metrics: `busbar_ready` or `busbar_handled_total{event="..."}` -> value. */
export function samplesOf(page: string): Record<string, number> {
  return Object.fromEntries(
    page
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))];
      }),
  );
}
