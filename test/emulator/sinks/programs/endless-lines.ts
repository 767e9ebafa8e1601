import { stdoutSink } from '../../../../emulator/sinks/stdout.js';
import { emissions } from '../emissions.js';

/** Writes until the reader closes the output. */
const sink = stdoutSink();
while (!sink.readerGone.aborted) await sink.write(emissions(100));
await sink.end();
await sink.close();
process.stderr.write('ended');
