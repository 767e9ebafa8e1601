/** One field: its type is `string`, `integer`, ... or the name of a shape; `[X]` is an array of X. */
export interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

/** One event version; `payload` names the shape when the whole payload is one. */
export interface EventFact {
  readonly type: string;
  readonly version: string;
  readonly group: string;
  readonly payload?: string;
  readonly fields: readonly Field[];
}

export interface Facts {
  readonly shapes: ReadonlyMap<string, readonly Field[]>;
  readonly events: readonly EventFact[];
}

/** The entries of `facts.txt` with every abbreviation resolved. Throws an `Error` naming the line it cannot read. */
export function resolveFacts(text: string): Facts {
  const shapes = new Map<string, readonly Field[]>();
  const events: EventFact[] = [];
  let group = '';
  for (const line of factLines(text)) {
    if (line.startsWith('## ')) {
      group = line.slice(3);
    } else if (group === 'shapes') {
      const [name, fields] = cut(line, ': ');
      shapes.set(name, readFields(fields));
    } else {
      readEntry(line, group, events, shapes);
    }
  }
  return { shapes, events };
}

/** The headings and entries of a facts file, without comments and blank lines. */
export function factLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^#(?!#)/.test(line));
}

type Named = Pick<EventFact, 'type' | 'version'>;

/** `a v1 and .b v1: fields. v2: fields` */
function readEntry(line: string, group: string, events: EventFact[], shapes: Facts['shapes']): void {
  const [head, body] = cut(line, ': ');
  const names = readNames(head);
  const [first = '', ...later] = body.split(/\. (?=v\d+: )/);
  for (const name of names) {
    events.push({ ...name, group, ...readPayload(first, name, events, shapes) });
  }
  for (const statement of later) {
    const [version, fields] = cut(statement, ': ');
    for (const { type } of names) {
      const name = { type, version };
      events.push({ ...name, group, ...readPayload(fields, name, events, shapes) });
    }
  }
}

function readNames(head: string): Named[] {
  const names: Named[] = [];
  for (const part of head.split(/, | and /)) {
    const [written, version] = cut(part, ' ');
    const before = names.at(-1)?.type ?? '';
    const suffix = written.split('.').slice(1);
    const type = written.startsWith('.')
      ? [...before.split('.').slice(0, -suffix.length), ...suffix].join('.')
      : written;
    names.push({ type, version });
  }
  return names;
}

function readPayload(
  text: string,
  name: Named,
  events: readonly EventFact[],
  shapes: Facts['shapes'],
): Pick<EventFact, 'payload' | 'fields'> {
  const whole = /^payload (\w+)$/.exec(text)?.[1];
  if (whole !== undefined) return { payload: whole, fields: shapeFields(whole, shapes) };

  const range = /^the fields from (\w+)\* to (\w+)\* of (\w+)$/.exec(text);
  if (range !== null) {
    const fields = shapeFields(range[3] ?? '', shapes);
    const position = (field?: string) => fields.findIndex((each) => each.name === field);
    return { fields: fields.slice(position(range[1]), position(range[2]) + 1) };
  }
  const plus = /^(.*(?:fields|same)\b.*) plus (.*)$/.exec(text);
  if (plus !== null) {
    const [, base = '', added = ''] = plus;
    return { fields: [...referredFields(base, name, events), ...readFields(added)] };
  }
  const replaced = /^(.*(?:fields|same)\b.*) with (\S+) in place of (\S+)$/.exec(text);
  if (replaced !== null) {
    const [, base = '', by = '', old = ''] = replaced;
    const oldName = old.replace('*', '');
    const fields = referredFields(base, name, events, oldName);
    return { fields: fields.flatMap((field) => (field.name === oldName ? readFields(by) : [field])) };
  }
  if (/^the same fields as /.test(text)) return { fields: referredFields(text, name, events) };
  return { fields: readFields(text) };
}

/**
 * What "the fields of X", "v2 fields", "the same" refer to. A bare "the same" is the entry before it that has
 * the field to be replaced.
 */
function referredFields(
  phrase: string,
  current: Named,
  events: readonly EventFact[],
  holding?: string,
): readonly Field[] {
  const version = /\bv\d+\b/.exec(phrase)?.[0];
  const other = /\b(?:of|as) ([\w.-]+)/.exec(phrase)?.[1];
  const sibling = current.type.replace(/[^.]+$/, other ?? '');
  const found = events.findLast((event) => {
    if (other !== undefined) {
      return (event.type === other || event.type === sibling) && event.version === (version ?? 'v1');
    }
    if (version !== undefined) return event.type === current.type && event.version === version;
    if (holding !== undefined) return event.fields.some((field) => field.name === holding);
    return event.type === current.type;
  });
  if (found === undefined) throw new Error(`"${phrase}" (of "${current.type}") refers to nothing above it.`);
  return found.fields;
}

function shapeFields(shape: string, shapes: Facts['shapes']): readonly Field[] {
  const fields = shapes.get(shape);
  if (fields === undefined) throw new Error(`There is no shape "${shape}".`);
  return fields;
}

const letters: Readonly<Record<string, string>> = { i: 'integer', n: 'number', b: 'boolean', o: 'object' };

function readFields(text: string): Field[] {
  return text.split(', ').map((part) => {
    const match = /^(?<name>\w+)(?<star>\*?)(?::(?<letter>[inbo]))?(?: (?<type>\w+|\[\w+\]))?$/.exec(part);
    if (match?.groups === undefined) throw new Error(`"${part}" is not a field.`);
    const { name = '', star, letter = '', type } = match.groups;
    return {
      name,
      required: star === '*',
      type:
        type?.replace(/^\[([inbo])\]$/, (_, each: string) => `[${letters[each] ?? each}]`) ??
        letters[letter] ??
        'string',
    };
  });
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at < 0) throw new Error(`"${text}" has no "${separator}".`);
  return [text.slice(0, at), text.slice(at + separator.length)];
}
