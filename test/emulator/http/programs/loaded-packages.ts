import { createRequire } from 'node:module';
import { createHttpServer } from '../../../../emulator/http/server.js';
import { websocketSink } from '../../../../emulator/sinks/websocket.js';
import { websocket } from '../../../../src/transports/websocket.js';

/** Prints which of the heavy packages are loaded: before anything is started, after, and when something was asked for. */
const { cache } = createRequire(import.meta.url);
const loaded = () =>
  ['express', 'ws'].filter((name) =>
    Object.keys(cache).some((path) => path.includes(`node_modules/${name}/`)),
  );

websocket({ url: 'ws://127.0.0.1:4100/events' });
const before = loaded();
const http = await createHttpServer({ port: 0 });
const sink = websocketSink();
const started = loaded();
await (await fetch(http.url)).text();
process.stdout.write(JSON.stringify({ before, started, asked: loaded() }));
await sink.close();
await http.stop();
