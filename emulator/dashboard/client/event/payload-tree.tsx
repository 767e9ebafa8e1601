import { useState } from 'preact/hooks';
import type { Schema } from '../catalogue.js';
import { Breakable } from '../domains.js';
import { count, counted } from '../instants.js';
import { resolved, typeOf, unitOf, within } from './schema-fields.js';

/** Members of an object and characters of a string that are shown at first. */
const maxMembers = 50;
const moreMembers = 500;
const maxCharacters = 300;
/** Depth up to which objects without a mark are open at first: a deep payload would take long to draw. */
const openDepth = 4;

/** A payload with the types and descriptions of the catalogue. */
export function PayloadTree({
  value,
  schema,
  marked,
}: {
  readonly value: unknown;
  readonly schema: Schema | undefined;
  /** Remarks on fields, by path. Default: none. */
  readonly marked?: ReadonlyMap<string, string>;
}) {
  if (typeof value !== 'object' || value === null) {
    return (
      <p class="mono">
        <Value value={value} />
      </p>
    );
  }
  return (
    <div class="frame tree">
      <Members value={value} schema={schema} root={schema} depth={0} path="" marked={marked} />
    </div>
  );
}

interface Node {
  readonly schema: Schema | undefined;
  readonly root: Schema | undefined;
  readonly depth: number;
  readonly path: string;
  readonly marked: ReadonlyMap<string, string> | undefined;
}

function Members({ value, schema, root, depth, path, marked }: Node & { readonly value: object }) {
  const [most, setMost] = useState(maxMembers);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <p class="mark tree-none">{isList ? 'empty list' : 'empty object'}</p>;
  return (
    <ul>
      {entries.slice(0, most).map(([name, member]) => (
        <Member
          key={name}
          name={name}
          value={member as unknown}
          schema={within(schema, root, isList ? Number(name) : name, value)}
          root={root}
          depth={depth}
          path={isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`}
          marked={marked}
          isIndex={isList}
        />
      ))}
      {entries.length > most && (
        <li>
          <button type="button" class="more" onClick={() => setMost(most + moreMembers)}>
            Show {count(Math.min(moreMembers, entries.length - most))} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Member({
  name,
  value,
  schema,
  root,
  depth,
  path,
  marked,
  isIndex,
}: Node & { readonly name: string; readonly value: unknown; readonly isIndex: boolean }) {
  const [chosen, setOpen] = useState<boolean>();
  const isOpen = chosen ?? (depth < openDepth || containsMark(path, marked));
  const isObject = typeof value === 'object' && value !== null;
  const type = typeOf(schema, root);
  const mark = marked?.get(path);
  const description = isIndex ? undefined : resolved(schema, root)?.description;
  const unit = unitOf(schema, root);
  return (
    <li>
      <div class={mark === undefined ? 'member' : 'member differs'}>
        <span class="member-name mono">
          {isObject ? (
            <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <Breakable name={name} />
            </button>
          ) : (
            <Breakable name={name} />
          )}
        </span>
        <span class="member-value mono">
          {isObject ? <span class="faint">{sizeOf(value)}</span> : <Value value={value} />}
        </span>
        <span class="mark member-type">{type}</span>
        {mark !== undefined && <span class="member-mark">{mark}</span>}
        {description !== undefined && (
          <span class="mark member-about">
            {description}
            {unit !== undefined && ` Unit: ${unit}.`}
          </span>
        )}
      </div>
      {isObject && isOpen && (
        <Members value={value} schema={schema} root={root} depth={depth + 1} path={path} marked={marked} />
      )}
    </li>
  );
}

function containsMark(path: string, marked: ReadonlyMap<string, string> = new Map()): boolean {
  return [...marked.keys()].some((each) => each.startsWith(`${path}.`) || each.startsWith(`${path}[`));
}

function Value({ value }: { readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== 'string') {
    return (
      <span class={value === null ? 'faint' : 'scalar'}>
        {value === undefined ? 'absent' : JSON.stringify(value)}
      </span>
    );
  }
  if (value === '') return <span class="faint">empty text</span>;
  if (value.length <= maxCharacters || isWhole) return <>{value}</>;
  return (
    <>
      {value.slice(0, maxCharacters)}…{' '}
      <button type="button" class="more" onClick={() => setWhole(true)}>
        Show all {count(value.length)} characters
      </button>
    </>
  );
}

function sizeOf(value: object): string {
  if (Array.isArray(value)) return counted(value.length, 'entry', 'entries');
  return counted(Object.keys(value).length, 'field');
}
