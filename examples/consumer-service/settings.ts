/** Settings from the environment. */
export interface Settings {
  readonly brokers: readonly string[];
  readonly groupId: string;
  readonly topic: string;
  /** `postgres://...`, or a folder for a PostgreSQL in this process. Default: in memory. */
  readonly databaseUrl: string | undefined;
  /** REST API of the platform. Its address ends in `/v1/`. */
  readonly platform: { readonly url: string; readonly apiKey: string };
  /** Address of probes and metrics. Port 0 selects a free port. */
  readonly operations: { readonly host: string; readonly port: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads all settings. @throws Error for a missing or invalid setting */
export function settingsFrom(environment: Environment): Settings {
  const read = (name: string, otherwise?: string): string => {
    const value = environment[name] ?? otherwise;
    if (value !== undefined && value !== '') return value;
    throw new Error(`Environment variable ${name} is missing. Set it.`);
  };
  const port = Number(read('OPERATIONS_PORT', '9464'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('OPERATIONS_PORT is not a port. Use 0 to 65535.');
  return {
    brokers: read('KAFKA_BROKERS', 'localhost:9092').split(','),
    groupId: read('KAFKA_GROUP', 'moves'),
    topic: read('KAFKA_TOPIC', 'platform.events'),
    databaseUrl: environment['DATABASE_URL'],
    platform: { url: read('PLATFORM_URL', 'http://127.0.0.1:4100/v1/'), apiKey: read('PLATFORM_API_KEY') },
    operations: { host: read('OPERATIONS_HOST', '127.0.0.1'), port },
  };
}
