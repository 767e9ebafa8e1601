/** What the service is told by its environment. */
export interface Settings {
  readonly brokers: readonly string[];
  readonly groupId: string;
  readonly topic: string;
  /** `postgres://...`, or a folder for a PostgreSQL in this process; nothing keeps the data in memory. */
  readonly databaseUrl: string | undefined;
  /** The platform's REST API; its address ends in `/v1/`. */
  readonly platform: { readonly url: string; readonly apiKey: string };
  /** Where probes and metrics are served; 0 takes a free port. */
  readonly operations: { readonly host: string; readonly port: number };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads them all at once, so that a service that lacks something does not start at all. @throws Error that names it */
export function settingsFrom(environment: Environment): Settings {
  const given = (name: string, otherwise?: string): string => {
    const value = environment[name] ?? otherwise;
    if (value !== undefined && value !== '') return value;
    throw new Error(`Environment variable ${name} is missing.`);
  };
  const port = Number(given('OPERATIONS_PORT', '9464'));
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('OPERATIONS_PORT is no port.');
  return {
    brokers: given('KAFKA_BROKERS', 'localhost:9092').split(','),
    groupId: given('KAFKA_GROUP', 'moves'),
    topic: given('KAFKA_TOPIC', 'platform.events'),
    databaseUrl: environment['DATABASE_URL'],
    platform: { url: given('PLATFORM_URL', 'http://127.0.0.1:4100/v1/'), apiKey: given('PLATFORM_API_KEY') },
    operations: { host: given('OPERATIONS_HOST', '127.0.0.1'), port },
  };
}
