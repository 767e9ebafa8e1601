import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { loadAll } from 'js-yaml';

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
}
interface Schema {
  readonly properties?: object;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** Returns the problems of the manifests in a file, by the OpenAPI documents of Kubernetes. */
export function manifestProblems(text: string, documents: string): string[] {
  return (loadAll(text) as Resource[]).flatMap((resource) => {
    const { apiVersion, kind } = resource;
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const path = group === '' ? `api/${version}.json` : `apis/${group}/${version}.json`;
    const document = JSON.parse(readFileSync(join(documents, path), 'utf8'), refuseOtherFields) as {
      components: { schemas: Readonly<Record<string, Schema>> };
    };
    const [name] =
      Object.entries(document.components.schemas).find(([, schema]) =>
        schema['x-kubernetes-group-version-kind']?.some(
          (each) => each.group === group && each.version === version && each.kind === kind,
        ),
      ) ?? [];
    if (name === undefined) return [`${apiVersion} has no "${kind}".`];
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    ajv.addSchema(document, 'kubernetes');
    const validate = ajv.compile({ $ref: `kubernetes#/components/schemas/${name}` });
    if (validate(resource)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${kind}${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  });
}

/** Kubernetes drops fields that it does not know. Here they are mistakes. */
function refuseOtherFields(_key: string, value: unknown): unknown {
  const isRecord = typeof value === 'object' && value !== null && 'properties' in value && 'type' in value;
  return isRecord ? { additionalProperties: false, ...value } : value;
}
