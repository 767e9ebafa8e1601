import { Agent, get } from 'node:http';

/** That many clients, each with one connection, which ask again and again as long as `goOn` says so. */
export async function keepAliveClients(
  url: string,
  clients: number,
  goOn: (asked: number) => boolean,
): Promise<{ readonly answered: number; readonly failed: readonly string[] }> {
  let answered = 0;
  const failed: string[] = [];
  const one = (agent: Agent) =>
    new Promise<void>((resolve) => {
      const fail = (why: string) => {
        failed.push(why);
        resolve();
      };
      get(url, { agent }, (response) => {
        response.resume();
        response.once('error', (error) => fail(error.message));
        response.once('end', () => {
          if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
          else answered++;
          resolve();
        });
      }).once('error', (error) => fail(error.message));
    });
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let asked = 0; goOn(asked); asked++) await one(agent);
      agent.destroy();
    }),
  );
  return { answered, failed };
}
